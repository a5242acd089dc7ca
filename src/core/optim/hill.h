/*
 * hill: hill climbing to local optima, restarted from new places.
 *
 * `steepest` values all neighbours and takes the best, `first` takes the first that is better. At a
 * genotype without a better neighbour the climb is over; the next one starts at a random genotype,
 * or, with `kick`, at the best one with a few units drawn again. `sideways` steps to neighbours
 * just as good help over plateaus, which problems that count (conflicts, clauses) are full of.
 */
#ifndef TETROPT_OPTIM_HILL_H
#define TETROPT_OPTIM_HILL_H

#include "optim/chain.h"

typedef enum HillClimb { HILL_STEEPEST, HILL_FIRST } HillClimb;

typedef struct HillParameters {
    int climb; /* HillClimb */
    int64_t restarts, patience, sideways, kick, chains;
} HillParameters;

typedef struct HillChain {
    Chain chain; /* first: a pointer to it is a pointer to this */
    const HillParameters *parameters;
    const void *start; /* of the first climb; NULL: a random genotype */
    uint32_t position; /* the next neighbour */
    uint64_t scanned;  /* neighbours seen since the last step */
    bool found;        /* steepest: a neighbour that would be accepted */
    uint32_t found_number;
    double found_value;
    int64_t sideways; /* steps to equals since the last better one */
    int64_t climbs, last_better_climb;
} HillChain;

/* Memory for a chain; hill_chain_release also after a failure. */
bool hill_chain_init(HillChain *chain, const Control *control, const HillParameters *parameters,
                     Status *status);
void hill_chain_release(HillChain *chain);

/* Makes the chain ready to begin anew at `start` (NULL: a random genotype) with generator number
 * `stream` of `seed`; chain.budget is the caller's to set. */
void hill_chain_reset(HillChain *chain, const void *start, uint64_t seed, uint64_t stream);

/* A ChainRound; the first one begins. */
void hill_chain_round(Chain *chain, void *scratch);

#endif
