/*
 * hybrid: ga with a function that it calls between generations.
 *
 * That function selects individuals (select_candidates), refines them in parallel (refine_one) and
 * puts the improved ones back in the order of their ranks.
 */
#include "optim/hybrid.h"

#include "optim/hill.h"
#include "optim/registry.h"
#include "optim/sa.h"
#include "optim/tabu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPARE = 4,     /* ranks looked at for every one wanted: copies and refined ones fall out */
    MEMORY = 65536 /* genotypes that hill, beam and exact remember to have refined */
};

static const uint64_t REFINE_SEED = 0x7265666e; /* keeps the refinements' streams from ga's */

/* An individual that is being refined. */
typedef struct Candidate {
    size_t index; /* in the population */
    double before, after;
    unsigned char *genotype; /* the refined one */
    uint64_t budget, evaluations;
    SaChain sa;
    HillChain hill;
} Candidate;

typedef struct Hybrid {
    Control *control;
    const HybridParameters *parameters;
    SaParameters sa;
    HillParameters hill;
    Candidate *candidates;
    size_t capacity, count; /* count: of this refinement */
    unsigned char *genotypes;
    size_t genotype_stride;
    GaRank *ranks;
    Tabu seen;
    uint64_t generation;
} Hybrid;

static const Option rows[] = {
    GA_PARAMETER_ROWS("2000", "3000", "400", "0.15", "piece", "uniform", "softmax", "100", "0.1",
                      "0.2", "3", "2", "half", "0.5", "0", "1"),
    PARAMETER_CHOICE(HybridParameters, refine, "refine", "sa", "sa|hill|beam|exact",
                     "what improves the best individuals"),
    TUNED_INTEGER(HybridParameters, count, "refine-count", "8", 1, 1e5, "1..64 log",
                  "individuals that are refined at a time"),
    TUNED_INTEGER(HybridParameters, every, "refine-every", "10", 1, 1e9, "1..100 log",
                  "generations from one refinement to the next"),
    TUNED_INTEGER(HybridParameters, effort, "refine-effort", "2000", 1, 1e12, "100..20000 log",
                  "the most evaluations to refine one individual"),
    TUNED_REAL(HybridParameters, temperature, "refine-temperature", "2", 1e-6, 1e9,
               "0.1..100 log if refine=sa", "sa: the temperature at the start of a refinement"),
    TUNED_REAL(HybridParameters, cooling, "refine-cooling", "0.002", 0, 0.999,
               "0.0001..0.1 log if refine=sa", "sa: c of a refinement"),
    TUNED_INTEGER(HybridParameters, tabu, "refine-tabu", "1000", 0, 1e7,
                  "1..10000 log if refine=sa", "sa: the length of the tabu list of a refinement"),
};

static void hybrid_release(Hybrid *hybrid) {
    for (size_t i = 0; i < hybrid->capacity && hybrid->candidates; i++) {
        sa_chain_release(&hybrid->candidates[i].sa);
        hill_chain_release(&hybrid->candidates[i].hill);
    }
    free(hybrid->candidates);
    free(hybrid->genotypes);
    free(hybrid->ranks);
    tabu_release(&hybrid->seen);
}

static void set_searches(Hybrid *hybrid) {
    const HybridParameters *parameters = hybrid->parameters;
    hybrid->sa = (SaParameters){.steps = parameters->effort < INT64_MAX / 4
                                             ? 4 * parameters->effort
                                             : INT64_MAX, /* skips are steps, not evaluations */
                                .patience = parameters->effort,
                                .tabu = parameters->tabu,
                                .temperature = parameters->temperature,
                                .temperature_floor = 0.1, /* as sa has it */
                                .cooling = parameters->cooling,
                                .neighbourhood = SA_ORDERED};
    hybrid->hill = (HillParameters){.climb = HILL_FIRST, .patience = 1};
}

static bool hybrid_init(Hybrid *hybrid, Control *control, const HybridParameters *parameters,
                        Status *status) {
    size_t bytes = control->problem->genotype_bytes;
    *hybrid = (Hybrid){.control = control,
                       .parameters = parameters,
                       .capacity = (size_t)parameters->count,
                       .genotype_stride = control_stride(bytes)};
    set_searches(hybrid);
    hybrid->candidates = control_allocate(hybrid->capacity, sizeof *hybrid->candidates, status);
    hybrid->genotypes = control_allocate(hybrid->capacity, hybrid->genotype_stride, status);
    hybrid->ranks = control_allocate(SPARE * hybrid->capacity, sizeof *hybrid->ranks, status);
    bool ok = hybrid->candidates && hybrid->genotypes && hybrid->ranks &&
              tabu_init(&hybrid->seen, MEMORY, status);
    for (size_t i = 0; ok && i < hybrid->capacity; i++) {
        Candidate *candidate = &hybrid->candidates[i];
        candidate->genotype = hybrid->genotypes + i * hybrid->genotype_stride;
        if (parameters->refine == HYBRID_SA)
            ok = sa_chain_init(&candidate->sa, control, &hybrid->sa, status);
        else if (parameters->refine == HYBRID_HILL)
            ok = hill_chain_init(&candidate->hill, control, &hybrid->hill, status);
    }
    return ok;
}

/* Selects the best individuals without copies, and without those refined before where refining them
 * again would find the same. */
