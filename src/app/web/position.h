/*
 * position: where a game of the web UI starts (board, next pieces, held piece) as one line of text,
 * so that it can be part of an address.
 *
 *     10x20;GG..GGGGGG/GGG.GGGGGG;TIOSZ;L
 *
 * Size; rows from the top, the last one is the floor; pieces, the current one first; held piece
 * (in lower case: hold was used in this turn; "-": nothing is held, and hold cannot be used). Each
 * part except the size can be empty.
 */
#ifndef TETROPT_WEB_POSITION_H
#define TETROPT_WEB_POSITION_H

#include "engine/game.h"
#include "engine/grid.h"

enum { POSITION_MAX_PIECES = 1000 };

typedef struct Position {
    Grid start;
    uint8_t pieces[POSITION_MAX_PIECES]; /* Piece */
    size_t piece_count;
    uint8_t hold; /* Piece; PIECE_NONE: none */
    bool hold_used;
} Position;

/* False with `status` when the text is not a position. */
bool position_read(Position *position, const char *text, Status *status);

/* A list of the pieces and then whole bags from the seed, enough for the longest replay; NULL with
 * `status` when memory runs out. The caller frees it. */
uint8_t *position_list(const Position *position, uint64_t seed, size_t *count, Status *status);

#endif
