/*
 * json_writer: writes compact JSON into a Text, with commas where they belong.
 *
 * `name` is the name of the member inside an object, and NULL inside an array and at the root.
 * Strings may be any bytes: invalid UTF-8 becomes U+FFFD, so the output is always valid JSON.
 * Numbers read back exactly. Where memory is out, Text.failed remembers.
 *
 *     jw_start(&w);
 *     jw_integer(&w, "lines", 4);
 *     jw_array(&w, "clears");
 *     jw_integer(&w, NULL, 1);
 *     jw_end(&w);
 *     jw_end(&w);            -> {"lines":4,"clears":[1]}
 */
#ifndef TETROPT_BASE_JSON_WRITER_H
#define TETROPT_BASE_JSON_WRITER_H

#include "base/text.h"

#include <stdint.h>

typedef struct Json Json; /* base/json.h */

enum { JW_MAX_DEPTH = 32 };

typedef struct JsonWriter {
    Text *text;
    bool comma;      /* a value stands before the next one */
    int depth;       /* open containers */
    uint32_t arrays; /* bit i: the open container i from inside is an array */
    Text own;        /* of jw_start */
} JsonWriter;

/* Begins a document at the end of `text`. */
void jw_init(JsonWriter *w, Text *text);

/* Opens the object of a new document in the writer's own text, which the caller releases. The
 * writer must stay where it is. */
void jw_start(JsonWriter *w);

/* Open a container; jw_end closes the innermost one. At most JW_MAX_DEPTH may be open. */
void jw_object(JsonWriter *w, const char *name);
void jw_array(JsonWriter *w, const char *name);
void jw_end(JsonWriter *w);

void jw_string(JsonWriter *w, const char *name, const char *string); /* NULL is written as null */
void jw_stringn(JsonWriter *w, const char *name, const char *string, size_t length);
void jw_integer(JsonWriter *w, const char *name, int64_t value);
void jw_real(JsonWriter *w, const char *name, double value); /* infinities and NaN: null */
void jw_bool(JsonWriter *w, const char *name, bool value);
void jw_null(JsonWriter *w, const char *name);

/* Several members of the open object at once, of the types in their letters:
 * jw_put(&w, JS("over", word), JI("lines", 4), JR("mean", 0.5), JB("solved", true)). */
typedef struct JsonField {
    const char *name;
    char type; /* 's', 'i', 'r', 'b' */
    union {
        const char *string;
        int64_t integer;
        double real;
        bool boolean;
    };
} JsonField;

#define JS(name, value) ((JsonField){(name), 's', .string = (value)})
#define JI(name, value) ((JsonField){(name), 'i', .integer = (value)})
#define JR(name, value) ((JsonField){(name), 'r', .real = (value)})
#define JB(name, value) ((JsonField){(name), 'b', .boolean = (value)})
#define jw_put(w, ...)                                                                             \
    jw_fields((w), (JsonField[]){__VA_ARGS__},                                                     \
              sizeof((JsonField[]){__VA_ARGS__}) / sizeof(JsonField))
void jw_fields(JsonWriter *w, const JsonField *fields, size_t count);

/* A value that is JSON already. */
void jw_raw(JsonWriter *w, const char *name, const char *json, size_t length);

/* Members that are JSON already, without brackets around them. */
void jw_raw_members(JsonWriter *w, const char *json, size_t length);

/* A node that was read, or null for NULL; all members of an object, as members of the open one. */
void jw_json(JsonWriter *w, const char *name, const Json *node);
void jw_members(JsonWriter *w, const Json *object);

/* Arrays of `count` numbers. */
void jw_integers(JsonWriter *w, const char *name, const int64_t *values, size_t count);
void jw_reals(JsonWriter *w, const char *name, const double *values, size_t count);

#endif
