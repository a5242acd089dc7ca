/*
 * placement: where a piece locks, and the keys that a player can press. Plain values.
 *
 * The same cells can be written in several ways, since states of I, O, S and Z look alike; code
 * that compares placements converts them to the canonical one first.
 */
#ifndef TETROPT_ENGINE_PLACEMENT_H
#define TETROPT_ENGINE_PLACEMENT_H

#include "engine/piece.h"

#include <stdbool.h>

typedef enum Spin { SPIN_NONE, SPIN_MINI, SPIN_FULL, SPIN_COUNT } Spin;

typedef struct Placement {
    uint8_t piece, rotation;
    int8_t x, y; /* the rotation centre */
    uint8_t spin;
} Placement;

/* One turn of a player: hold or not, then lock a piece there. */
typedef struct Move {
    Placement placement;
    bool hold;
} Move;

typedef enum Key {
    KEY_LEFT,
    KEY_RIGHT,
    KEY_CLOCKWISE,
    KEY_COUNTER,
    KEY_TURN_180, /* only where the rules allow it */
    KEY_SOFT_DROP,
    KEY_HARD_DROP,
    KEY_HOLD,
    KEY_COUNT
} Key;

/* "left", "right", "cw", "ccw", "180", "down", "drop", "hold". */
extern const char *const key_names[KEY_COUNT];
extern const char *const spin_names[SPIN_COUNT];

/* The key of a name, or -1. */
int key_from_name(const char *name);

/* The same cells written with the state that stands first (see piece_canonical_rotation). */
Placement placement_canonical(Placement placement);

/* True when both fill the same cells. */
bool placement_same_cells(Placement a, Placement b);

#endif
