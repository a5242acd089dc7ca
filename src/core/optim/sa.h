/*
 * sa: simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) with a tabu list and reheating.
 *
 * A step takes one neighbour. When it was evaluated recently (tabu) or changes nothing it is
 * skipped, which is a step too. Better ones are always accepted, others with probability exp(delta
 * / T). T falls every step; after a number of steps that would visit every neighbour once without
 * accepting a better one it rises every step, until there is one.
 *
 * Current and best are separate. The neighbours are visited in the order of their numbers from a
 * random place, continuing after an acceptance, so none is forgotten; `random` and `nearby` draw
 * them instead.
 */
#ifndef TETROPT_OPTIM_SA_H
#define TETROPT_OPTIM_SA_H

#include "optim/chain.h"
#include "optim/tabu.h"

typedef enum SaNeighbourhood { SA_ORDERED, SA_RANDOM, SA_NEARBY } SaNeighbourhood;

typedef struct SaParameters {
    int64_t steps, patience, tabu, reheat, chains;
    double temperature, temperature_floor, cooling;
    int neighbourhood; /* SaNeighbourhood */
} SaParameters;

typedef struct SaChain {
    Chain chain; /* first: a pointer to it is a pointer to this */
    const SaParameters *parameters;
    Tabu tabu;
    const void *start; /* NULL: a random genotype */
    uint32_t position; /* the next neighbour in order */
    uint64_t reheat_after;
    uint64_t since_better; /* steps since a better one was accepted */
    uint64_t since_best;   /* steps since the best got better */
} SaChain;

/* Memory for a chain; sa_chain_release also after a failure. */
bool sa_chain_init(SaChain *chain, const Control *control, const SaParameters *parameters,
                   Status *status);
void sa_chain_release(SaChain *chain);

/* Makes the chain ready to begin anew at `start` (NULL: a random genotype) with generator number
 * `stream` of `seed`; chain.budget is the caller's to set. */
void sa_chain_reset(SaChain *chain, const void *start, uint64_t seed, uint64_t stream);

/* A ChainRound; the first one begins. */
void sa_chain_round(Chain *chain, void *scratch);

#endif
