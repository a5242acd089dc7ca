/*
 * json: reading JSON documents strictly and writing them whole, over jansson.
 *
 * Strictly: members that nobody knows, doubled ones and numbers out of range are refused, and every
 * message names the place ("genes[3][1]"). Whole: when memory runs out while a document is built
 * there is none, rather than one that lacks a piece.
 */
#ifndef TETROPT_IO_JSON_H
#define TETROPT_IO_JSON_H

#include "base/status.h"
#include "base/text.h"

#include <jansson.h>

/* While base/json.h takes over: its functions have these names. */
#define json_parse jansson_parse
#define json_only_members jansson_only_members
#define json_read_int jansson_read_int
#define json_read_string jansson_read_string

/* Parses exactly one document. Doubled keys are errors. NULL with `status` on failure. */
json_t *json_parse(const char *text, size_t length, Status *status);

/* One line of compact JSON; numbers read back exactly. The caller frees it. NULL: no memory, or
 * there is no document. */
char *json_write(const json_t *document);

/* Add a member or an item, or all members of another object, and take the reference to what is
 * added. Where memory is out, or what is added is NULL because it was out before, the document goes
 * and becomes NULL: whoever builds one checks once, at its end. */
void json_put(json_t **object, const char *name, json_t *value);
void json_add(json_t **array, json_t *value);
void json_merge(json_t **object, json_t *more);

/* A real, or null for what JSON has no number for: infinities and NaN. NULL: no memory. */
json_t *json_finite(double value);

/* Fails unless `object` is an object that has only the named members. */
bool json_only_members(const json_t *object, const char *const *names, int count, Status *status);

/* Reads an optional integer member in low..high; leaves *value alone when it is not there. */
bool json_read_int(const json_t *object, const char *name, int low, int high, int *value,
                   Status *status);

/* Reads a string member. NULL with `status` when it is missing or no string. */
const char *json_read_string(const json_t *object, const char *name, Status *status);

#endif
