/* frames: a game step by step as JSON, for drawing. */
#ifndef TETROPT_WEB_FRAMES_H
#define TETROPT_WEB_FRAMES_H

#include "draw/frame.h"
#include "formats/replay.h"

typedef struct JsonWriter JsonWriter;

/* Writes an array with one object per step, `count` of them from `first` on: piece, hold, cells (of
 * the piece, [x, y] with y from the floor), rows (that are cleared), lines (cleared so far), board
 * (after it, top row first) and, where a replay of the game is given, keys. */
void frames_write(JsonWriter *w, const char *name, const ViewGame *game, const Replay *replay,
                  int first, int count);

#endif
