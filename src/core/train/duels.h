/*
 * duels: the objective of agents whose weights are parameters (Agent.trained), such as the bot: a
 * trial is a game of a match against the same agent with the weights of the start.
 *
 * Trials 2k and 2k + 1 are a mirrored pair: the same pieces, sides swapped. What counts is the
 * share of points (a draw is half a point), or the lines sent per piece (APP).
 */
#ifndef TETROPT_TRAIN_DUELS_H
#define TETROPT_TRAIN_DUELS_H

#include "match/rules.h"
#include "player/setup.h"
#include "train/objective.h"

typedef struct TrainDuels {
    const Setup *player; /* who is trained */
    const double *start; /* the weights of its opponent, in the order of the table */
    MatchRules rules;
    bool by_attack;          /* APP counts, not points */
    const atomic_bool *stop; /* may be NULL */
} TrainDuels;

/* The names of the weights of an agent, as a kind of features for training; no player evaluates
 * boards by it. `names` receives them and must stay. */
void duels_kind(const Agent *agent, const char **names, EvaluatorKind *kind);

/* The weights that its parameters have. */
void duels_weights(const Setup *player, double *weights);

/* Weights as they are played: whole numbers within their ranges. */
int64_t duels_weight(const Agent *agent, int index, double weight);

/* `duels` must stay where it is. */
TrainObjective duels_objective(const TrainDuels *duels);

#endif
