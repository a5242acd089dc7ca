/*
 * stock: the sets of pieces (which and how many) that the queues of a pattern can place.
 *
 * With hold, what was placed after k pieces is the first k + 1 of the queue without any one of
 * them, or all of a queue that ended. Searches use this to leave out what no queue can bring; in
 * which order the pieces came is checked by clears/walk.
 */
#ifndef TETROPT_CLEARS_STOCK_H
#define TETROPT_CLEARS_STOCK_H

#include "clears/area.h"
#include "clears/pattern.h"

/* Counts of the pieces, four bits each. */
typedef uint32_t PieceCounts;

#define COUNTS_ONE(piece) ((PieceCounts)1 << (4 * (piece)))

/* Every set of pieces that is part of one which some queue can place. */
typedef struct Stock {
    PieceCounts *counts; /* sorted; the first is the empty set */
    /* For every set and piece, the number of the set with one more; -1: not part of any. */
    int32_t (*next)[PIECE_COUNT];
    uint8_t *change; /* see find_changes */
    bool *placed;    /* some queue can have placed exactly this set at some time */
    size_t count;
    int pieces;
} Stock;

/* For `pieces` placements. False with `status`: no memory. On success the caller calls
 * stock_release. */
bool stock_init(Stock *stock, const Queues *queues, int pieces, bool hold, Status *status);
void stock_release(Stock *stock);

#endif
