/*
 * chain: runs all chains for one round in parallel, then counts and offers in the order of their
 * numbers.
 *
 * A chain that runs by itself reports its start and every accepted change of the fitness; several
 * chains report once per round, because their changes have no common order.
 */
#include "optim/chain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool chain_init(Chain *chain, const Control *control, Status *status) {
    *chain = (Chain){.control = control};
    size_t walk = walk_bytes(control->problem, true);
    unsigned char *memory = control_allocate(1, walk + control->problem->genotype_bytes, status);
    if (!memory)
        return false;
    walk_init(&chain->walk, control->problem, memory, true);
    chain->best = memory + walk;
    return true;
}

void chain_release(Chain *chain) {
    free(chain->walk.genotype); /* the start of its memory */
    free(chain->moments);
    *chain = (Chain){0};
}

void chain_reset(Chain *chain, uint64_t seed, uint64_t stream) {
    chain->evaluations = chain->counted = chain->steps = 0;
    chain->temperature = 0;
    chain->best_fitness = -INFINITY;
    chain->ended = false;
    rng_init(&chain->rng, seed, stream);
}

const void *chain_start(const Control *control, size_t index) {
    size_t count = control->run->start_count;
    return count > 0 ? control_start(control, index % count) : NULL;
}

void chain_end(Chain *chain, OptimEnd end) {
    chain->ended = true;
    chain->end = end;
}

bool chain_spent(Chain *chain) {
    if (chain->evaluations == chain->budget)
        chain_end(chain, OPTIM_EVALUATIONS);
    return chain->ended;
}

/* Counts an evaluation of the walk's genotype as it is now. */
static void note(Chain *chain, double fitness) {
    assert(chain->evaluations < chain->budget && !isnan(fitness));
    const OptimRun *run = chain->control->run;
    if (fitness > chain->best_fitness) {
        chain->best_fitness = fitness;
        memcpy(chain->best, chain->walk.genotype, chain->control->problem->genotype_bytes);
        if (run->has_target && fitness >= run->target)
            chain_end(chain, OPTIM_TARGET);
    }
    chain->evaluations++;
}

bool chain_begin(Chain *chain, void *scratch, const void *genotype) {
    const Problem *problem = chain->control->problem;
    if (chain_spent(chain))
        return false;
    if (!genotype) {
        problem->random(problem, &chain->rng, chain->walk.before);
        genotype = chain->walk.before;
    }
    walk_begin(&chain->walk, scratch, genotype);
    note(chain, chain->walk.fitness);
    chain_log(chain);
    return !chain->ended;
}

void chain_log(Chain *chain) {
    if (!chain->moments)
        return;
    assert(chain->moment_count < CHAIN_MOMENTS);
    chain->moments[chain->moment_count++] = (ChainMoment){.step = chain->steps,
                                                          .evaluations = chain->evaluations,
                                                          .current = chain->walk.fitness,
                                                          .best = chain->best_fitness,
                                                          .temperature = chain->temperature};
}

void chain_keep(Chain *chain, void *scratch) {
    bool other = chain->walk.value != chain->walk.fitness;
    walk_keep(&chain->walk, scratch);
    if (other)
        chain_log(chain);
}

double chain_value(Chain *chain, void *scratch) {
    double value = walk_value(&chain->walk, scratch);
    note(chain, value);
    return value;
}

typedef struct Rounds {
    Control *control;
    Chain *const *chains;
    ChainRound *round;
} Rounds;

static void round_task(void *context, size_t first, size_t last, unsigned worker) {
    const Rounds *rounds = context;
    for (size_t i = first; i < last; i++)
        if (!rounds->chains[i]->ended)
            rounds->round(rounds->chains[i], control_scratch(rounds->control, worker));
}

/* Deals the evaluations out, the first chains get the remainder. */
static void deal(Control *control, Chain *const *chains, size_t count) {
    uint64_t left = control_left(control);
    for (size_t i = 0; i < count; i++)
        chains[i]->budget = left == UINT64_MAX ? left : left / count + (i < left % count);
}

/* Reports what a chain logged in this round; its best is that of the run. */
static void report_moments(const Control *control, Chain *chain) {
    for (size_t i = 0; i < chain->moment_count; i++) {
        const ChainMoment *moment = &chain->moments[i];
        control_report_moment(control, (Progress){.done = moment->evaluations,
                                                  .generation = moment->step,
                                                  .best = moment->best,
                                                  .current = moment->current,
                                                  .mean = moment->current,
                                                  .temperature = moment->temperature});
    }
    chain->moment_count = 0;
}

/* Counts and offers what the chains did in a round; true while one of them continues. */
static bool settle(Control *control, Chain *const *chains, size_t count) {
    Progress progress = {.current = -INFINITY};
    double sum = 0;
    size_t begun = 0;
    bool alive = false;
    uint64_t steps = 0;
    for (size_t i = 0; i < count; i++) {
        Chain *chain = chains[i];
        control_spend(control, chain->evaluations - chain->counted);
        chain->counted = chain->evaluations;
        steps += chain->steps;
        alive |= !chain->ended;
        if (chain->evaluations == 0)
            continue;
        control_offer(control, chain->best, chain->best_fitness);
        begun++;
        sum += chain->walk.fitness;
        if (chain->walk.fitness > progress.current) {
            progress.current = chain->walk.fitness;
            progress.temperature = chain->temperature;
        }
        if (chain->steps > progress.generation)
            progress.generation = chain->steps;
    }
    control->outcome->generations = steps;
    if (count == 1)
        report_moments(control, chains[0]);
    if (begun > 0) {
        progress.mean = sum / (double)begun;
        control_report(control, progress);
    }
    return alive;
}

bool chain_run_all(Control *control, Chain *const *chains, size_t count, ChainRound *round,
                   Status *status) {
    Rounds rounds = {control, chains, round};
    if (count == 1 && control->run->report) {
        chains[0]->moments = control_allocate(CHAIN_MOMENTS, sizeof(ChainMoment), status);
        if (!chains[0]->moments)
            return false;
    }
    deal(control, chains, count);
    bool alive;
    do { /* at least one round: even a run that is stopped at once has a best */
        pool_run(control->run->pool, count, 1, round_task, &rounds);
        alive = settle(control, chains, count);
    } while (alive && !control_over(control));
    if (alive || control_over(control))
        return true;
    /* Every chain ended by itself: patience only when all of them ran out of it. */
    OptimEnd end = OPTIM_PATIENCE;
    for (size_t i = 0; i < count; i++)
        if (chains[i]->end != OPTIM_PATIENCE)
            end = chains[i]->end;
    control->outcome->end = end;
    return true;
}
