/*
 * canvas: a screen of characters in memory. Views draw on it and know nothing of terminals;
 * view/terminal shows it, the tests read it as text.
 *
 * Invariant: what is drawn outside is cut off, so a view need not ask at every word whether there
 * is room.
 */
#ifndef TETROPT_VIEW_CANVAS_H
#define TETROPT_VIEW_CANVAS_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

typedef enum Style {
    STYLE_PLAIN,
    STYLE_DIM,
    STYLE_BOLD,
    STYLE_WALL,
    STYLE_SELECTED, /* the chosen line of a menu */
    STYLE_WARNING,
    STYLE_FLASH, /* a row that goes */
    STYLE_CELL,  /* + a kind of cell (canvas_cell_kind): a block */
    STYLE_GHOST = STYLE_CELL + 8 /* + a kind: where the piece would land */,
    STYLE_COUNT = STYLE_GHOST + 8
} Style;

typedef struct CanvasCell {
    uint32_t glyph; /* a Unicode code point one column wide */
    uint8_t style;
} CanvasCell;

typedef struct Canvas {
    int rows, columns;
    CanvasCell *cells;
    size_t capacity;
    bool unicode; /* characters beyond ASCII may be used */
    bool color;   /* blocks show by their colour; else by their characters */
} Canvas;

void canvas_init(Canvas *canvas, bool unicode, bool color);
void canvas_release(Canvas *canvas);

/* A blank canvas of that size; its cells are lost. */
bool canvas_resize(Canvas *canvas, int rows, int columns, Status *status);
void canvas_clear(Canvas *canvas);

/* Writes UTF-8 text; without `unicode` what is not ASCII becomes '?'. Control characters become
 * '?' too: text from files must not command the terminal. Returns the column after it. */
int canvas_put(Canvas *canvas, int row, int column, Style style, const char *text);
int canvas_format(Canvas *canvas, int row, int column, Style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* One character, the first where Unicode may be used. */
void canvas_glyph(Canvas *canvas, int row, int column, Style style, uint32_t unicode, char ascii);

/* 0..6 for the letters of the pieces, 7 for given cells. */
int canvas_cell_kind(char cell);

/* The canvas as lines of text without styles, for tests and pages. */
void canvas_text(const Canvas *canvas, Text *text);

#endif
