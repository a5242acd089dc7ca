/*
 * splitting: estimates how often an agent with a `stream` tops out, where games take hours.
 *
 * A top-out is a long climb of the stack, and a long climb is many short ones. The heights between
 * the usual stack and the top of the board are divided into levels. A first run counts how often
 * the stack climbs from its usual height to the first level, and keeps the boards with which it
 * arrives; from these, tries are played that either reach the next level (and give the boards to
 * start from there) or fall back to the usual height. Top-outs per line are the first rate times
 * the shares of tries that climbed (fixed-effort splitting; Garvels, "The splitting method in rare
 * event simulation", 2000). The board and the visible pieces are the whole state of a game with
 * independent pieces, so the estimate is unbiased: a million pieces give what otherwise takes
 * billions.
 *
 * Only for independent pieces: a bag would have to be kept with the board.
 */
#ifndef TETROPT_SIMULATE_SPLITTING_H
#define TETROPT_SIMULATE_SPLITTING_H

#include "player/player.h"

#include <stdatomic.h>

typedef struct SplittingPlan {
    const Agent *agent; /* one with `stream` */
    void *player;       /* of that agent */
    int width, height;
    RandomizerKind randomizer; /* RANDOMIZER_UNIFORM or RANDOMIZER_SZ_RANDOM */
    uint64_t seed, stream;     /* all randomness comes from these */
    int level_rows;            /* from one level to the next: fewer where climbs are rarer */
    int tries;                 /* at every level, at most SPLITTING_MAX_TRIES */
    int64_t longest;           /* a try of that many pieces counts as one that climbed; at most
                                  SPLITTING_LONGEST */
    const atomic_bool *stop;   /* may be NULL */
} SplittingPlan;

enum { SPLITTING_MAX_TRIES = 4096 };
#define SPLITTING_LONGEST 1000000000000

typedef struct SplittingEstimate {
    double deaths_per_line; /* a level that no try reached counts as reached by one */
    int64_t pieces, lines;  /* played for it */
    bool complete;          /* false: stopped early */
} SplittingEstimate;

/* False with `status` when memory runs out. */
bool splitting_estimate(const SplittingPlan *plan, SplittingEstimate *estimate, Status *status);

#endif
