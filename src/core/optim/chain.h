/*
 * chain: searches that go from one genotype to the next, several of them side by side.
 *
 * sa and hill are chains. K chains advance in rounds of the same length; between rounds, in the
 * order of their numbers, their evaluations are counted and their bests offered. The evaluation
 * limit is dealt out among the chains before they start. So K chains give the same result on any
 * number of threads.
 *
 * Invariant of a chain: evaluations <= budget; `best` is the best genotype it has valued.
 */
#ifndef TETROPT_OPTIM_CHAIN_H
#define TETROPT_OPTIM_CHAIN_H

#include "optim/control.h"
#include "optim/walk.h"

typedef struct Chain {
    Walk walk; /* at the current genotype */
    Rng rng;
    const Control *control;
    unsigned char *best;
    double best_fitness;
    uint64_t budget, evaluations, counted; /* counted: those already spent in the run */
    uint64_t steps;
    double temperature;
    bool ended;
    OptimEnd end; /* why, when it ended by itself */
} Chain;

enum { CHAIN_ROUND = 1024 }; /* steps in a round; a barrier costs about ten of them */

/* Does at most CHAIN_ROUND steps, or fewer when the chain ends or the run is cut. */
typedef void ChainRound(Chain *chain, void *scratch);

/* Memory for a chain; chain_release also after a failure. */
bool chain_init(Chain *chain, const Control *control, Status *status);
void chain_release(Chain *chain);

/* Makes the chain ready to begin anew, with generator number `stream` of `seed`; its budget is the
 * caller's to set. */
void chain_reset(Chain *chain, uint64_t seed, uint64_t stream);

/* Where chain number `index` of a run starts: the given genotypes in turn, or NULL. */
const void *chain_start(const Control *control, size_t index);

/* Puts the chain at `genotype`, or at a random one drawn from its generator when NULL. This is one
 * evaluation; a chain whose budget is spent ends instead. False when the chain has ended. */
bool chain_begin(Chain *chain, void *scratch, const void *genotype);

/* The value of the walk's pending change: counts it and remembers the genotype when it is the best
 * of the chain; ends the chain when that reaches the target of the run. The budget must not be
 * spent. */
double chain_value(Chain *chain, void *scratch);

/* Ends the chain when its budget is spent; true then. */
bool chain_spent(Chain *chain);

void chain_end(Chain *chain, OptimEnd end);

/* Runs all chains to their end. A chain that `round` meets without evaluations has not begun yet.
 */
void chain_run_all(Control *control, Chain *const *chains, size_t count, ChainRound *round);

#endif
