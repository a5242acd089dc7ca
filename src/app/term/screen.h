/*
 * screen: a page of characters in memory. Views draw on it and know nothing of terminals;
 * term/terminal shows it, the tests read it as text.
 *
 * Drawing outside has no effect, so views need not check whether something fits.
 */
#ifndef TETROPT_TERM_SCREEN_H
#define TETROPT_TERM_SCREEN_H

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
    STYLE_FLASH, /* a full row */
    STYLE_CELL,  /* + a kind of cell (palette_kind): a block */
    STYLE_GHOST = STYLE_CELL + 8 /* + a kind: where the piece would land */,
    STYLE_COUNT = STYLE_GHOST + 8
} Style;

typedef struct ScreenCell {
    uint32_t glyph; /* a Unicode code point one column wide */
    uint8_t style;
} ScreenCell;

typedef struct Screen {
    int rows, columns;
    ScreenCell *cells;
    size_t capacity;
    bool unicode; /* characters beyond ASCII may be used */
    bool color;   /* blocks show by their colour; else by their characters */
} Screen;

void screen_init(Screen *screen, bool unicode, bool color);
void screen_release(Screen *screen);

/* A blank screen of that size; its cells are lost. */
bool screen_resize(Screen *screen, int rows, int columns, Status *status);
void screen_clear(Screen *screen);

/* Writes UTF-8 text; without `unicode`, other characters than ASCII become '?'. So do control
 * characters and invalid UTF-8: text from files must not control the terminal. Returns the column
 * after it. */
int screen_put(Screen *screen, int row, int column, Style style, const char *text);
int screen_format(Screen *screen, int row, int column, Style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* One character, the first where Unicode may be used. */
void screen_glyph(Screen *screen, int row, int column, Style style, uint32_t unicode, char ascii);

/* The screen as lines of text without styles, for tests and pages. */
void screen_text(const Screen *screen, Text *text);

#endif
