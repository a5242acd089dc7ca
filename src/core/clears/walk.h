/*
 * walk: which queues can go from the start of a graph to its goal.
 *
 * Queues are walked piece by piece in sorted order, so that a common beginning is walked once, with
 * the set of all nodes that it can have reached. An empty hold is the same as a hold that already
 * has the next piece of the queue, so a position is a node and a held piece. For the last few
 * pieces every node knows the set of all piece orders that lead to the goal, as bits, and the sets
 * of nodes become sets of orders.
 */
#ifndef TETROPT_CLEARS_WALK_H
#define TETROPT_CLEARS_WALK_H

#include "clears/graph.h"

typedef struct Walk Walk;

/* The memory for the sets of orders: much for one walk over many queues, little for many walks. */
enum { WALK_MANY_BYTES = 96 << 20, WALK_FEW_BYTES = 16 << 10 };

/* Prepares for queues of `length` pieces; the graph must outlive it. `threads` of them can walk at
 * once. NULL with `status`: no memory. */
Walk *walk_new(const Graph *graph, int length, bool hold, size_t order_bytes, unsigned threads,
               Status *status);
void walk_free(Walk *walk); /* NULL is allowed */

/* Sets solved[i] (for first <= i < last) to 1 for queues that reach the goal and to 0 for others;
 * returns how many do. `worker` (< threads) names the scratch memory. */
size_t walk_range(Walk *walk, const Queues *queues, size_t first, size_t last, unsigned worker,
                  uint8_t *solved);

#endif
