/*
 * text: a growing string, for output that is built before it is written.
 *
 * Invariant: data is NUL-terminated at length whenever it is not NULL. What cannot be added sets
 * `failed`, and what comes after is dropped; the one who uses the text checks it once at the end.
 * A Text of zeros is empty: Text text = {0}.
 */
#ifndef TETROPT_BASE_TEXT_H
#define TETROPT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char *data;
    size_t length, capacity;
    bool failed;
} Text;

void text_init(Text *text);
void text_release(Text *text);

/* No text, but the memory stays; `failed` stays too. */
void text_clear(Text *text);

void text_add(Text *text, const char *string);
void text_add_bytes(Text *text, const char *bytes, size_t count);
void text_add_char(Text *text, char character);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `string` as one field of CSV, quoted where necessary (RFC 4180). */
void text_add_csv(Text *csv, const char *string);

/* Adds `string` broken into lines of at most `columns`, every line but the first indented. */
void text_wrap(Text *text, const char *string, size_t indent, size_t columns);

/* Adds "NAME: STRING" and a line end, broken into lines of at most TEXT_COLUMNS. */
enum { TEXT_COLUMNS = 80 };
void text_entry(Text *text, const char *name, const char *string);

#endif
