/*
 * board_view: boards drawn as text, with colour where the terminal has it. For output that scrolls
 * or goes to a file; a board that changes in place is for field_view.
 */
#ifndef TETROPT_TERM_BOARD_VIEW_H
#define TETROPT_TERM_BOARD_VIEW_H

#include "base/text.h"
#include "engine/grid.h"

/* Draws rows 0..rows-1 of the grid between walls, top first; a full row, which is about to go, ends
 * with `<`. `color` uses ANSI 256-colour blocks, else letters. Small letters are cells of earlier
 * pieces: blocks without a letter. */
void board_view_draw(const Grid *grid, int rows, bool color, Text *text);

/* The same for up to `count` grids side by side, a title over each. */
void board_view_draw_row(const Grid *const *grids, const char *const *titles, int count, int rows,
                         bool color, Text *text);

#endif
