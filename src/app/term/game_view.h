/* game_view: a game as text: the board after every placement, side by side, as many as fit. */
#ifndef TETROPT_TERM_GAME_VIEW_H
#define TETROPT_TERM_GAME_VIEW_H

#include "base/text.h"
#include "draw/frame.h"

enum { GAME_VIEW_TITLE_BYTES = 64 };

/* "3: T east x=4 hold -1 row". */
void game_view_title(const DecodeStep *step, int number, char title[GAME_VIEW_TITLE_BYTES]);

/* Draws every placement (before the rows go; earlier pieces in small letters) with its title, as
 * many beside each other as fit into `columns`. */
void game_view_panels(const ViewGame *game, int columns, bool color, Text *text);

#endif
