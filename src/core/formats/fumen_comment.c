/*
 * fumen_comment: the comments of fumens. The format keeps them as JavaScript's escape() gives them:
 * units of UTF-16, all but some ASCII as %XX or %uXXXX. Here they are UTF-8.
 */
#include "formats/fumen_code.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

static void escape_unit(uint32_t unit, Text *escaped) {
    if (unit < 0x80 && (isalnum((int)unit) || (unit && strchr("@*_+-./", (int)unit))))
        text_add_char(escaped, (char)unit);
    else
        text_format(escaped, unit < 0x100 ? "%%%02X" : "%%u%04X", (unsigned)unit);
}

void fumen_escape(const char *comment, Text *escaped) {
    const unsigned char *at = (const unsigned char *)comment;
    size_t start = escaped->length;
    while (*at) {
        size_t before = escaped->length;
        uint32_t point = utf8_next(&at);
        if (point >= 0x10000) {
            escape_unit(0xd800 + ((point - 0x10000) >> 10), escaped);
            escape_unit(0xdc00 + (point & 0x3ff), escaped);
        } else
            escape_unit(point, escaped);
        if (escaped->failed)
            return;
        if (escaped->length - start > FUMEN_MAX_COMMENT) { /* never half a character */
            escaped->length = before;
            escaped->data[before] = '\0';
            return;
        }
    }
}

static int hex_value(char digit) {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    int letter = digit | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* The value of `count` hexadecimal digits, or -1. */
static int32_t read_hex(const char *digits, const char *end, int count) {
    if (end - digits < count)
        return -1;
    int32_t value = 0;
    for (int i = 0; i < count; i++) {
        int digit = hex_value(digits[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Reads one UTF-16 unit and moves on. */
static uint32_t next_unit(const char **at, const char *end) {
    const char *here = *at;
    int32_t value = -1, length = 1;
    if (*here == '%' && end - here > 1 && here[1] == 'u') {
        value = read_hex(here + 2, end, 4);
        length = 6;
    } else if (*here == '%') {
        value = read_hex(here + 1, end, 2);
        length = 3;
    }
    if (value < 0) {
        *at = here + 1;
        return (unsigned char)*here;
    }
    *at = here + length;
    return (uint32_t)value;
}

void fumen_unescape(const char *escaped, size_t length, Text *comment) {
    const char *at = escaped, *end = escaped + length;
    while (at < end) {
        uint32_t point = next_unit(&at, end);
        if (point >= 0xd800 && point < 0xdc00 && at < end) {
            const char *after = at;
            uint32_t low = next_unit(&after, end);
            if (low >= 0xdc00 && low < 0xe000) {
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
                at = after;
            }
        }
        if (point == 0 || (point >= 0xd800 && point < 0xe000))
            point = UTF8_REPLACEMENT;
        utf8_add(point, comment);
    }
}
