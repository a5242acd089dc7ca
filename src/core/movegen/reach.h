/*
 * reach: every place where a piece can lock.
 *
 * Under `guideline` that is each resting place that left, right, soft drop and rotations with the
 * kicks of the Super Rotation System reach from the spawn; under `drop` each rotation and column,
 * straight down from above the board. Placements are distinct by the cells they fill and written in
 * the state that stands first (piece_canonical_rotation). A piece whose spawn is blocked has no
 * placements. Placements that lock out (reach_locks_out) are listed: whether they end the game is
 * for the caller to say.
 *
 * The board must be at most height + 20 rows high and may have full rows.
 */
#ifndef TETROPT_MOVEGEN_REACH_H
#define TETROPT_MOVEGEN_REACH_H

#include "engine/columns.h"
#include "engine/placement.h"

enum {
    /* 4 states, 16 columns, and in a column of 60 rows at most every second one is a rest. */
    REACH_MAX = ROTATION_COUNT * BOARD_MAX_WIDTH * (BOARD_MAX_ROWS / 2),
    REACH_SPINS_MAX = REACH_MAX * SPIN_COUNT,
    DROP_MAX = ROTATION_COUNT * BOARD_MAX_WIDTH
};

/* The number of placements of the piece. `moves` (rules_moves in engine/game.h) says how it moves:
 * 0 and `false` by SRS, 1 and `true` with 180-degree rotations too. */
int reach_count(const Columns *columns, Piece piece, unsigned moves);

/* Writes all placements, their spin SPIN_NONE, ordered by rotation, then column, then row, each
 * from the lowest; returns their number. */
int reach_list(const Columns *columns, Piece piece, unsigned moves, Placement out[REACH_MAX]);

/* The same with every spin label under which the cells can be filled as a placement of its own,
 * ordered by label within the same cells. Only T has labels other than none, unless `moves` says
 * otherwise; what can be reached only by a spin has no entry with SPIN_NONE. */
int reach_list_spins(const Columns *columns, Piece piece, unsigned moves,
                     Placement out[REACH_SPINS_MAX]);

/* True when the cells of `placement` can be filled so, with its spin label when `with_spin`. Any of
 * the states that fill the same cells will do. */
bool reach_contains(const Columns *columns, Placement placement, unsigned moves, bool with_spin);

/* Writes the placements of the rule set `drop`: rotations north, east, south, west that differ,
 * each with its columns from the left; returns their number. What would stand out of the hidden
 * rows is left out. */
int drop_list(const Columns *columns, Piece piece, Placement out[DROP_MAX]);

/* True when the cells of `placement` are among those. */
bool drop_contains(const Columns *columns, Placement placement);

/* True when no cell is in the rows where pieces appear, are rotated and moved: then keys can make
 * every straight drop (drop_list). */
enum { REACH_FREE_ROWS = 3 };
static inline bool reach_is_open(const Columns *columns) {
    return columns_highest(columns) <= columns->height - REACH_FREE_ROWS;
}

/* True when the placement locks out under `guideline`: every cell at or above the visible height.
 */
static inline bool reach_locks_out(const Columns *columns, Placement placement) {
    return placement.y + piece_shapes[placement.piece][placement.rotation].min_y >= columns->height;
}

#endif
