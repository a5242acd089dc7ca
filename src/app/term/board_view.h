/*
 * board_view: boards as text, with colour where the terminal has it. For output that scrolls or
 * goes to a file; field_view draws boards that change in place.
 */
#ifndef TETROPT_TERM_BOARD_VIEW_H
#define TETROPT_TERM_BOARD_VIEW_H

#include "base/text.h"
#include "draw/frame.h"

enum { BOARD_VIEW_TITLE_BYTES = 64, BOARD_VIEW_LEAST_ROWS = 4 };

/* "3: T east x=4 hold -1 line". */
void board_view_title(const DecodeStep *step, int number, char title[BOARD_VIEW_TITLE_BYTES]);

/* Draws the lowest `rows` rows (at least BOARD_VIEW_LEAST_ROWS) between walls, top first; a full
 * row ends with `<`. `color` uses ANSI 256-colour blocks, else letters. Small letters are cells of
 * earlier pieces: blocks without a letter. */
void board_view_draw(const Grid *grid, int rows, bool color, Text *text);

/* Draws a game: the board after every placement, before its lines are cleared, earlier pieces in
 * small letters, with titles, as many beside each other as fit into `columns`. */
void board_view_game(const ViewGame *game, int columns, bool color, Text *text);

/* Adds the boards of two games after each move, side by side; a game that is over stays as it was.
 */
void board_view_pair(const ViewGame games[2], bool color, Text *text);

#endif
