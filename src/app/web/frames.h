/* frames: a game step by step as JSON, for drawing. */
#ifndef TETROPT_WEB_FRAMES_H
#define TETROPT_WEB_FRAMES_H

#include "draw/frame.h"
#include "formats/replay.h"

typedef struct JsonWriter JsonWriter;

/* The pieces of a game in the order in which they came, and the one that was held at the start. */
typedef struct FrameQueue {
    const uint8_t *pieces; /* Piece */
    size_t count;
    uint8_t hold; /* Piece; PIECE_NONE: none */
    bool holds;   /* the game has hold */
} FrameQueue;

/* Writes the members pieces (letters), held (at the start) and holds. */
void frames_write_queue(JsonWriter *w, const FrameQueue *queue);

/* Writes an array with one object per step, `count` of them from `first` on: piece, hold, place
 * (rotation, x and y of its centre), cells (of the piece, [x, y] with y from the floor), rows (that
 * are cleared), lines (cleared so far), garbage (rows that came up, if any), board (after it, top
 * row first), at (pieces of the queue that came before the next one), held (after it) and, where a
 * replay of the game is given, keys.
 */
void frames_write(JsonWriter *w, const char *name, const ViewGame *game, const FrameQueue *queue,
                  const Replay *replay, int first, int count);

#endif
