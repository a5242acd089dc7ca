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

/* A moment of a chain, for the log. */
typedef struct ChainMoment {
    uint64_t step, evaluations;
    double current, best, temperature;
} ChainMoment;

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
    /* Of a chain that runs by itself and whose run is reported: what happened in this round. */
    ChainMoment *moments; /* NULL: not wanted */
    size_t moment_count;
} Chain;

enum {
    CHAIN_ROUND = 1024,                 /* steps in a round; a barrier costs about ten of them */
    CHAIN_MOMENTS = 2 * CHAIN_ROUND + 2 /* a step keeps a change, begins anew, or both */
};

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

/* Keeps the walk's pending change, which was valued; logs it when the fitness is another now. */
void chain_keep(Chain *chain, void *scratch);

/* Logs the present moment, where that is wanted. */
void chain_log(Chain *chain);

/* Ends the chain when its budget is spent; true then. */
bool chain_spent(Chain *chain);

void chain_end(Chain *chain, OptimEnd end);

/* Runs all chains to their end. A chain that `round` meets without evaluations has not begun yet.
 * False with `status`: no memory. */
bool chain_run_all(Control *control, Chain *const *chains, size_t count, ChainRound *round,
                   Status *status);

#endif
