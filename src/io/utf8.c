#include "io/utf8.h"

uint32_t utf8_next(const unsigned char **at) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = *at;
    unsigned first = *bytes;
    int count = first < 0x80       ? 1
                : first >> 5 == 6  ? 2
                : first >> 4 == 14 ? 3
                : first >> 3 == 30 ? 4
                                   : 0;
    *at = bytes + 1;
    if (count <= 1)
        return count == 1 ? first : UTF8_REPLACEMENT;
    uint32_t point = first & (0x7fu >> count);
    for (int i = 1; i < count; i++) {
        if (bytes[i] >> 6 != 2)
            return UTF8_REPLACEMENT;
        point = point << 6 | (bytes[i] & 0x3fu);
    }
    if (point < least[count] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return UTF8_REPLACEMENT;
    *at = bytes + count;
    return point;
}

void utf8_add(uint32_t point, Text *text) {
    if (point < 0x80) {
        text_add_char(text, (char)point);
        return;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned lead[4] = {0, 0xc0, 0xe0, 0xf0};
    text_add_char(text, (char)(lead[more] | point >> (6 * more)));
    while (more-- > 0)
        text_add_char(text, (char)(0x80 | (point >> (6 * more) & 0x3f)));
}
