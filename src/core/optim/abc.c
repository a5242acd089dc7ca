/*
 * abc: an artificial bee colony (Karaboga, 2005) over genotypes.
 *
 * A food source is a genotype. Half of the colony are employed bees, one per source, the others are
 * onlookers. In a cycle every employed bee tries one change of its source; then every onlooker
 * chooses a source, by roulette on the fitness above the worst, and tries one change of it. A
 * change that is no worse stays. A source that was not improved in `limit` tries is abandoned: its
 * bee becomes a scout and starts at a random genotype in the next cycle.
 *
 * A change is a neighbour as in sa, all genes of one unit, or a tail drawn again. Onlookers that
 * chose the same source try one after the other, so sources are independent within a phase and
 * threads share them.
 *
 * Memory: a source keeps the states of its genotype (see walk.h) while all of them fit into 16 MB,
 * else only the genotype, and then every try is a whole evaluation.
 *
 * Every source is settled by a scout, then a cycle is two phases: employed bees (scouts at
 * abandoned sources), onlookers.
 *
 * A phase is one parallel loop over the sources, each of which is changed by one worker only.
 * Evaluations are counted and bests offered between phases, in the order of the sources, so the
 * number of threads does not change the result.
 */
#include "base/options.h"
#include "optim/control.h"
#include "optim/registry.h"
#include "optim/sampler.h"
#include "optim/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 16,     /* sources that a worker takes at a time */
    CUT_EVERY = 16, /* tries between two checks of the clock */
    DRAWS = 16      /* of a random neighbour, until one is a change */
};

typedef struct AbcParameters {
    int64_t colony, cycles, patience, limit;
    int neighbourhood; /* ProblemPick */
    double unit_share, tail_share;
} AbcParameters;

static const size_t FAST_BYTES_MAX = (size_t)16 << 20; /* of all sources with their states */

typedef struct Source {
    Walk walk;
    uint64_t tries;       /* since it got better */
    uint64_t visits;      /* tries to make in this phase */
    uint64_t evaluations; /* made in this phase */
    Rng rng;              /* of this phase */
    bool waits, scouted;  /* of visit_all: for an evaluation, of a new source */
} Source;

typedef enum Phase { SETTLE, EMPLOYED, ONLOOKERS } Phase;

typedef struct Colony {
    Control *control;
    const AbcParameters *parameters;
    const Problem *problem;
    size_t count, onlookers;
    Source *sources;
    unsigned char *memory; /* of the walks */
    double *fitness;       /* of the sources */
    const void **waiting;  /* of visit_all; NULL: every genotype is evaluated by itself */
    double *values;        /* theirs */
    Sampler sampler;
    Phase phase;
    uint64_t round; /* phases so far */
    uint64_t cycle, last_better;
} Colony;

static const Option rows[] = {
    TUNED_INTEGER(AbcParameters, colony, "colony", "21", 2, 1e7, "10..10000 log",
                  "bees, half of them employed at a source each"),
    PARAMETER_INTEGER(AbcParameters, cycles, "cycles", "150000", 0, 1e9, "the most cycles"),
    PARAMETER_INTEGER(AbcParameters, patience, "patience", "50000", 1, 1e9,
                      "cycles without a better best after which it ends"),
    TUNED_INTEGER(AbcParameters, limit, "limit", "685", 1, 1e12, "5..5000 log",
                  "tries without a better one after which a source is abandoned"),
    PARAMETER_CHOICE(AbcParameters, neighbourhood, "neighbourhood", "random", "random|nearby",
                     "a random gene takes any value of its range, or one next to its own"),
    TUNED_REAL(AbcParameters, unit_share, "unit-share", "0.3961", 0, 1, "0..0.5",
               "the share of the tries that draw all genes of one unit again"),
    TUNED_REAL(AbcParameters, tail_share, "tail-share", "0.1454", 0, 1, "0..0.5",
               "the share of the tries that draw all units from a random one on again"),
};

static void colony_release(Colony *colony) {
    free(colony->sources);
    free(colony->memory);
    free(colony->fitness);
    free(colony->waiting);
    free(colony->values);
    sampler_release(&colony->sampler);
}

