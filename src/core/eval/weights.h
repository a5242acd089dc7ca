/*
 * weights: the published weight sets of the literature's controllers, and the exact form in which
 * weighted features are summed.
 *
 * Weights are decimals of some six digits; in floating point their sums would depend on the order
 * of the terms, and two placements that tie on paper would not tie in the machine. So a controller
 * works with integers: a weight is rounded to a multiple of 10^-k, with the largest k at which all
 * fit WEIGHTS_FIXED_LIMIT, and sums are exact in 64 bits. Every published set except el-tetris (15
 * digits, kept to 6) is represented exactly.
 */
#ifndef TETROPT_EVAL_WEIGHTS_H
#define TETROPT_EVAL_WEIGHTS_H

#include "eval/features.h"
#include "eval/surface.h"

typedef struct Weights {
    double values[FEATURE_COUNT];
    double surface[SURFACE_PATTERNS];
} Weights;

typedef struct WeightSet {
    const char *name;
    Weights weights;
} WeightSet;

enum { WEIGHT_SET_COUNT = 6 };

/* dellacherie, el-tetris, cma-dellacherie, bcts, dt10, dt20. */
extern const WeightSet weight_sets[WEIGHT_SET_COUNT];

#define WEIGHT_SET_CHOICES "dellacherie|el-tetris|cma-dellacherie|bcts|dt10|dt20"

/* The set called `name`, or NULL. */
const WeightSet *weight_set_find(const char *name);

/* A fixed weight stays at or below this, so that it can be cut into two factors of 16 bits, and so
 * that sums over any board have room in 64 bits. */
enum { WEIGHTS_FIXED_LIMIT = 1 << 27, WEIGHTS_MAX_DECIMALS = 8 };

/* The terms of a sum: the features of features.h, then the surface as a whole. */
enum { WEIGHTS_SURFACE = FEATURE_COUNT, WEIGHTS_TERMS };

/* The weights times 2 x 10^decimals (landing height, in half rows, times 10^decimals). Those of the
 * surface are rounded to multiples of a unit that leaves them small, so that the sum over a board
 * fits 16 bits: a table by places (surface.h) of such multiples. */
typedef struct FixedWeights {
    int32_t values[WEIGHTS_TERMS]; /* the last is that unit; 0: no weights for the surface */
    int16_t surface[SURFACE_TABLE];
    int decimals; /* negative for weights of a hundred million and more */
} FixedWeights;

enum { WEIGHTS_SURFACE_LIMIT = 1000 }; /* times 16 columns: within 16 bits with its sign */

/* Every weight must be finite. */
FixedWeights weights_fix(const Weights *weights);

/* What the surface of a board adds to weights_score. */
int64_t weights_surface_score(const FixedWeights *weights, const Columns *columns);

/* The weighted sum, in units of 0.5 x 10^-decimals. */
static inline int64_t weights_score(const FixedWeights *weights, const Features *features) {
    int64_t score = 0;
    for (int i = 0; i < FEATURE_COUNT; i++)
        score += (int64_t)weights->values[i] * features->values[i];
    return score;
}

#endif
