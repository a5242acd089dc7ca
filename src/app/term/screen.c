/* screen: cells in one array, row by row. */
#include "term/screen.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void screen_init(Screen *screen, bool unicode, bool color) {
    *screen = (Screen){.unicode = unicode, .color = color};
}

void screen_release(Screen *screen) {
    free(screen->cells);
    *screen = (Screen){0};
}

bool screen_resize(Screen *screen, int rows, int columns, Status *status) {
    size_t wanted = (size_t)rows * (size_t)columns;
    if (wanted > screen->capacity) {
        ScreenCell *cells = realloc(screen->cells, wanted * sizeof *cells);
        if (!cells)
            return status_no_memory(status);
        screen->cells = cells;
        screen->capacity = wanted;
    }
    screen->rows = rows;
    screen->columns = columns;
    screen_clear(screen);
    return true;
}

void screen_clear(Screen *screen) {
    for (int i = 0; i < screen->rows * screen->columns; i++)
        screen->cells[i] = (ScreenCell){' ', STYLE_PLAIN};
}

static void set(Screen *screen, int row, int column, Style style, uint32_t glyph) {
    if (row < 0 || row >= screen->rows || column < 0 || column >= screen->columns)
        return;
    screen->cells[row * screen->columns + column] = (ScreenCell){glyph, (uint8_t)style};
}

int screen_put(Screen *screen, int row, int column, Style style, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t glyph = utf8_next(&at);
        bool control = glyph < ' ' || (glyph >= 127 && glyph < 160);
        bool shown = !control && glyph != UTF8_REPLACEMENT && (glyph < 128 || screen->unicode);
        set(screen, row, column++, style, shown ? glyph : '?');
    }
    return column;
}

int screen_format(Screen *screen, int row, int column, Style style, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return screen_put(screen, row, column, style, line);
}

void screen_glyph(Screen *screen, int row, int column, Style style, uint32_t unicode, char ascii) {
    set(screen, row, column, style, screen->unicode ? unicode : (unsigned char)ascii);
}

void screen_text(const Screen *screen, Text *text) {
    for (int row = 0; row < screen->rows; row++) {
        const ScreenCell *cells = screen->cells + row * screen->columns;
        int end = screen->columns;
        while (end > 0 && cells[end - 1].glyph == ' ')
            end--;
        for (int i = 0; i < end; i++)
            utf8_add(cells[i].glyph, text);
        text_add_char(text, '\n');
    }
}
