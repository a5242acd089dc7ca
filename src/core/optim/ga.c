/*
 * ga: a generation in the order of this file: selection, breeding, replacement.
 *
 * Every pair of parents draws from the random stream (seed, generation, pair) and writes to slots
 * of its own, so pairs are bred in parallel. The slots are described in the header.
 */
#include "optim/ga.h"

#include "base/real.h"
#include "optim/islands.h"
#include "optim/registry.h"
#include "optim/sampler.h"
#include "optim/select.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 64,    /* pairs or newcomers that a worker takes at a time */
    CUT_EVERY = 16 /* pairs or newcomers between two checks of the clock */
};

static const double ADAPTIVE_GROWTH = 1.02; /* a generation; the help of `adaptive` says so too */

struct Ga {
    Control *control;
    const GaParameters *parameters;
    const Problem *problem;
    size_t population, children;
    uint32_t cut;      /* the unit where the second part begins */
    bool keeps_states; /* slots hold the state at the cut */
    unsigned char *slots;
    size_t slot_bytes, state_offset;
    uint32_t *order;      /* population + children slot numbers */
    double *fitness;      /* of the individual in order[i] */
    double *ranking;      /* to select in */
    uint32_t *freed;      /* slots given up in a replacement */
    const void **waiting; /* genotypes that the problem evaluates all at once; NULL: it does not */
    uint32_t *elite;      /* places in `order` of the best, for elitist selection */
    size_t elite_count;
    Sampler sampler;
    unsigned char *workers; /* a state and a mask for each worker */
    size_t worker_bytes, mask_offset;
    uint64_t generation, last_better;
    double best;      /* so far, to see when there is a better one */
    double factor;    /* on the adaptive rates */
    size_t brood;     /* children bred in this generation */
    size_t newcomers; /* of them the last are random */
    atomic_size_t evaluated;
};

static const Option rows[] = {
    GA_PARAMETER_ROWS("1545", "20000", "2600", "0.04003", "child", "published", "elitist", "100",
                      "0.1", "0.4362", "3", "1", "none", "0.5", "0.1278", "1.809"),
    PARAMETER_INTEGER(GaParameters, interval, "interval", "20", 1, 1e9,
                      "islands: generations from one exchange to the next"),
    PARAMETER_INTEGER(GaParameters, migrants, "migrants", "5", 1, 10000,
                      "islands: individuals that go to the next one"),
};

static unsigned char *slot_of(const Ga *ga, size_t index) {
    return ga->slots + ga->order[index] * ga->slot_bytes;
}

uint64_t ga_generation(const Ga *ga) {
    return ga->generation;
}

const void *ga_genotype(const Ga *ga, size_t index) {
    return slot_of(ga, index);
}

/* ---- memory ---- */

static void ga_free(Ga *ga) {
    if (!ga)
        return;
    free(ga->slots);
    free(ga->order);
    free(ga->fitness);
    free(ga->ranking);
    free(ga->freed);
    free(ga->waiting);
    free(ga->elite);
    free(ga->workers);
    sampler_release(&ga->sampler);
    free(ga);
}

static void lay_out(Ga *ga) {
    const GaParameters *parameters = ga->parameters;
    const Problem *problem = ga->problem;
    ga->population = (size_t)parameters->population;
    ga->children = ga->population / 2;
    ga->cut = (uint32_t)(parameters->cut * problem->units);
    bool shares = parameters->crossover == GA_HALF || parameters->crossover == GA_NO_CROSSOVER;
    ga->keeps_states = problem->state_bytes > 0 && shares && ga->cut > 0;
    ga->state_offset = control_stride(problem->genotype_bytes);
    ga->slot_bytes =
        ga->state_offset + (ga->keeps_states ? control_stride(problem->state_bytes) : 0);
    ga->mask_offset = control_stride(problem->state_bytes);
    size_t mask_words = ((size_t)problem->units + 63) / 64;
    ga->worker_bytes = ga->mask_offset + control_stride(mask_words * sizeof(uint64_t));
    double elite =
        parameters->elite > 1 ? parameters->elite : parameters->elite * (double)ga->population;
    ga->elite_count = elite < 1                        ? 1
                      : elite > (double)ga->population ? ga->population
                                                       : (size_t)elite;
}

