#include "base/json_text.h"

#include "base/utf8.h"

void json_text_string(Text *text, const char *string) {
    const unsigned char *at = (const unsigned char *)string;
    text_add_char(text, '"');
    while (*at) {
        uint32_t point = utf8_next(&at);
        if (point == '"' || point == '\\')
            text_format(text, "\\%c", (char)point);
        else if (point == '\n')
            text_add(text, "\\n");
        else if (point < 0x20)
            text_format(text, "\\u%04X", (unsigned)point);
        else
            utf8_add(point, text);
    }
    text_add_char(text, '"');
}

void json_text_name(Text *text, bool more, const char *name) {
    text_format(text, "%s\"%s\":", more ? "," : "", name);
}

void json_text_rows(Text *text, const Grid *grid, int rows) {
    text_add_char(text, '[');
    for (int y = rows - 1; y >= 0; y--)
        text_format(text, "\"%.*s\"%s", grid->width, grid->cells[y], y ? "," : "");
    text_add_char(text, ']');
}
