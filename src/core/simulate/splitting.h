/*
 * splitting: how often a one-piece controller dies, where playing until it does takes hours.
 *
 * A death is a long climb, and a long climb is many short ones. The heights between the usual stack
 * and the top of the board are cut into levels. A first run counts how often the stack comes from
 * its usual height to the first level, and keeps the boards with which it arrives; from these,
 * tries are played that either reach the next level (and give the boards to start from there) or
 * fall back to the usual height. Deaths a line are the first rate times the shares of tries that
 * climbed (fixed-effort splitting; Garvels, "The splitting method in rare event simulation", 2000).
 * The boards and independent pieces are all there is to the game, so nothing but chance is lost: a
 * million pieces tell what otherwise takes billions.
 *
 * Only for independent pieces: a bag would have to be kept with the board.
 */
#ifndef TETROPT_SIMULATE_SPLITTING_H
#define TETROPT_SIMULATE_SPLITTING_H

#include "player/drop/drop.h"

#include <stdatomic.h>

typedef struct SplittingPlan {
    RandomizerKind randomizer; /* RANDOMIZER_UNIFORM or RANDOMIZER_SZ_RANDOM */
    uint64_t seed, stream;     /* all chance comes from these */
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
    bool complete;          /* false: cut by a stop */
} SplittingEstimate;

/* False with `status` when memory runs out. */
bool splitting_estimate(const DropController *controller, const SplittingPlan *plan,
                        SplittingEstimate *estimate, Status *status);

#endif