static Ga *ga_new(Control *control, const GaParameters *parameters, Status *status) {
    Ga *ga = control_allocate(1, sizeof *ga, status);
    if (!ga)
        return NULL;
    ga->control = control;
    ga->parameters = parameters;
    ga->problem = control->problem;
    lay_out(ga);
    size_t total = ga->population + ga->children;
    ga->slots = control_allocate(total, ga->slot_bytes, status);
    ga->order = control_allocate(total, sizeof *ga->order, status);
    ga->fitness = control_allocate(total, sizeof *ga->fitness, status);
    ga->ranking = control_allocate(ga->population, sizeof *ga->ranking, status);
    ga->freed = control_allocate(ga->children, sizeof *ga->freed, status);
    ga->elite = control_allocate(ga->elite_count, sizeof *ga->elite, status);
    if (ga->problem->evaluate_all)
        ga->waiting = control_allocate(ga->population, sizeof *ga->waiting, status);
    ga->workers = control_allocate(pool_threads(control->run->pool), ga->worker_bytes, status);
    bool ok = sampler_init(&ga->sampler, ga->population, status);
    if (!ok || !ga->slots || !ga->order || !ga->fitness || !ga->ranking || !ga->freed ||
        !ga->elite || !ga->workers || (ga->problem->evaluate_all && !ga->waiting)) {
        ga_free(ga);
        return NULL;
    }
    for (size_t i = 0; i < total; i++)
        ga->order[i] = (uint32_t)i;
    ga->factor = 1;
    ga->best = -INFINITY;
    return ga;
}

/* ---- evaluation ---- */

/* Plays the first part into the slot's state. */
static void play_first_part(Ga *ga, void *scratch, unsigned char *slot) {
    ga->problem->begin(ga->problem, slot + ga->state_offset);
    ga->problem->advance(ga->problem, scratch, slot, slot + ga->state_offset, 0, ga->cut);
}

/* The fitness of the genotype in a slot; NaN when it waits for evaluate_waiting. `parent`, when not
 * NULL, is a slot with the same units below the cut. */
static double evaluate(Ga *ga, unsigned worker, unsigned char *slot, const unsigned char *parent) {
    const Problem *problem = ga->problem;
    void *scratch = control_scratch(ga->control, worker);
    if (problem->evaluate_all)
        return NAN;
    if (!ga->keeps_states)
        return problem->evaluate(problem, scratch, slot);
    if (parent)
        memcpy(slot + ga->state_offset, parent + ga->state_offset, problem->state_bytes);
    else
        play_first_part(ga, scratch, slot);
    unsigned char *state = ga->workers + worker * ga->worker_bytes;
    memcpy(state, slot + ga->state_offset, problem->state_bytes);
    problem->advance(problem, scratch, slot, state, ga->cut, problem->units);
    return problem->finish(problem, scratch, state);
}

/* Evaluates those of order[first..last-1] that wait, in one call. */
static void evaluate_waiting(Ga *ga, size_t first, size_t last) {
    const Problem *problem = ga->problem;
    if (!problem->evaluate_all)
        return;
    size_t count = 0, taken = 0;
    for (size_t i = first; i < last; i++)
        if (isnan(ga->fitness[i]))
            ga->waiting[count++] = slot_of(ga, i);
    double *values = ga->ranking; /* of the population, and free between two selections */
    problem->evaluate_all(problem, ga->waiting, count, values);
    for (size_t i = first; i < last; i++)
        if (isnan(ga->fitness[i]))
            ga->fitness[i] = values[taken++];
}