static bool colony_init(Colony *colony, Control *control, const AbcParameters *parameters,
                        Status *status) {
    const Problem *problem = control->problem;
    size_t count = (size_t)parameters->colony / 2;
    *colony = (Colony){.control = control,
                       .parameters = parameters,
                       .problem = problem,
                       .count = count,
                       .onlookers = (size_t)parameters->colony - count};
    bool all = problem->evaluate_all != NULL;
    bool fast = !all && walk_bytes(problem, true) <= FAST_BYTES_MAX / count;
    size_t bytes = walk_bytes(problem, fast);
    colony->sources = control_allocate(count, sizeof *colony->sources, status);
    colony->memory = control_allocate(count, bytes, status);
    colony->fitness = control_allocate(count, sizeof *colony->fitness, status);
    if (all) {
        colony->waiting = control_allocate(count, sizeof *colony->waiting, status);
        colony->values = control_allocate(count, sizeof *colony->values, status);
    }
    if (all && (!colony->waiting || !colony->values))
        return false;
    if (!sampler_init(&colony->sampler, count, status) || !colony->sources || !colony->memory ||
        !colony->fitness)
        return false;
    for (size_t i = 0; i < count; i++) {
        walk_init(&colony->sources[i].walk, problem, colony->memory + i * bytes, fast);
        colony->fitness[i] = -INFINITY;
    }
    return true;
}

/* True when a scout settles the source in this phase. */
static bool needs_scout(const Colony *colony, const Source *source) {
    bool abandoned = source->tries >= (uint64_t)colony->parameters->limit;
    return colony->phase == SETTLE || (colony->phase == EMPLOYED && abandoned);
}

/* Where a scout settles: a given genotype at first, else a random one. */
static const void *scout(Colony *colony, Source *source, size_t index) {
    const Problem *problem = colony->problem;
    const void *start = colony->phase == SETTLE ? control_start(colony->control, index) : NULL;
    source->tries = 0;
    if (start)
        return start;
    problem->random(problem, &source->rng, source->walk.before);
    return source->walk.before;
}

/* Makes a change pending; false when none could be drawn. */
static bool draw_change(const Colony *colony, Source *source, Rng *rng) {
    const Problem *problem = colony->problem;
    double share = rng_real(rng);
    if (share < colony->parameters->unit_share + colony->parameters->tail_share) {
        uint32_t unit = rng_below(rng, problem->units);
        bool tail = share >= colony->parameters->unit_share;
        walk_resample(&source->walk, rng, unit, tail ? problem->units : unit + 1);
        return true;
    }
    ProblemPick how = (ProblemPick)colony->parameters->neighbourhood;
    for (int i = 0; i < DRAWS && problem->neighbours > 0; i++)
        if (walk_try(&source->walk,
                     problem->pick(problem, rng, source->walk.genotype, PROBLEM_ANY_UNIT, how)))
            return true;
    return false;
}

/* Makes the try of one bee pending; false when there is none. It will be one evaluation. */
static bool forage(const Colony *colony, Source *source) {
    source->tries++;
    if (!draw_change(colony, source, &source->rng))
        return false;
    source->evaluations++;
    return true;
}

/* Keeps the pending try when it is no worse. */
static void decide(Source *source, double value, void *scratch) {
    Walk *walk = &source->walk;
    if (value > walk->fitness)
        source->tries = 0;
    if (value >= walk->fitness)
        walk_keep(walk, scratch);
    else
        walk_undo(walk);
}

/* Before the visits to a source in this phase. */
static void begin_visits(const Colony *colony, Source *source, size_t index) {
    source->evaluations = 0;
    rng_init(&source->rng, colony->control->run->seed, colony->round << 32 | index);
}

/* What the bees do at one source in this phase. */
static void visit(Colony *colony, size_t index, void *scratch) {
    Source *source = &colony->sources[index];
    if (needs_scout(colony, source)) {
        walk_begin(&source->walk, scratch, scout(colony, source, index));
        source->evaluations = 1;
        return;
    }
    for (uint64_t i = 0; i < source->visits; i++)
        if (forage(colony, source))
            decide(source, walk_value(&source->walk, scratch), scratch);
}

static void phase_task(void *context, size_t first, size_t last, unsigned worker) {
    Colony *colony = context;
    void *scratch = control_scratch(colony->control, worker);
    bool cut = false;
    for (size_t i = first; i < last; i++) {
        begin_visits(colony, &colony->sources[i], i);
        if (i % CUT_EVERY == 0 && i > 0)
            cut = cut || control_cut(colony->control);
        if (!cut && colony->sources[i].visits > 0)
            visit(colony, i, scratch);
    }
}

/* The same for a problem that evaluates many genotypes at once: first the first visit to every
 * source, then the second, and so on. */
