/*
 * genetic: a new population is the best one (with elite), then children of two parents drawn by
 * class; each is mutated until it is unlike the ones before it.
 */
#include "train/genetic.h"

#include "base/normal.h"
#include "train/registry.h"

#include <stdio.h>
#include <string.h>

static const Option rows[] = {GENETIC_ROWS};

enum { UNLIKE_TRIES = 100 }; /* to make an individual unlike the others */

static const double ADAPTIVE_MUTATION = 0.5; /* of those up to the mean; as published */

static bool check(const TrainSpace *space, const void *given, Status *status) {
    (void)space;
    const GeneticParameters *p = given;
    if (p->class_a + p->class_b > p->population)
        return status_fail(status, STATUS_INPUT,
                           "class-b: the classes A and B have more than the population of %lld",
                           (long long)p->population);
    int64_t rest = p->population - p->class_a - p->class_b;
    int64_t parents = (p->chance_a > 0 ? p->class_a : 0) + (p->chance_b > 0 ? p->class_b : 0) +
                      (p->chance_c > 0 ? rest : 0);
    return parents >= 2 ||
           status_fail(status, STATUS_INPUT, "chance-a: fewer than two can be parents");
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    (void)parameters;
    GeneticState *state = given;
    memcpy(state->best, space->start, sizeof state->best);
    train_raise(space, state->best);
}

static double chance_of(const GeneticParameters *parameters, int64_t rank) {
    return rank < parameters->class_a                         ? parameters->chance_a
           : rank < parameters->class_a + parameters->class_b ? parameters->chance_b
                                                              : parameters->chance_c;
}

int genetic_parent(const GeneticParameters *parameters, Rng *rng) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < parameters->population; i++)
        sum += chance_of(parameters, i);
    double at = rng_real(rng) * sum;
    for (int i = 0; i < parameters->population; i++) {
        double chance = chance_of(parameters, i);
        if (chance > 0)
            last = i; /* rounding may leave `at` a little above the last probability */
        if (at < chance)
            return i;
        at -= chance;
    }
    return last;
}

static void mutate_gene(const TrainSpace *space, const GeneticParameters *parameters, int gene,
                        double *child, Rng *rng) {
    child[gene] += parameters->deviation * normal_draw(rng);
    if (child[gene] < space->low[gene])
        child[gene] = space->low[gene];
}

/* Changes `child` until it is unlike all of the `count` individuals before it. Every try changes
 * one gene more; in a space that is too small the population stays as it is. */
static void make_unlike(const TrainSpace *space, const GeneticParameters *parameters,
                        double (*population)[TRAIN_MAX_WEIGHTS], int count, double *child,
                        Rng *rng) {
    for (int tries = 0; tries < UNLIKE_TRIES; tries++) {
        bool alike = false;
        for (int i = 0; i < count && !alike; i++)
            alike = memcmp(population[i], child, (size_t)space->count * sizeof *child) == 0;
        if (!alike)
            return;
        mutate_gene(space, parameters, (int)rng_below(rng, (uint32_t)space->count), child, rng);
    }
}

static void begin(GeneticState *state, const TrainSpace *space, const GeneticParameters *parameters,
                  Rng *rng) {
    memcpy(state->population[0], state->best, sizeof state->best);
    for (int k = 1; k < parameters->population; k++) {
        double *individual = state->population[k];
        for (int i = 0; i < space->count; i++)
            individual[i] = state->best[i] + parameters->spread * (2 * rng_real(rng) - 1);
        train_raise(space, individual);
        make_unlike(space, parameters, state->population, k, individual, rng);
    }
    state->begun = 1;
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    GeneticState *state = given;
    const GeneticParameters *settings = parameters;
    if (!state->begun)
        begin(state, space, settings, rng);
    batch->count = (int)settings->population;
    memcpy(batch->vectors, state->population, (size_t)batch->count * sizeof *batch->vectors);
}

