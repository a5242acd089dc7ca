/* utf8: characters as numbers. What is no UTF-8 becomes U+FFFD. */
#ifndef TETROPT_IO_UTF8_H
#define TETROPT_IO_UTF8_H

#include "base/text.h"

#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd };

/* Reads one code point and moves on; what is not UTF-8 gives U+FFFD for one byte. */
uint32_t utf8_next(const unsigned char **at);

/* Adds a code point. */
void utf8_add(uint32_t point, Text *text);

#endif
