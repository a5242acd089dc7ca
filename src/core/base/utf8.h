/*
 * utf8: validation of UTF-8, and its characters as code points.
 *
 * By hand and not by the C library, whose functions depend on the locale that the user has set.
 */
#ifndef TETROPT_BASE_UTF8_H
#define TETROPT_BASE_UTF8_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd };

/* The bytes of the sequence at the `left` bytes of `text`, or 0 when it is invalid, as overlong
 * forms, surrogates and code points above U+10FFFF are. */
size_t utf8_length(const char *text, size_t left);

/* True when all of `text` is UTF-8 without a NUL. */
bool utf8_is_text(const char *text, size_t length);

/* Reads one code point of a text that ends with NUL, and moves behind it; a byte that is not UTF-8
 * gives UTF8_REPLACEMENT. */
uint32_t utf8_next(const unsigned char **at);

/* Writes a code point, at most U+10FFFF, and returns its bytes. */
size_t utf8_put(uint32_t point, char bytes[4]);

/* Adds a code point, at most U+10FFFF. */
void utf8_add(uint32_t point, Text *text);

#endif