static void cross(const TrainSpace *space, const GeneticParameters *parameters, const double *first,
                  const double *second, double *child, Rng *rng) {
    int n = space->count;
    memcpy(child, first, TRAIN_MAX_WEIGHTS * sizeof *child);
    if (parameters->crossover == GENETIC_TWO_POINT) {
        int a = (int)rng_below(rng, (uint32_t)n + 1), b = (int)rng_below(rng, (uint32_t)n + 1);
        for (int i = a < b ? a : b; i < (a < b ? b : a); i++)
            child[i] = second[i];
    } else if (parameters->crossover == GENETIC_UNIFORM) {
        for (int i = 0; i < n; i++)
            child[i] = rng_chance(rng, 0.5) ? second[i] : first[i];
    } else {
        double share = rng_real(rng);
        for (int i = 0; i < n; i++)
            child[i] = share * first[i] + (1 - share) * second[i];
    }
}

/* How good the parents were; for adaptive rates. */
typedef struct Standing {
    double mean, best;
} Standing;

/* 1 for a score up to the mean, down to 0 for the best. */
static double rate_of(Standing standing, double score) {
    if (score <= standing.mean || standing.best <= standing.mean)
        return 1;
    return (standing.best - score) / (standing.best - standing.mean);
}

/* One child of two ranks (the same twice: a copy), mutated. */
static void breed(const TrainSpace *space, const GeneticParameters *parameters,
                  const TrainBatch *batch, const int *order, const int *ranks, Standing standing,
                  double *child, Rng *rng) {
    int first = order[ranks[0]], second = order[ranks[1]];
    double crossover = 1, mutation = parameters->mutation;
    if (parameters->adaptive) {
        double better = fmax(batch->scores[first], batch->scores[second]);
        crossover = rate_of(standing, better);
        mutation = ADAPTIVE_MUTATION * rate_of(standing, batch->scores[first]);
    }
    if (first != second && rng_chance(rng, crossover))
        cross(space, parameters, batch->vectors[first], batch->vectors[second], child, rng);
    else
        memcpy(child, batch->vectors[first], TRAIN_MAX_WEIGHTS * sizeof *child);
    for (int i = 0; i < space->count; i++)
        if (rng_chance(rng, mutation))
            mutate_gene(space, parameters, i, child, rng);
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    GeneticState *state = given;
    const GeneticParameters *settings = parameters;
    int order[GENETIC_MAX_POPULATION];
    train_rank(batch->scores, batch->count, order);
    memcpy(state->best, batch->vectors[order[0]], sizeof state->best);
    Standing standing = {0, batch->scores[order[0]]};
    for (int i = 0; i < batch->count; i++)
        standing.mean += batch->scores[i] / batch->count;
    for (int k = 0; k < batch->count; k++) {
        int ranks[2] = {0, 0};
        if (k > 0 || !settings->elite) {
            ranks[0] = genetic_parent(settings, rng);
            do
                ranks[1] = genetic_parent(settings, rng);
            while (ranks[1] == ranks[0]);
        }
        breed(space, settings, batch, order, ranks, standing, state->population[k], rng);
        make_unlike(space, settings, state->population, k, state->population[k], rng);
    }
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const GeneticState *)given)->best, (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    GeneticState *state = given;
    archive->integer(archive, "begun", &state->begun, 0, 1);
    archive->reals(archive, "best", state->best, space->count, -INFINITY);
    if (!state->begun)
        return;
    for (int64_t k = 0; k < ((const GeneticParameters *)parameters)->population; k++) {
        char name[32];
        snprintf(name, sizeof name, "individual_%lld", (long long)k);
        archive->reals(archive, name, state->population[k], space->count, -INFINITY);
    }
}

const TrainMethod genetic_method = {
    .name = "genetic",
    .summary = "a small population in three classes by score",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(GeneticParameters),
    .state_bytes = sizeof(GeneticState),
    .games = 3,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
};
