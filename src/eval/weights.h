/*
 * weights: what a controller gives for each feature, the published sets, and the exact form in
 * which they are summed.
 *
 * Weights are decimals of some six digits; in floating point their sums would depend on the order
 * of the terms, and two placements that tie on paper would not tie in the machine. So a controller
 * works with whole numbers: a weight is rounded to a multiple of 10^-k, with the largest k at which
 * all fit WEIGHTS_FIXED_LIMIT, and sums are exact in 64 bits. Every published set but el-tetris
 * (15 digits, kept to 6) is represented exactly.
 */
#ifndef TETROPT_EVAL_WEIGHTS_H
#define TETROPT_EVAL_WEIGHTS_H

#include "eval/features.h"

typedef struct Weights {
    double values[FEATURE_COUNT];
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

/* The weights times 2 x 10^decimals (landing height, in half rows, times 10^decimals). */
typedef struct FixedWeights {
    int32_t values[FEATURE_COUNT];
    int decimals; /* negative for weights of a hundred million and more */
} FixedWeights;

/* Every weight must be finite. */
FixedWeights weights_fix(const Weights *weights);

/* The weighted sum, in units of 0.5 x 10^-decimals. */
static inline int64_t weights_score(const FixedWeights *weights, const Features *features) {
    int64_t score = 0;
    for (int i = 0; i < FEATURE_COUNT; i++)
        score += (int64_t)weights->values[i] * features->values[i];
    return score;
}

#endif