void ga_replace(Ga *ga, size_t index, const void *genotype, double fitness) {
    unsigned char *slot = slot_of(ga, index);
    memcpy(slot, genotype, ga->problem->genotype_bytes);
    ga->fitness[index] = fitness;
    if (ga->keeps_states)
        play_first_part(ga, control_scratch(ga->control, 0), slot);
}

/* ---- the first generation ---- */

static void newcomer(Ga *ga, unsigned worker, size_t index, Rng *rng) {
    unsigned char *slot = slot_of(ga, index);
    ga->problem->random(ga->problem, rng, slot);
    ga->fitness[index] = evaluate(ga, worker, slot, NULL);
}

/* Individual `index` of the first generation: a given one or a random one. */
static void populate_one(Ga *ga, unsigned worker, size_t index) {
    const void *start = control_start(ga->control, index);
    if (start) {
        unsigned char *slot = slot_of(ga, index);
        memcpy(slot, start, ga->problem->genotype_bytes);
        ga->fitness[index] = evaluate(ga, worker, slot, NULL);
        return;
    }
    Rng rng;
    rng_init(&rng, ga->control->run->seed, index);
    newcomer(ga, worker, index, &rng);
}

static void populate_task(void *context, size_t first, size_t last, unsigned worker) {
    Ga *ga = context;
    size_t i = first;
    for (; i < last; i++) {
        if (i % CUT_EVERY == 0 && i > 0 && control_cut(ga->control))
            break;
        populate_one(ga, worker, i);
    }
    atomic_fetch_add_explicit(&ga->evaluated, i - first, memory_order_relaxed);
}

/* Counts what a round evaluated and offers the best of order[first..last-1]; those that a cut left
 * out have the fitness -infinity. */
static void account(Ga *ga, size_t first, size_t last) {
    control_spend(ga->control, atomic_load_explicit(&ga->evaluated, memory_order_relaxed));
    size_t best = first;
    for (size_t i = first + 1; i < last; i++)
        if (ga->fitness[i] > ga->fitness[best])
            best = i;
    if (first < last && ga->fitness[best] > -INFINITY)
        control_offer(ga->control, slot_of(ga, best), ga->fitness[best]);
}

static size_t at_most_left(const Ga *ga, size_t count) {
    uint64_t left = control_left(ga->control);
    return left < count ? (size_t)left : count;
}

static void prepare_round(Ga *ga, size_t first, size_t last) {
    atomic_store_explicit(&ga->evaluated, 0, memory_order_relaxed);
    for (size_t i = first; i < last; i++)
        ga->fitness[i] = -INFINITY;
}

static void populate(Ga *ga) {
    size_t count = at_most_left(ga, ga->population);
    prepare_round(ga, 0, ga->population);
    pool_run(ga->control->run->pool, count, CHUNK, populate_task, ga);
    evaluate_waiting(ga, 0, count);
    account(ga, 0, count);
}

/* ---- selection ---- */

/* What separates the best from the rest: all above `least`, and the first `equals` that equal it.
 */
typedef struct Threshold {
    double least;
    size_t equals;
} Threshold;

/* The threshold of the `count` best; the older pass first among equals. */
static Threshold best_of(Ga *ga, size_t count) {
    if (count == 0)
        return (Threshold){INFINITY, 0};
    memcpy(ga->ranking, ga->fitness, ga->population * sizeof *ga->ranking);
    Threshold threshold = {select_largest(ga->ranking, ga->population, count - 1), count};
    for (size_t i = 0; i < ga->population; i++)
        threshold.equals -= ga->fitness[i] > threshold.least;
    return threshold;
}

/* Asked of every individual in order. */
static bool passes(Threshold *threshold, double fitness) {
    if (fitness != threshold->least || threshold->equals == 0)
        return fitness > threshold->least;
    threshold->equals--;
    return true;
}

