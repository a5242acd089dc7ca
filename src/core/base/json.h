/*
 * json: reads JSON strictly into an immutable tree.
 *
 * Strict: exactly one document, an array or an object, in valid UTF-8. Duplicate members, NUL in
 * strings, integers outside of int64, reals that overflow and more than JSON_MAX_DEPTH levels are
 * errors; a message names line and column. Numbers do not depend on the locale. Members keep their
 * order. A tree lives until json_free of its root; nodes and strings belong to it.
 *
 * All functions that take a node accept NULL, which has no type, no items and no value. So
 * json_text(json_get(object, "name")) needs no checks in between.
 */
#ifndef TETROPT_BASE_JSON_H
#define TETROPT_BASE_JSON_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_MAX_DEPTH = 2048 };

typedef struct Json Json;

/* Parses exactly one document. NULL with `status` on failure: STATUS_INPUT with "JSON, line L
 * column C: WHY", or STATUS_SYSTEM when memory is out. */
Json *json_parse(const char *text, size_t length, Status *status);

/* Parses two objects as json_parse does, and puts the members of the second one (NULL: none) into
 * the first one: new members at its end, objects of both merged likewise, other values replaced. */
Json *json_parse_merged(const char *text, const char *more, Status *status);

/* Frees a document that json_parse returned; NULL is allowed. */
void json_free(Json *document);

bool json_is_object(const Json *node);
bool json_is_array(const Json *node);
bool json_is_string(const Json *node);
bool json_is_integer(const Json *node);
bool json_is_number(const Json *node); /* an integer or a real */
bool json_is_bool(const Json *node);
bool json_is_true(const Json *node);
bool json_is_null(const Json *node);

/* The value of an integer, of any number, of a string; 0, 0 and NULL for other nodes. */
int64_t json_int(const Json *node);
double json_number(const Json *node);
const char *json_text(const Json *node);

/* Items of an array or members of an object; 0 for other nodes. */
size_t json_count(const Json *node);

/* An item, or the value of a member, by its position; NULL beyond the end. */
const Json *json_at(const Json *node, size_t index);

/* The name of a member by its position, which must exist. */
const char *json_name_at(const Json *object, size_t index);

/* The value of the member `name`; NULL when there is none or the node is not an object. */
const Json *json_get(const Json *object, const char *name);

/* Fails unless `object` is an object with no members except the named ones. */
bool json_only_members(const Json *object, const char *const *names, int count, Status *status);

/* Reads an optional integer member in low..high; leaves *value alone when it is missing. */
bool json_read_int(const Json *object, const char *name, int low, int high, int *value,
                   Status *status);

/* Reads a string member. NULL with `status` when it is missing or not a string. */
const char *json_read_string(const Json *object, const char *name, Status *status);

#endif
