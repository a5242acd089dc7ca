/*
 * panel: draws one board with cairo. The unit is a cell: the caller has scaled the context. Only
 * built where cairo is.
 */
#ifndef TETROPT_DRAW_PANEL_H
#define TETROPT_DRAW_PANEL_H

#include "draw/frame.h"

#include <cairo.h>

/* Around the board itself: a line of text above it, the walls and the marks of full rows beside it.
 */
#define PANEL_TITLE 1.75
#define PANEL_SIDE 0.6
#define PANEL_FOOT 0.5

/* Narrow boards get wider panels, so that a title fits. */
enum { PANEL_MIN_COLUMNS = 9 };

/* The size of a panel, in cells. */
double panel_width(const Grid *grid);
double panel_height(int rows);

typedef struct PanelTitle {
    const char *left, *right; /* bold, light; may be NULL */
} PanelTitle;

/* Draws the lowest `rows` rows of the frame with its upper left corner at the origin. The cells of
 * step `fresh` are the ones just placed (0: none, everything in full colour). */
void panel_draw(cairo_t *cairo, const Frame *frame, int rows, int fresh, PanelTitle title);

/* Sets the colour 0xRRGGBB. */
void panel_color(cairo_t *cairo, uint32_t color);

/* Of text and lines, of lighter ones, and of the page behind panels. */
enum { PANEL_INK = 0x23272e, PANEL_INK_LIGHT = 0x6b7380, PANEL_PAPER = 0xfbfbf9 };

#endif