static void visit_all(Colony *colony) {
    const Problem *problem = colony->problem;
    uint64_t most = 0;
    for (size_t i = 0; i < colony->count; i++) {
        begin_visits(colony, &colony->sources[i], i);
        if (colony->sources[i].visits > most)
            most = colony->sources[i].visits;
    }
    for (uint64_t turn = 0; turn < most && !(turn > 0 && control_cut(colony->control)); turn++) {
        size_t count = 0;
        for (size_t i = 0; i < colony->count; i++) {
            Source *source = &colony->sources[i];
            source->scouted = source->visits > turn && needs_scout(colony, source);
            source->waits = source->scouted || (source->visits > turn && forage(colony, source));
            if (source->scouted) {
                source->evaluations = 1;
                colony->waiting[count++] = scout(colony, source, i);
            } else if (source->waits)
                colony->waiting[count++] = source->walk.genotype;
        }
        problem->evaluate_all(problem, colony->waiting, count, colony->values);
        for (size_t i = 0, taken = 0; i < colony->count; i++) {
            Source *source = &colony->sources[i];
            if (!source->waits)
                continue;
            double value = colony->values[taken++];
            if (source->scouted)
                walk_begin_known(&source->walk, colony->waiting[taken - 1], value);
            else {
                walk_know(&source->walk, value);
                decide(source, value, NULL);
            }
        }
    }
}

/* Does the visits of a phase, then counts and offers in the order of the sources. */
static void do_phase(Colony *colony, Phase phase) {
    colony->phase = phase;
    if (colony->waiting)
        visit_all(colony);
    else
        pool_run(colony->control->run->pool, colony->count, CHUNK, phase_task, colony);
    colony->round++;
    for (size_t i = 0; i < colony->count; i++) {
        Source *source = &colony->sources[i];
        control_spend(colony->control, source->evaluations);
        if (source->evaluations == 0)
            continue;
        colony->fitness[i] = source->walk.fitness;
        if (control_offer(colony->control, source->walk.genotype, source->walk.fitness))
            colony->last_better = colony->cycle;
    }
}

/* One bee at each source, or at as many as there are evaluations left. */
static void send_employed(Colony *colony) {
    uint64_t left = control_left(colony->control);
    for (size_t i = 0; i < colony->count; i++)
        colony->sources[i].visits = i < left;
}

static void send_onlookers(Colony *colony) {
    uint64_t left = control_left(colony->control);
    Rng rng;
    rng_init(&rng, colony->control->run->seed, colony->round << 32 | UINT32_MAX);
    sampler_roulette(&colony->sampler, colony->fitness, colony->count);
    for (size_t i = 0; i < colony->count; i++)
        colony->sources[i].visits = 0;
    for (size_t i = 0; i < colony->onlookers && i < left; i++)
        colony->sources[sampler_draw(&colony->sampler, &rng)].visits++;
}

static void report(const Colony *colony) {
    control_report_population(colony->control, colony->fitness, colony->count,
                              (Progress){.generation = colony->cycle});
}

static bool ended(Colony *colony) {
    OptimOutcome *outcome = colony->control->outcome;
    if (control_over(colony->control))
        return true;
    if (colony->cycle >= (uint64_t)colony->parameters->cycles)
        outcome->end = OPTIM_FINISHED;
    else if (colony->cycle - colony->last_better >= (uint64_t)colony->parameters->patience)
        outcome->end = OPTIM_PATIENCE;
    else
        return false;
    return true;
}

static void swarm(Colony *colony) {
    send_employed(colony);
    do_phase(colony, SETTLE);
    report(colony);
    while (!ended(colony)) { /* all sources are settled, or the run would be over */
        colony->cycle++;
        send_employed(colony);
        do_phase(colony, EMPLOYED);
        if (!control_over(colony->control)) {
            send_onlookers(colony);
            do_phase(colony, ONLOOKERS);
        }
        report(colony);
    }
    colony->control->outcome->generations = colony->cycle;
}

static bool run(const OptimRun *run, const void *parameters, OptimOutcome *outcome,
                Status *status) {
    Control control;
    Colony colony = {0};
    bool ok = control_init(&control, run, outcome, status) &&
              colony_init(&colony, &control, parameters, status);
    if (ok)
        swarm(&colony);
    colony_release(&colony);
    control_release(&control);
    return ok;
}

const Optimiser abc_optimiser = {
    .name = "abc",
    .summary = "an artificial bee colony: employed bees, onlookers and scouts",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(AbcParameters),
    .run = run,
};