static void list_elite(Ga *ga) {
    Threshold threshold = best_of(ga, ga->elite_count);
    size_t count = 0;
    for (size_t i = 0; i < ga->population; i++)
        if (passes(&threshold, ga->fitness[i]))
            ga->elite[count++] = (uint32_t)i;
}

static int compare_ranks(const void *a, const void *b) {
    const GaRank *one = a, *two = b;
    if (one->fitness != two->fitness)
        return one->fitness > two->fitness ? -1 : 1;
    return one->index < two->index ? -1 : one->index > two->index;
}

size_t ga_best(Ga *ga, GaRank *ranks, size_t count) {
    if (count > ga->population)
        count = ga->population;
    Threshold threshold = best_of(ga, count);
    size_t found = 0;
    for (size_t i = 0; i < ga->population; i++)
        if (passes(&threshold, ga->fitness[i]))
            ranks[found++] = (GaRank){ga->fitness[i], i};
    qsort(ranks, found, sizeof *ranks, compare_ranks);
    return found;
}

void ga_worst(Ga *ga, size_t *indexes, size_t count) {
    assert(count <= ga->population);
    Threshold threshold = best_of(ga, ga->population - count);
    for (size_t i = 0; i < ga->population; i++)
        if (!passes(&threshold, ga->fitness[i]))
            *indexes++ = i;
}

/* The temperature at which the parents of the next generation are drawn; 0: there is none. */
static double temperature_of(const Ga *ga) {
    const GaParameters *parameters = ga->parameters;
    if (parameters->selection != GA_SOFTMAX)
        return 0;
    double temperature = parameters->temperature / real_log((double)ga->generation + 2);
    return temperature < parameters->temperature_floor ? parameters->temperature_floor
                                                       : temperature;
}

static void prepare_selection(Ga *ga) {
    if (ga->parameters->selection == GA_ELITIST)
        list_elite(ga);
    else if (ga->parameters->selection == GA_SOFTMAX)
        sampler_softmax(&ga->sampler, ga->control->run->pool, ga->fitness, ga->population,
                        temperature_of(ga));
}

/* The place of a parent in `order`. */
static size_t draw_parent(const Ga *ga, Rng *rng) {
    if (ga->parameters->selection == GA_SOFTMAX)
        return sampler_draw(&ga->sampler, rng);
    if (ga->parameters->selection == GA_ELITIST)
        return ga->elite[rng_below(rng, (uint32_t)ga->elite_count)];
    size_t best = rng_below(rng, (uint32_t)ga->population);
    for (int64_t i = 1; i < ga->parameters->tournament; i++) {
        size_t other = rng_below(rng, (uint32_t)ga->population);
        if (ga->fitness[other] > ga->fitness[best])
            best = other;
    }
    return best;
}

/* ---- breeding ---- */

/* Fills the worker's mask for uniform and alternating crossover; NULL for the cut. */
static uint64_t *draw_mask(const Ga *ga, unsigned worker, Rng *rng) {
    int crossover = ga->parameters->crossover;
    if (crossover != GA_UNIFORM && crossover != GA_ALTERNATING)
        return NULL;
    uint64_t *mask =
        (uint64_t *)(void *)(ga->workers + worker * ga->worker_bytes + ga->mask_offset);
    for (size_t i = 0; i < ((size_t)ga->problem->units + 63) / 64; i++)
        mask[i] = crossover == GA_UNIFORM ? rng_next(rng) : 0x5555555555555555u;
    return mask;
}

/* Mutates one gene of `unit`; false when the units below the cut may no longer be the parent's. */
static bool mutate_unit(const Ga *ga, unsigned char *slot, uint32_t unit, Rng *rng) {
    ProblemPick how = (ProblemPick)ga->parameters->mutation_kind;
    uint32_t undo, number = ga->problem->pick(ga->problem, rng, slot, unit, how);
    return ga->problem->change(ga->problem, slot, number, &undo) >= ga->cut;
}

