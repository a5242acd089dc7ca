/*
 * sa: a step is: try the next neighbour, skip it if it is tabu, evaluate, accept or reject, cool.
 */
#include "optim/sa.h"

#include "base/options.h"
#include "base/real.h"
#include "optim/registry.h"

#include <stdlib.h>

enum {
    CUT_EVERY = 16, /* steps between two checks of the clock */
    DRAWS = 16      /* of a random neighbour, until one is a change */
};

static const Option rows[] = {
    TUNED_INTEGER(SaParameters, steps, "steps", "1000000", 0, 1e12, "1000..10000000 log",
                  "the most steps of a chain"),
    TUNED_INTEGER(SaParameters, patience, "patience", "50000", 1, 1e12, "1000..10000000 log",
                  "steps without a better best after which a chain ends"),
    TUNED_REAL(SaParameters, temperature, "temperature", "61.38", 1e-6, 1e9, "0.1..100 log",
               "the temperature at the start"),
    TUNED_REAL(SaParameters, temperature_floor, "temperature-floor", "0.148", 1e-6, 1e9,
               "0.01..10 log", "the lowest temperature"),
    TUNED_REAL(SaParameters, cooling, "cooling", "0.0004394", 0, 0.999, "0.000001..0.1 log",
               "c: every step T becomes T*(1-c), or T*(1+c) while reheating"),
    PARAMETER_INTEGER(SaParameters, reheat, "reheat", "0", 0, 1e12,
                      "reheats after N steps without accepting a better one; 0: as many as "
                      "there are neighbours"),
    TUNED_INTEGER(SaParameters, tabu, "tabu", "2056", 0, 1e7, "1..50000 log",
                  "length of the tabu list: genotypes evaluated last, which are skipped"),
    PARAMETER_CHOICE(SaParameters, neighbourhood, "neighbourhood", "random",
                     "ordered|random|nearby", "which neighbour is next"),
    TUNED_INTEGER(SaParameters, chains, "chains", "15", 1, 4096, "1..16 log",
                  "independent runs side by side, the best counts"),
};

bool sa_chain_init(SaChain *chain, const Control *control, const SaParameters *parameters,
                   Status *status) {
    *chain = (SaChain){.parameters = parameters};
    chain->reheat_after =
        parameters->reheat > 0 ? (uint64_t)parameters->reheat : control->problem->neighbours;
    return chain_init(&chain->chain, control, status) &&
           tabu_init(&chain->tabu, (size_t)parameters->tabu, status);
}

void sa_chain_release(SaChain *chain) {
    chain_release(&chain->chain);
    tabu_release(&chain->tabu);
}

void sa_chain_reset(SaChain *chain, const void *start, uint64_t seed, uint64_t stream) {
    chain_reset(&chain->chain, seed, stream);
    chain->chain.temperature = chain->parameters->temperature;
    tabu_clear(&chain->tabu);
    chain->start = start;
    chain->since_better = chain->since_best = 0;
}

static uint64_t current_hash(const SaChain *chain) {
    return tabu_hash(chain->chain.walk.genotype, chain->chain.control->problem->genotype_bytes);
}

/* The first evaluation, and the place where the order of the neighbours starts. */
static bool begin(SaChain *chain, void *scratch) {
    Chain *base = &chain->chain;
    uint32_t neighbours = base->control->problem->neighbours;
    if (!chain_begin(base, scratch, chain->start))
        return false;
    if (neighbours == 0) {
        chain_end(base, OPTIM_FINISHED);
        return false;
    }
    if (chain->tabu.capacity > 0)
        tabu_add(&chain->tabu, current_hash(chain));
    chain->position = rng_below(&base->rng, neighbours);
    return true;
}

