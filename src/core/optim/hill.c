/*
 * hill: a climb scans the neighbours in the order of their numbers from a random one.
 *
 * `first` takes a better neighbour at once, `steepest` the best after a complete scan. A scan
 * without a better neighbour ends the climb.
 */
#include "optim/hill.h"

#include "base/options.h"
#include "optim/registry.h"

#include <stdlib.h>
#include <string.h>

enum { CUT_EVERY = 16 }; /* steps between two checks of the clock */

static const Option rows[] = {
    PARAMETER_CHOICE(HillParameters, climb, "climb", "first", "steepest|first",
                     "a step goes to the best neighbour or to the first better one"),
    PARAMETER_INTEGER(HillParameters, restarts, "restarts", "3000", 0, 1e12,
                      "climbs after the first one"),
    PARAMETER_INTEGER(HillParameters, patience, "patience", "1000", 1, 1e12,
                      "climbs without a better best after which a chain ends"),
    TUNED_INTEGER(HillParameters, sideways, "sideways", "4", 0, 1e12, "0..100",
                  "the most steps in a row to a neighbour just as good"),
    TUNED_INTEGER(HillParameters, kick, "kick", "2", 0, 1e6, "0..6",
                  "units drawn again at a restart from the best; 0: restart from a random "
                  "genotype"),
    TUNED_INTEGER(HillParameters, chains, "chains", "2", 1, 4096, "1..16 log",
                  "independent runs side by side, the best counts"),
};

bool hill_chain_init(HillChain *chain, const Control *control, const HillParameters *parameters,
                     Status *status) {
    *chain = (HillChain){.parameters = parameters};
    return chain_init(&chain->chain, control, status);
}

void hill_chain_release(HillChain *chain) {
    chain_release(&chain->chain);
}

void hill_chain_reset(HillChain *chain, const void *start, uint64_t seed, uint64_t stream) {
    chain_reset(&chain->chain, seed, stream);
    chain->start = start;
    chain->climbs = chain->last_better_climb = 0;
}

/* Forgets the neighbours seen so far: the genotype is new. */
static void look_around(HillChain *chain) {
    chain->scanned = 0;
    chain->found = false;
}

static bool begin_climb(HillChain *chain, void *scratch, const void *genotype) {
    Chain *base = &chain->chain;
    double best = base->best_fitness;
    if (!chain_begin(base, scratch, genotype))
        return false;
    if (base->best_fitness > best)
        chain->last_better_climb = chain->climbs;
    uint32_t neighbours = base->control->problem->neighbours;
    chain->position = neighbours > 0 ? rng_below(&base->rng, neighbours) : 0;
    chain->sideways = 0;
    look_around(chain);
    return true;
}

/* The best genotype with a few units drawn again, in the walk's spare place. */
static const void *kicked(HillChain *chain) {
    Chain *base = &chain->chain;
    const Problem *problem = base->control->problem;
    void *genotype = base->walk.before;
    memcpy(genotype, base->best, problem->genotype_bytes);
    for (int64_t i = 0; i < chain->parameters->kick; i++) {
        uint32_t unit = rng_below(&base->rng, problem->units);
        problem->resample(problem, &base->rng, genotype, unit, unit + 1);
    }
    return genotype;
}

/* At a local optimum: the next climb, if there is one. */
static void next_climb(HillChain *chain, void *scratch) {
    const HillParameters *parameters = chain->parameters;
    if (chain->climbs >= parameters->restarts) {
        chain_end(&chain->chain, OPTIM_FINISHED);
    } else if (chain->climbs - chain->last_better_climb >= parameters->patience) {
        chain_end(&chain->chain, OPTIM_PATIENCE);
    } else {
        chain->climbs++;
        begin_climb(chain, scratch, parameters->kick > 0 ? kicked(chain) : NULL);
    }
}

/* True when a step to this value is accepted: it is better, or equal while sideways steps are left.
 */
static bool is_accepted(const HillChain *chain, double value) {
    double fitness = chain->chain.walk.fitness;
    return value > fitness || (value == fitness && chain->sideways < chain->parameters->sideways);
}

/* Keeps the pending change, which was valued. */
static void take(HillChain *chain, void *scratch) {
    Walk *walk = &chain->chain.walk;
    chain->sideways = walk->value > walk->fitness ? 0 : chain->sideways + 1;
    chain_keep(&chain->chain, scratch);
    look_around(chain);
}

/* All neighbours were seen and none was taken: steepest takes the best now, or the climb is over.
 */
static void finish_scan(HillChain *chain, void *scratch) {
    if (!chain->found) {
        next_climb(chain, scratch);
        return;
    }
    walk_try(&chain->chain.walk, chain->found_number);
    chain->chain.walk.value = chain->found_value;
    take(chain, scratch);
}

/* Evaluates the next neighbour. */
static void scan(HillChain *chain, void *scratch) {
    Chain *base = &chain->chain;
    uint32_t number = chain->position++;
    if (chain->position == base->control->problem->neighbours)
        chain->position = 0;
    chain->scanned++;
    base->steps++;
    if (!walk_try(&base->walk, number))
        return;
    double best = base->best_fitness;
    double value = chain_value(base, scratch);
    if (value > best) {
        chain->last_better_climb = chain->climbs;
        if (chain->parameters->climb != HILL_FIRST) /* it is not the current one yet */
            chain_log(base);
    }
    if (chain->parameters->climb == HILL_FIRST && is_accepted(chain, value)) {
        take(chain, scratch);
        return;
    }
    walk_undo(&base->walk);
    if (is_accepted(chain, value) && (!chain->found || value > chain->found_value)) {
        chain->found = true;
        chain->found_number = number;
        chain->found_value = value;
    }
}

void hill_chain_round(Chain *base, void *scratch) {
    HillChain *chain = (HillChain *)base;
    if (base->evaluations == 0 && !begin_climb(chain, scratch, chain->start))
        return;
    for (int i = 0; i < CHAIN_ROUND && !base->ended; i++) {
        if (i % CUT_EVERY == 0 && control_cut(base->control))
            return;
        if (chain->scanned >= base->control->problem->neighbours)
            finish_scan(chain, scratch);
        else if (!chain_spent(base))
            scan(chain, scratch);
    }
}

static bool run(const OptimRun *run, const void *given, OptimOutcome *outcome, Status *status) {
    const HillParameters *parameters = given;
    size_t count = (size_t)parameters->chains, made = 0;
    Control control;
    bool ok = control_init(&control, run, outcome, status);
    HillChain *chains = control_allocate(count, sizeof *chains, status);
    Chain **list = control_allocate(count, sizeof *list, status);
    ok = ok && chains && list;
    for (; ok && made < count; made++) {
        ok = hill_chain_init(&chains[made], &control, parameters, status);
        if (ok)
            hill_chain_reset(&chains[made], chain_start(&control, made), run->seed, made);
        list[made] = &chains[made].chain;
    }
    if (ok)
        ok = chain_run_all(&control, list, count, hill_chain_round, status);
    for (size_t i = 0; i < made; i++)
        hill_chain_release(&chains[i]);
    free(list);
    free(chains);
    control_release(&control);
    return ok;
}

const Optimiser hill_optimiser = {
    .name = "hill",
    .summary = "steepest or first-improvement climbing with restarts",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(HillParameters),
    .run = run,
};
