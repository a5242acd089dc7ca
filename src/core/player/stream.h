/*
 * stream: a continuing stream of games. When a game tops out the next one begins on an empty board
 * with the next pieces, so millions of pieces are one loop without a Game.
 *
 * Only the counts below are kept: there is no score, level or hold.
 */
#ifndef TETROPT_PLAYER_STREAM_H
#define TETROPT_PLAYER_STREAM_H

#include "engine/columns.h"
#include "engine/randomizer.h"

enum { STREAM_AHEAD = 64 };

typedef struct GameStream {
    Columns board;
    Randomizer randomizer;
    uint8_t ahead[STREAM_AHEAD]; /* pieces drawn but not yet played */
    uint8_t ahead_next, ahead_count;
    bool out_of_pieces;
    int64_t pieces;        /* placed; the piece that tops out is not */
    int64_t lines, deaths; /* deaths: games that topped out */
    int64_t clears[4];     /* placements that cleared 1, 2, 3, 4 lines */
    uint64_t signature;    /* folds every placement and every top-out */
} GameStream;

/* An empty board and no game ended yet. The randomizer is copied. */
static inline void stream_init(GameStream *stream, int width, int height,
                               const Randomizer *randomizer) {
    *stream = (GameStream){.randomizer = *randomizer};
    stream->board.width = (uint8_t)width;
    stream->board.height = (uint8_t)height;
}

#endif
