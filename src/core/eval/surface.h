/*
 * surface: the surface of a stack as counts of small patterns.
 *
 * A column's pattern is the pair of steps beside it: from its left neighbour up to it, and from it
 * up to its right neighbour, each limited to -3..3; walls are far higher than any column. A pattern
 * and its mirror image are the same, so there are 28. How many columns show each pattern is a
 * feature, and a controller that gives every pattern its own weight knows which surfaces fit the
 * pieces to come, where sums of steps or of well depths only know how rough a surface is.
 */
#ifndef TETROPT_EVAL_SURFACE_H
#define TETROPT_EVAL_SURFACE_H

#include "engine/columns.h"

enum {
    SURFACE_STEP = 3,                     /* longer steps count as this long */
    SURFACE_STEPS = 2 * SURFACE_STEP + 1, /* numbered from 0, the longest way down */
    SURFACE_PATTERNS = 28,
    SURFACE_TABLE = 64 /* places for the pairs: 8 x first step + second */
};

/* The place of a pair of numbered steps in a table. */
static inline int surface_place(int first, int second) {
    return 8 * first + second;
}

/* The number of the pattern of that pair. */
static inline int surface_pattern(int first, int second) {
    int sum = first + second, last = SURFACE_STEPS - 1;
    if (sum > last) {
        int mirrored = last - second;
        sum = 2 * last - sum;
        first = mirrored;
    }
    return sum * (sum + 1) / 2 + first;
}

/* The numbered step between columns of these heights. */
static inline int surface_step(int from, int to) {
    int step = to - from;
    step = step < -SURFACE_STEP ? -SURFACE_STEP : step > SURFACE_STEP ? SURFACE_STEP : step;
    return step + SURFACE_STEP;
}

/* Writes the place of every column's pair of steps. */
void surface_places(const Columns *columns, int places[BOARD_MAX_WIDTH]);

#endif
