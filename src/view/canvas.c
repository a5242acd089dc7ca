#include "view/canvas.h"

#include "engine/piece.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void canvas_init(Canvas *canvas, bool unicode, bool color) {
    *canvas = (Canvas){.unicode = unicode, .color = color};
}

void canvas_release(Canvas *canvas) {
    free(canvas->cells);
    *canvas = (Canvas){0};
}

bool canvas_resize(Canvas *canvas, int rows, int columns, Status *status) {
    size_t wanted = (size_t)rows * (size_t)columns;
    if (wanted > canvas->capacity) {
        CanvasCell *cells = realloc(canvas->cells, wanted * sizeof *cells);
        if (!cells)
            return status_no_memory(status);
        canvas->cells = cells;
        canvas->capacity = wanted;
    }
    canvas->rows = rows;
    canvas->columns = columns;
    canvas_clear(canvas);
    return true;
}

void canvas_clear(Canvas *canvas) {
    for (int i = 0; i < canvas->rows * canvas->columns; i++)
        canvas->cells[i] = (CanvasCell){' ', STYLE_PLAIN};
}

static void set(Canvas *canvas, int row, int column, Style style, uint32_t glyph) {
    if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns)
        return;
    canvas->cells[row * canvas->columns + column] = (CanvasCell){glyph, (uint8_t)style};
}

/* The next code point of UTF-8 text; '?' for what is none. Moves *text on. */
static uint32_t next_glyph(const char **text) {
    const unsigned char *bytes = (const unsigned char *)*text;
    int more = bytes[0] < 0x80 ? 0 : bytes[0] >= 0xf0 ? 3 : bytes[0] >= 0xe0 ? 2 : 1;
    uint32_t glyph = more ? bytes[0] & (0x3fu >> more) : bytes[0];
    int read = 1;
    while (read <= more && (bytes[read] & 0xc0) == 0x80)
        glyph = glyph << 6 | (bytes[read++] & 0x3fu);
    *text += read;
    bool control = glyph < ' ' || (glyph >= 127 && glyph < 160);
    return control || read <= more || (bytes[0] >= 0x80 && bytes[0] < 0xc0) ? '?' : glyph;
}

int canvas_put(Canvas *canvas, int row, int column, Style style, const char *text) {
    while (*text) {
        uint32_t glyph = next_glyph(&text);
        set(canvas, row, column++, style, glyph < 128 || canvas->unicode ? glyph : '?');
    }
    return column;
}

int canvas_format(Canvas *canvas, int row, int column, Style style, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return canvas_put(canvas, row, column, style, line);
}

void canvas_glyph(Canvas *canvas, int row, int column, Style style, uint32_t unicode, char ascii) {
    set(canvas, row, column, style, canvas->unicode ? unicode : (unsigned char)ascii);
}

int canvas_cell_kind(char cell) {
    Piece piece = piece_from_letter((char)toupper((unsigned char)cell));
    return (int)piece; /* PIECE_NONE is 7 */
}

static void add_glyph(Text *text, uint32_t glyph) {
    if (glyph < 0x80)
        text_add_char(text, (char)glyph);
    else if (glyph < 0x800) {
        text_add_char(text, (char)(0xc0 | glyph >> 6));
        text_add_char(text, (char)(0x80 | (glyph & 0x3f)));
    } else {
        text_add_char(text, (char)(0xe0 | (glyph >> 12 & 0xf)));
        text_add_char(text, (char)(0x80 | (glyph >> 6 & 0x3f)));
        text_add_char(text, (char)(0x80 | (glyph & 0x3f)));
    }
}

void canvas_text(const Canvas *canvas, Text *text) {
    for (int row = 0; row < canvas->rows; row++) {
        const CanvasCell *cells = canvas->cells + row * canvas->columns;
        int end = canvas->columns;
        while (end > 0 && cells[end - 1].glyph == ' ')
            end--;
        for (int i = 0; i < end; i++)
            add_glyph(text, cells[i].glyph);
        text_add_char(text, '\n');
    }
}
