/* frames: a game step by step as JSON, for a page that only draws. */
#ifndef TETROPT_WEB_FRAMES_H
#define TETROPT_WEB_FRAMES_H

#include "draw/frame.h"
#include "io/json.h"

/* An array with one object a step: piece, hold, cells (of the piece, [x, y] with y from the floor),
 * rows (that go), lines (removed so far), board (after it, top row first). NULL: no memory. */
json_t *frames_json(const ViewGame *game);

/* The cells of a piece: [[x, y], ...]. */
json_t *frames_cells(Placement placement);

#endif