/* Mutates at random; false as above. A child that is a copy of one parent is always mutated. */
static bool mutate(const Ga *ga, unsigned char *slot, Rng *rng) {
    bool shares = true, mutated = false;
    if (ga->problem->neighbours == 0)
        return true;
    double chance = ga->parameters->mutation * ga->factor;
    if (ga->parameters->mutation_per == GA_PER_PIECE)
        for (uint32_t unit = 0; unit < ga->problem->units; unit++)
            if (rng_chance(rng, chance)) {
                shares &= mutate_unit(ga, slot, unit, rng);
                mutated = true;
            }
    bool always = ga->parameters->crossover == GA_NO_CROSSOVER && !mutated;
    if (always || (ga->parameters->mutation_per == GA_PER_CHILD && rng_chance(rng, chance)))
        shares &= mutate_unit(ga, slot, PROBLEM_ANY_UNIT, rng);
    return shares;
}

static void breed_child(Ga *ga, unsigned worker, size_t child, const unsigned char *first,
                        const unsigned char *second, const uint64_t *mask, Rng *rng) {
    unsigned char *slot = slot_of(ga, ga->population + child);
    if (ga->parameters->crossover == GA_NO_CROSSOVER)
        memcpy(slot, first, ga->problem->genotype_bytes);
    else
        ga->problem->cross(ga->problem, first, second, slot, ga->cut, mask);
    bool shares = mutate(ga, slot, rng);
    ga->fitness[ga->population + child] = evaluate(ga, worker, slot, shares ? first : NULL);
}

/* Breeds the children of pair number `pair`: one or two, fewer at the end of the brood. */
static size_t breed_pair(Ga *ga, unsigned worker, size_t pair) {
    size_t litter = ga->parameters->children == 1 ? 2 : 1;
    size_t child = pair * litter, end = child + litter < ga->brood ? child + litter : ga->brood;
    Rng rng;
    rng_init(&rng, ga->control->run->seed, (ga->generation + 1) << 32 | pair);
    if (child >= ga->brood - ga->newcomers) {
        for (size_t i = child; i < end; i++)
            newcomer(ga, worker, ga->population + i, &rng);
        return end - child;
    }
    const unsigned char *first = slot_of(ga, draw_parent(ga, &rng));
    const unsigned char *second = slot_of(ga, draw_parent(ga, &rng));
    uint64_t *mask = draw_mask(ga, worker, &rng);
    breed_child(ga, worker, child, first, second, mask, &rng);
    if (child + 1 < end) /* the second child has what the first has not */
        breed_child(ga, worker, child + 1, second, first, mask, &rng);
    return end - child;
}

static void breed_task(void *context, size_t first, size_t last, unsigned worker) {
    Ga *ga = context;
    size_t evaluated = 0;
    for (size_t pair = first; pair < last; pair++) {
        if (pair % CUT_EVERY == 0 && control_cut(ga->control))
            break;
        evaluated += breed_pair(ga, worker, pair);
    }
    atomic_fetch_add_explicit(&ga->evaluated, evaluated, memory_order_relaxed);
}

static void breed(Ga *ga) {
    size_t litter = ga->parameters->children == 1 ? 2 : 1;
    ga->brood = at_most_left(ga, ga->children);
    double newcomers = ga->parameters->immigrants * ga->factor * (double)ga->brood;
    ga->newcomers = newcomers < (double)ga->brood ? (size_t)newcomers : ga->brood;
    prepare_round(ga, ga->population, ga->population + ga->brood);
    pool_run(ga->control->run->pool, (ga->brood + litter - 1) / litter, CHUNK, breed_task, ga);
    evaluate_waiting(ga, ga->population, ga->population + ga->brood);
}

/* ---- replacement ---- */

/* The worst give way to the brood; among equals the younger go. The kept ones move together in
 * their order, the children come after them, the freed slots wait behind. */
