/*
 * thoughts: the best placements of a position by an evaluator, with their values and features, for
 * display. For showing; players search in their own ways.
 */
#ifndef TETROPT_LIVE_THOUGHTS_H
#define TETROPT_LIVE_THOUGHTS_H

#include "player/player.h"

enum { THOUGHTS_MAX = 8 };

typedef struct Thought {
    Move decision;
    double value;
    double features[EVALUATOR_MAX]; /* of the evaluator's kind */
} Thought;

typedef struct Thoughts {
    const EvaluatorKind *kind;
    Thought best[THOUGHTS_MAX]; /* the best first; of equals the first found */
    int count;
    int placements; /* that there are */
} Thoughts;

/* Evaluates every placement of the turn. */
void thoughts_of(const AgentView *view, const Evaluator *evaluator, Thoughts *thoughts);

/* Evaluates one placement, whether it is among the best or not. */
Thought thoughts_evaluate(const AgentView *view, const Evaluator *evaluator, Move decision);

#endif
