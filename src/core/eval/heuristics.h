/*
 * heuristics: the nine numbers by which offline solving evaluates a final board.
 *
 * Names and definitions are docs/RULES.md's, with one line each in heuristics.c. One walk from the
 * top row to the floor with a 16-lane vector, one lane per column, finds all of them; see the body.
 * The reference implementation in the tests counts cell by cell.
 */
#ifndef TETROPT_EVAL_HEURISTICS_H
#define TETROPT_EVAL_HEURISTICS_H

#include "engine/board.h"

typedef enum Heuristic {
    HEURISTIC_BLOCKS,
    HEURISTIC_WEIGHTED_BLOCKS,
    HEURISTIC_CLEARABLE_LINES,
    HEURISTIC_ROUGHNESS,
    HEURISTIC_COLUMN_HOLES,
    HEURISTIC_CONNECTED_HOLES,
    HEURISTIC_BLOCKS_ABOVE_HOLES,
    HEURISTIC_PIT_HOLE_PERCENT,
    HEURISTIC_DEEPEST_WELL,
    HEURISTIC_COUNT
} Heuristic;

/* All integers except the ratio pits/(pits+holes), kept as its two parts. */
typedef struct Heuristics {
    int values[HEURISTIC_COUNT]; /* [HEURISTIC_PIT_HOLE_PERCENT] is unused */
    int pits, holes;
} Heuristics;

extern const char *const heuristic_names[HEURISTIC_COUNT];
extern const char *const heuristic_meanings[HEURISTIC_COUNT];

/* The heuristics of a board without full rows. */
void heuristics_measure(const Board *board, Heuristics *heuristics);

/* The same compiled for this CPU, for those who know board_highest; code that measures millions of
 * boards asks for it once. */
typedef void HeuristicsMeasure(const Board *board, int highest, Heuristics *heuristics);
HeuristicsMeasure *heuristics_measure_here(void);

/* The value of one heuristic as the fitness uses it. */
static inline double heuristics_value(const Heuristics *heuristics, Heuristic which) {
    if (which != HEURISTIC_PIT_HOLE_PERCENT)
        return heuristics->values[which];
    int sum = heuristics->pits + heuristics->holes;
    return sum ? (double)heuristics->pits / sum : 0.0;
}

#endif
