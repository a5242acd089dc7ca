/*
 * offline: the objective of fitness profiles: the number of blocks left by a solver that maximises
 * the profile.
 *
 * A trial is one piece sequence, drawn from bags by its seed, and one run of an optimiser limited
 * by evaluations. What counts is the median over the lists of the blocks left at the end, whatever
 * their fitness; a piece that could not be placed counts as its four blocks. Fewer are better, so
 * the score is minus the median.
 */
#ifndef TETROPT_TRAIN_OFFLINE_H
#define TETROPT_TRAIN_OFFLINE_H

#include "eval/evaluator.h"
#include "optim/optim.h"
#include "problem/fitness.h"
#include "train/objective.h"

typedef struct TrainOffline {
    Encoding encoding;
    int width, height;
    const Optimiser *optimiser; /* with its default parameters */
    uint64_t evaluations;       /* of a run */
    const atomic_bool *stop;    /* may be NULL */
} TrainOffline;

/* The factors of a profile as features with weights, by name; only for training, no player
 * evaluates by them. */
extern const EvaluatorKind offline_kind;

/* A profile as weights of that kind, and back. */
void offline_weights(const FitnessProfile *profile, double *weights);
FitnessProfile offline_profile(const double *weights);

/* `offline` must stay where it is. The limit of pieces is the length of the lists. */
TrainObjective offline_objective(const TrainOffline *offline);

#endif