static void replace_worst(Ga *ga) {
    size_t keep = ga->population - ga->brood, kept = 0, freed = 0;
    Threshold threshold = best_of(ga, keep);
    for (size_t i = 0; i < ga->population; i++) {
        if (passes(&threshold, ga->fitness[i])) {
            ga->fitness[kept] = ga->fitness[i];
            ga->order[kept++] = ga->order[i];
        } else {
            ga->freed[freed++] = ga->order[i];
        }
    }
    for (size_t i = 0; i < ga->brood; i++) {
        ga->fitness[keep + i] = ga->fitness[ga->population + i];
        ga->order[keep + i] = ga->order[ga->population + i];
        ga->order[ga->population + i] = ga->freed[i];
    }
}

/* ---- the run ---- */

/* One generation; false when it was cut off, and then the population is as it was. */
static bool step(Ga *ga) {
    prepare_selection(ga);
    breed(ga);
    ga->generation++;
    account(ga, ga->population, ga->population + ga->brood);
    if (control_cut(ga->control))
        return false;
    replace_worst(ga);
    return true;
}

/* Notes whether the generation improved the best; the rates follow. */
static void watch(Ga *ga) {
    if (ga->control->outcome->fitness > ga->best) {
        ga->best = ga->control->outcome->fitness;
        ga->last_better = ga->generation;
        ga->factor = 1;
    } else {
        ga->factor *= ADAPTIVE_GROWTH;
        if (ga->factor > ga->parameters->adaptive)
            ga->factor = ga->parameters->adaptive;
    }
}

static void report(const Ga *ga) {
    control_report_population(
        ga->control, ga->fitness, ga->population,
        (Progress){.generation = ga->generation, .temperature = temperature_of(ga)});
}

static bool ended(Ga *ga) {
    OptimOutcome *outcome = ga->control->outcome;
    if (control_over(ga->control))
        return true;
    if (ga->generation >= (uint64_t)ga->parameters->generations)
        outcome->end = OPTIM_FINISHED;
    else if (ga->generation - ga->last_better >= (uint64_t)ga->parameters->patience)
        outcome->end = OPTIM_PATIENCE;
    else
        return false;
    return true;
}

bool ga_evolve(Control *control, const GaParameters *parameters, GaRefine *refine, void *context,
               struct Islands *islands, Status *status) {
    Ga *ga = ga_new(control, parameters, status);
    if (!ga)
        return false;
    populate(ga);
    watch(ga);
    report(ga);
    while (!(islands ? islands_over(islands, ga, ended(ga)) : ended(ga))) {
        if (!step(ga))
            continue; /* cut off, so it has ended */
        if (refine)
            refine(context, ga);
        watch(ga);
        report(ga);
    }
    control->outcome->generations = ga->generation;
    ga_free(ga);
    return true;
}

static bool run_island(const OptimRun *run, const void *parameters, OptimOutcome *outcome,
                       Status *status) {
    OptimRun part = islands_part(run);
    Control control;
    Islands islands = {0};
    bool ok = control_init(&control, &part, outcome, status) &&
              islands_init(&islands, run, &control, parameters, status) &&
              ga_evolve(&control, parameters, NULL, NULL, &islands, status);
    if (ok)
        ok = islands_finish(&islands, status);
    else
        islands_give_up(run->exchange);
    islands_release(&islands);
    control_release(&control);
    return ok;
}

static bool run(const OptimRun *run, const void *parameters, OptimOutcome *outcome,
                Status *status) {
    if (run->exchange)
        return run_island(run, parameters, outcome, status);
    Control control;
    bool ok = control_init(&control, run, outcome, status) &&
              ga_evolve(&control, parameters, NULL, NULL, NULL, status);
    control_release(&control);
    return ok;
}

const Optimiser ga_optimiser = {
    .name = "ga",
    .summary = "a genetic algorithm: children replace the worse half of the population",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(GaParameters),
    .has_islands = true,
    .run = run,
};
