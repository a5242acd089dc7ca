/*
 * perft: counts sequences of placements, ply by ply: the check of the move generator and its
 * benchmark.
 *
 * A node at depth d is a sequence of placements of the first d pieces, distinct by the cells
 * filled; full lines are cleared after each. A piece whose spawn is blocked has no placements; a
 * lock-out does not end the count. With hold a turn offers the current piece and the one that hold
 * would bring; the same letter counts once, as played without hold. Nothing is remembered between
 * nodes: the rate says how fast placements are found. At the last ply they are counted without
 * being made.
 */
#ifndef TETROPT_MOVEGEN_PERFT_H
#define TETROPT_MOVEGEN_PERFT_H

#include "base/progress.h"
#include "engine/columns.h"
#include "engine/game.h"
#include "movegen/kernel.h"

enum { PERFT_MAX_DEPTH = 32 };

/* Of `rules` the set, hold, rotate180, kicks and all_spin are used; the size is that of the board.
 */
typedef struct PerftTask {
    const uint8_t *pieces; /* the queue, the first one current */
    int piece_count;
    int depth; /* 1..PERFT_MAX_DEPTH */
    Rules rules;
    bool labels;          /* the same cells with another spin label count as another placement */
    const Kernel *kernel; /* NULL: the best */
    /* Reports parts of 1e15 of the work and checks for a stop; NULL: nobody watches. */
    const ProgressWatch *watch;
} PerftTask;

/* Writes the nodes at depth 1..depth to nodes[0..depth-1]. False when it was stopped. */
bool perft_run(const PerftTask *task, const Columns *columns, uint64_t *nodes);

#endif
