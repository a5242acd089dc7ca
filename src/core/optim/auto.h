/*
 * auto: the default optimiser: beams and the problem's own construction first, then the hybrid. The
 * construction and beams of growing width come first; the rest of the budget goes to the hybrid,
 * started from the best found, or, for a problem that is only a tree, to wider beams and the proof.
 *
 * The budget is divided in evaluations, so a run with an evaluation limit is repeatable; a time
 * limit only ends it earlier.
 */
#ifndef TETROPT_OPTIM_AUTO_H
#define TETROPT_OPTIM_AUTO_H

#include "optim/optim.h"

typedef struct AutoParameters {
    int64_t first_effort, growth, tree_effort, effort;
} AutoParameters;

extern const Optimiser auto_optimiser;

#endif