static void select_candidates(Hybrid *hybrid, Ga *ga) {
    size_t bytes = hybrid->control->problem->genotype_bytes;
    size_t found = ga_best(ga, hybrid->ranks, SPARE * hybrid->capacity);
    if (hybrid->parameters->refine == HYBRID_SA)
        tabu_clear(&hybrid->seen);
    hybrid->count = 0;
    for (size_t i = 0; i < found && hybrid->count < hybrid->capacity; i++) {
        const GaRank *rank = &hybrid->ranks[i];
        uint64_t hash = tabu_hash(ga_genotype(ga, rank->index), bytes);
        if (tabu_has(&hybrid->seen, hash))
            continue;
        tabu_add(&hybrid->seen, hash);
        Candidate *candidate = &hybrid->candidates[hybrid->count++];
        candidate->index = rank->index;
        candidate->before = candidate->after = rank->fitness;
        candidate->evaluations = 0;
        memcpy(candidate->genotype, ga_genotype(ga, rank->index), bytes);
    }
    uint64_t share = hybrid->count > 0 ? control_left(hybrid->control) / hybrid->count : 0;
    uint64_t effort = (uint64_t)hybrid->parameters->effort;
    for (size_t i = 0; i < hybrid->count; i++)
        hybrid->candidates[i].budget = share < effort ? share : effort;
}

/* Runs a chain from the candidate's genotype to its end. */
static void refine_by_chain(const Hybrid *hybrid, Candidate *candidate, Chain *chain,
                            ChainRound *round, void *scratch) {
    chain->budget = candidate->budget;
    while (!chain->ended && (chain->evaluations == 0 || !control_cut(hybrid->control)))
        round(chain, scratch);
    candidate->evaluations = chain->evaluations;
    if (chain->evaluations > 0 && chain->best_fitness > candidate->after) {
        candidate->after = chain->best_fitness;
        memcpy(candidate->genotype, chain->best, hybrid->control->problem->genotype_bytes);
    }
}

static void refine_one(const Hybrid *hybrid, Candidate *candidate, size_t number, void *scratch) {
    uint64_t seed = rng_derive(hybrid->control->run->seed, REFINE_SEED);
    uint64_t stream = hybrid->generation << 32 | number;
    const Problem *problem = hybrid->control->problem;
    switch ((HybridRefine)hybrid->parameters->refine) {
    case HYBRID_SA:
        sa_chain_reset(&candidate->sa, candidate->genotype, seed, stream);
        refine_by_chain(hybrid, candidate, &candidate->sa.chain, sa_chain_round, scratch);
        break;
    case HYBRID_HILL:
        hill_chain_reset(&candidate->hill, candidate->genotype, seed, stream);
        refine_by_chain(hybrid, candidate, &candidate->hill.chain, hill_chain_round, scratch);
        break;
    case HYBRID_BEAM:
    case HYBRID_EXACT:
        candidate->evaluations = problem->refine(
            problem, hybrid->parameters->refine == HYBRID_BEAM ? REFINE_BEAM : REFINE_EXACT,
            candidate->budget, rng_derive(seed, stream), control_problem_cut(hybrid->control),
            candidate->genotype, &candidate->after);
        break;
    }
}

static void refine_task(void *context, size_t first, size_t last, unsigned worker) {
    const Hybrid *hybrid = context;
    for (size_t i = first; i < last; i++)
        if (hybrid->candidates[i].budget > 0)
            refine_one(hybrid, &hybrid->candidates[i], i, control_scratch(hybrid->control, worker));
}

static void refine(void *context, Ga *ga) {
    Hybrid *hybrid = context;
    hybrid->generation = ga_generation(ga);
    if (hybrid->generation % (uint64_t)hybrid->parameters->every != 0)
        return;
    select_candidates(hybrid, ga);
    pool_run(hybrid->control->run->pool, hybrid->count, 1, refine_task, hybrid);
    for (size_t i = 0; i < hybrid->count; i++) {
        const Candidate *candidate = &hybrid->candidates[i];
        assert(candidate->evaluations <= candidate->budget &&
               candidate->after >= candidate->before);
        control_spend(hybrid->control, candidate->evaluations);
        control_offer(hybrid->control, candidate->genotype, candidate->after);
        if (candidate->after > candidate->before)
            ga_replace(ga, candidate->index, candidate->genotype, candidate->after);
    }
}

static bool run(const OptimRun *run, const void *given, OptimOutcome *outcome, Status *status) {
    const HybridParameters *parameters = given;
    if (parameters->refine >= HYBRID_BEAM && !run->problem->refine)
        return status_fail(status, STATUS_INPUT, "refine: the problem '%s' has no beam or exact",
                           run->problem->name);
    Control control;
    Hybrid hybrid = {0};
    bool ok = control_init(&control, run, outcome, status) &&
              hybrid_init(&hybrid, &control, parameters, status) &&
              ga_evolve(&control, &parameters->ga, refine, &hybrid, NULL, status);
    hybrid_release(&hybrid);
    control_release(&control);
    return ok;
}

const Optimiser hybrid_optimiser = {
    .name = "hybrid",
    .summary = "a genetic algorithm whose best individuals are refined by another search",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(HybridParameters),
    .run = run,
};
