/*
 * queens: n queens on an n x n board, none attacking another, as a problem for the optimisers.
 *
 * A genotype is a permutation: the queen of row r stands in column columns[r] (int16_t). So rows
 * and columns are right by construction and only diagonals are left; the fitness is minus the
 * number of pairs on one diagonal, 0 for a solution. A neighbour swaps two rows, and its fitness
 * follows from the number of queens on eight diagonals: the ledger counts the queens on each.
 */
#ifndef TETROPT_PROBLEM_QUEENS_H
#define TETROPT_PROBLEM_QUEENS_H

#include "base/status.h"
#include "base/text.h"
#include "problem/problem.h"

enum { QUEENS_MAX = 10000, QUEENS_DRAW_MAX = 40 };

typedef struct Queens {
    Problem problem; /* its data points to this struct: do not copy */
    int n;
} Queens;

/* Makes the problem of n queens, 1..QUEENS_MAX. Owns no memory. */
bool queens_init(Queens *queens, int n, Status *status);

/* Pairs of queens that share a diagonal; `counters` has room for 2 * (2n - 1) int32_t. */
int64_t queens_conflicts(int n, const int16_t *columns, int32_t *counters);

/* Builds a solution queen by queen: each goes to the free square of the board that leaves the most
 * free squares, ties at random; a row without a queen and a free square means a new start. With
 * seed 1 it takes 5 starts for n = 8, 1 for n = 100 (1 ms) and 4 for n = 1000 (8 s). Ends after
 * `attempts_max` starts (0: no limit) or when cut. True with `columns` filled on success; *attempts
 * counts the starts, the last one included. False with `status` when memory runs out
 * (STATUS_SYSTEM) or no solution was found (STATUS_UNMET). */
bool queens_greedy(int n, uint64_t seed, uint64_t attempts_max, ProblemCut cut, int16_t *columns,
                   uint64_t *attempts, Status *status);

/* Draws the board, one line per row: 'Q' and '.'. */
void queens_draw(int n, const int16_t *columns, Text *text);

#endif
