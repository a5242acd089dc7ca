/*
 * json: reading JSON documents strictly, over jansson. Every message names the place:
 * "genes[3][1]".
 */
#ifndef TETROPT_IO_JSON_H
#define TETROPT_IO_JSON_H

#include "base/status.h"

#include <jansson.h>

/* Parses exactly one document. Doubled keys are errors. NULL with `status` on failure. */
json_t *json_parse(const char *text, size_t length, Status *status);

/* One line of compact JSON; numbers read back exactly. The caller frees it. NULL: no memory. */
char *json_write(const json_t *document);

/* Fails unless `object` is an object that has only the named members. */
bool json_only_members(const json_t *object, const char *const *names, int count, Status *status);

/* Reads an optional integer member in low..high; leaves *value alone when it is not there. */
bool json_read_int(const json_t *object, const char *name, int low, int high, int *value,
                   Status *status);

/* Reads a string member. NULL with `status` when it is missing or no string. */
const char *json_read_string(const json_t *object, const char *name, Status *status);

#endif
