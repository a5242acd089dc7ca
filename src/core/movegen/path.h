/*
 * path: the key presses that bring a piece from its spawn to a placement.
 *
 * Both searches walk positions (column, row, state) one press at a time; the sets of positions
 * where the piece fits are computed once as bits. The scratch memory is the caller's and needs no
 * preparation; one can serve any number of calls.
 */
#ifndef TETROPT_MOVEGEN_PATH_H
#define TETROPT_MOVEGEN_PATH_H

#include "engine/columns.h"
#include "engine/kicks.h"
#include "engine/placement.h"

enum {
    PATH_ROWS = 64, /* at least BOARD_MAX_ROWS, and a word holds them */
    PATH_POSITIONS = ROTATION_COUNT * BOARD_MAX_WIDTH * PATH_ROWS,
    PATH_LASTS = 3, /* what the last press was: a move, a rotation, a rotation by the fifth kick */
    PATH_KEYS_MAX = PATH_POSITIONS /* no position is visited twice, and there are fewer */
};

typedef struct PathScratch {
    const KickTable *table; /* of the present call; NULL: SRS */
    /* Bit y: the piece fits with its centre there. */
    uint64_t fits[ROTATION_COUNT][BOARD_MAX_WIDTH];
    union {
        struct { /* path_fewest: how each state was reached, and the states in that order */
            uint16_t parent[PATH_POSITIONS * PATH_LASTS], queue[PATH_POSITIONS * PATH_LASTS];
            uint8_t key[PATH_POSITIONS * PATH_LASTS];
        };
        struct { /* path_turn_first: what it costs from each position to the goal */
            uint16_t cost[PATH_POSITIONS];
            uint16_t next[PATH_POSITIONS], previous[PATH_POSITIONS]; /* of the same bucket */
        };
    };
} PathScratch;

/* Writes the fewest presses (Key) that lock the piece in the cells of `goal`, with its spin label
 * if `with_spin`: left, right, rotations, soft drops of one row each, and a hard drop at the end.
 * Returns their number, or -1 when there is no way; `moves` as in reach.h. Of equally short ways
 * always the same one is taken. */
int path_fewest(const Columns *columns, Placement goal, unsigned moves, bool with_spin,
                PathScratch *scratch, uint8_t keys[PATH_KEYS_MAX]);

/* The same by A* from the goal back to the spawn, so that the piece is rotated and moved at the top
 * and slides in late only where it must: a row of descent before the hard drop costs 6, whatever
 * key causes it, and every press but a soft drop 1. Of the cheapest ways the one that rotates
 * first, then moves sideways, then falls. A goal that can be dropped straight to never takes a key
 * after the first row of descent. Spin labels are ignored. Under SRS+ as path_fewest. */
int path_turn_first(const Columns *columns, Placement goal, unsigned moves, PathScratch *scratch,
                    uint8_t keys[PATH_KEYS_MAX]);

#endif
