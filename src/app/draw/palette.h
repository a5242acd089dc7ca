/*
 * palette: every colour of the program: pieces, series of plots, both themes, and the terminal.
 *
 * Pictures, plots, report pages and terminal views take their colours from here. The web UI gets
 * them as web/src/palette.css, which scripts/page-palette writes from this table.
 */
#ifndef TETROPT_DRAW_PALETTE_H
#define TETROPT_DRAW_PALETTE_H

#include "base/text.h"

#include <stdint.h>

enum { PALETTE_SERIES_COUNT = 8, PALETTE_KINDS = 8 };

/* What a colour is for. Kinds of cells are those of palette_kind. */
typedef enum PaletteColor {
    PALETTE_NONE,
    PALETTE_SERIES, /* + the number of the series */
    PALETTE_TEXT = PALETTE_SERIES + PALETTE_SERIES_COUNT,
    PALETTE_SOFT,      /* secondary text, axes, walls */
    PALETTE_LINES,     /* grid lines, borders */
    PALETTE_CARD,      /* behind text, plots and boards */
    PALETTE_PAGE,      /* around cards and boards */
    PALETTE_FIELD,     /* empty cells in the web UI */
    PALETTE_GHOST,     /* where the piece would land; borders of controls */
    PALETTE_ACCENT,    /* links, selection */
    PALETTE_ON_ACCENT, /* text on it */
    PALETTE_ERROR,
    PALETTE_PIECE,                                 /* + kind */
    PALETTE_MUTED = PALETTE_PIECE + PALETTE_KINDS, /* + kind: cells of earlier pieces */
    PALETTE_EDGE = PALETTE_MUTED + PALETTE_KINDS,  /* + kind: around a piece */
    PALETTE_COUNT = PALETTE_EDGE + PALETTE_KINDS
} PaletteColor;

/* 0..6 for the letters of the pieces, large or small; 7 for given cells. */
int palette_kind(char cell);

/* 0xRRGGBB. Pieces look the same in both themes, their edges do not. */
uint32_t palette_rgb(PaletteColor color, bool dark);

/* The colour as SVG and CSS write it: #rrggbb, or var(--NAME), which palette_css defines. */
void palette_add(Text *text, PaletteColor color, bool variable);

/* Adds a CSS declaration (--NAME:#rrggbb;) for every colour. */
void palette_css(bool dark, Text *css);

/* The number of a kind of cell on a terminal of 256, 16 or 8 colours, and that of letters on it. */
int palette_terminal(int kind, int colors);
int palette_terminal_letter(int kind, int colors);

#endif
