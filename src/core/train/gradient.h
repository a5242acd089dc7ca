/*
 * gradient: one weight after the other, unchanged and changed by +0.5, +0.1, -0.1, -0.5; the best
 * stays. Among equals the smaller change wins, so a weight that does not matter stays where it is.
 * Steps below the limit of a weight are left out.
 */
#ifndef TETROPT_TRAIN_GRADIENT_H
#define TETROPT_TRAIN_GRADIENT_H

#include "train/train.h"

typedef struct GradientParameters {
    double small, large;
} GradientParameters;

typedef struct GradientState {
    double current[TRAIN_MAX_WEIGHTS];
    int64_t turn; /* the weight that is next */
} GradientState;

#endif
