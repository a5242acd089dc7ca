/* utf8: what is UTF-8 and what is not. */
#ifndef TETROPT_BASE_UTF8_H
#define TETROPT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the sequence at the `left` bytes of `text`, or 0 when it is none. Overlong forms,
 * surrogates and what lies above U+10FFFF are none. */
size_t utf8_length(const char *text, size_t left);

/* True when all of `text` is UTF-8 without a NUL. */
bool utf8_is_text(const char *text, size_t length);

#endif