/* Tries the next neighbour; false when it changes nothing. */
static bool try_next(SaChain *chain) {
    Chain *base = &chain->chain;
    const Problem *problem = base->control->problem;
    if (chain->parameters->neighbourhood == SA_ORDERED) {
        uint32_t number = chain->position++;
        if (chain->position == problem->neighbours)
            chain->position = 0;
        return walk_try(&base->walk, number);
    }
    ProblemPick how = chain->parameters->neighbourhood == SA_NEARBY ? PICK_NEARBY : PICK_UNIFORM;
    for (int i = 0; i < DRAWS; i++)
        if (walk_try(&base->walk, problem->pick(problem, &base->rng, base->walk.genotype,
                                                PROBLEM_ANY_UNIT, how)))
            return true;
    return false;
}

/* Skips the pending change when it is tabu, else makes it tabu. */
static bool is_tabu(SaChain *chain) {
    if (chain->tabu.capacity == 0)
        return false;
    uint64_t hash = current_hash(chain);
    if (tabu_has(&chain->tabu, hash)) {
        walk_undo(&chain->chain.walk);
        return true;
    }
    tabu_add(&chain->tabu, hash);
    return false;
}

static bool accepts(SaChain *chain, double delta) {
    Chain *base = &chain->chain;
    return delta >= 0 || rng_real(&base->rng) < real_exp(delta / base->temperature);
}

/* Values the pending change and keeps it or not. */
static void evaluate(SaChain *chain, void *scratch) {
    Chain *base = &chain->chain;
    double best = base->best_fitness;
    double delta = chain_value(base, scratch) - base->walk.fitness;
    if (accepts(chain, delta))
        chain_keep(base, scratch);
    else
        walk_undo(&base->walk);
    if (delta > 0)
        chain->since_better = 0;
    if (base->best_fitness > best)
        chain->since_best = 0;
}

static void cool(SaChain *chain) {
    const SaParameters *parameters = chain->parameters;
    bool heats = chain->since_better > chain->reheat_after;
    double factor = heats ? 1 + parameters->cooling : 1 - parameters->cooling;
    double temperature = chain->chain.temperature * factor;
    chain->chain.temperature =
        temperature > parameters->temperature_floor ? temperature : parameters->temperature_floor;
}

static void step(SaChain *chain, void *scratch) {
    chain->since_better++;
    chain->since_best++;
    chain->chain.steps++;
    if (try_next(chain) && !is_tabu(chain))
        evaluate(chain, scratch);
    cool(chain);
}

void sa_chain_round(Chain *base, void *scratch) {
    SaChain *chain = (SaChain *)base;
    const SaParameters *parameters = chain->parameters;
    if (base->evaluations == 0 && !begin(chain, scratch))
        return;
    for (int i = 0; i < CHAIN_ROUND; i++) {
        if (i % CUT_EVERY == 0 && control_cut(base->control))
            return;
        if (base->steps >= (uint64_t)parameters->steps)
            chain_end(base, OPTIM_FINISHED);
        else if (chain->since_best >= (uint64_t)parameters->patience)
            chain_end(base, OPTIM_PATIENCE);
        if (base->ended || chain_spent(base))
            return;
        step(chain, scratch);
    }
}

static bool run(const OptimRun *run, const void *given, OptimOutcome *outcome, Status *status) {
    const SaParameters *parameters = given;
    size_t count = (size_t)parameters->chains, made = 0;
    Control control;
    bool ok = control_init(&control, run, outcome, status);
    SaChain *chains = control_allocate(count, sizeof *chains, status);
    Chain **list = control_allocate(count, sizeof *list, status);
    ok = ok && chains && list;
    for (; ok && made < count; made++) {
        ok = sa_chain_init(&chains[made], &control, parameters, status);
        if (ok)
            sa_chain_reset(&chains[made], chain_start(&control, made), run->seed, made);
        list[made] = &chains[made].chain;
    }
    if (ok)
        ok = chain_run_all(&control, list, count, sa_chain_round, status);
    for (size_t i = 0; i < made; i++)
        sa_chain_release(&chains[i]);
    free(list);
    free(chains);
    control_release(&control);
    return ok;
}

const Optimiser sa_optimiser = {
    .name = "sa",
    .summary = "simulated annealing with a tabu list and reheating",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(SaParameters),
    .run = run,
};
