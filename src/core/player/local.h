/*
 * local: what the local-search players (hill, anneal, genetic) share: every drop of the current
 * piece with its value, and the parameters that say which drops there are.
 *
 * A piece has at most a few dozen drops, so all are evaluated once at the start of a turn and the
 * search, however long, only looks values up. That is what brings anneal and genetic from the
 * published milliseconds to microseconds; their decisions are the same.
 */
#ifndef TETROPT_PLAYER_LOCAL_H
#define TETROPT_PLAYER_LOCAL_H

#include "base/options.h"
#include "player/turn.h"

typedef struct LocalDrops {
    int count;
    Placement placements[REACH_MAX];
    EvaluatorValue parts[REACH_MAX];
    double values[REACH_MAX]; /* their sums */
} LocalDrops;

/* The rows `slide` and `box`, for the parameters of each player. */
extern const OptionTable local_options;

/* What each of the players has. */
typedef struct LocalPlayer {
    Evaluator evaluator;
    TurnSlide slide;
    LocalDrops drops;
} LocalPlayer;

/* Evaluates every drop of the current piece. There is always at least one. */
void local_evaluate(LocalPlayer *player, const AgentView *view);

/* Values that differ by less than this are equal: they differ only by rounding. */
#define LOCAL_EQUAL 1e-9

static inline Move local_decision(const LocalDrops *drops, int index) {
    return (Move){drops->placements[index], false};
}

#endif
