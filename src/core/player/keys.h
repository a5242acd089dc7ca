/*
 * keys: a piece moved by random key presses, as `random` and the bees play.
 *
 * Every step presses left, right, down or clockwise with equal chance, of those that do something;
 * where the piece rests it locks with chance 0.3 instead. The way is kept as a trail of positions,
 * so that presses can be taken back.
 */
#ifndef TETROPT_PLAYER_KEYS_H
#define TETROPT_PLAYER_KEYS_H

#include "base/rng.h"
#include "engine/board.h"

typedef struct KeysPosition {
    uint8_t rotation;
    int8_t x, y;
} KeysPosition;

/* A walk that has not locked after this many positions falls straight down. The mean is near 100.
 */
enum { KEYS_MAX = 1024 };

typedef struct KeysTrail {
    int count;
    KeysPosition positions[KEYS_MAX];
} KeysTrail;

/* A trail of one position, the spawn. */
void keys_begin(KeysTrail *trail, const Board *board);

/* Presses keys from the last position of the trail until the piece locks; it locks where the trail
 * ends then. The piece must fit at the start. */
void keys_walk(KeysTrail *trail, const Board *board, Piece piece, Rng *rng);

#endif
