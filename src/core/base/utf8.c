/* utf8: by the table of well-formed sequences in the Unicode standard (3.9, table 3-7). */
#include "base/utf8.h"

#include <string.h>

size_t utf8_length(const char *text, size_t left) {
    const unsigned char *at = (const unsigned char *)text;
    size_t length = left == 0      ? 0
                    : at[0] < 0x80 ? 1
                    : at[0] < 0xc2 ? 0
                    : at[0] < 0xe0 ? 2
                    : at[0] < 0xf0 ? 3
                    : at[0] < 0xf5 ? 4
                                   : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if (length < 3)
        return length;
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool no_character = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
    return overlong || no_character ? 0 : length;
}

bool utf8_is_text(const char *text, size_t length) {
    if (memchr(text, '\0', length))
        return false;
    for (size_t at = 0, step; at < length; at += step)
        if ((step = utf8_length(text + at, length - at)) == 0)
            return false;
    return true;
}

uint32_t utf8_next(const unsigned char **at) {
    const unsigned char *bytes = *at;
    /* NUL is not part of a sequence, so nothing behind it is read. */
    size_t length = utf8_length((const char *)bytes, 4);
    *at = bytes + (length > 0 ? length : 1);
    if (length <= 1)
        return length == 1 ? *bytes : UTF8_REPLACEMENT;
    uint32_t point = *bytes & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (bytes[i] & 0x3fu);
    return point;
}

size_t utf8_put(uint32_t point, char bytes[4]) {
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    size_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned lead[4] = {0, 0xc0, 0xe0, 0xf0};
    bytes[0] = (char)(lead[more] | point >> (6 * more));
    for (size_t i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (point >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

void utf8_add(uint32_t point, Text *text) {
    char bytes[4];
    text_add_bytes(text, bytes, utf8_put(point, bytes));
}
