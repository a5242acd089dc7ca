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
