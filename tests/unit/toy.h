/*
 * toy: a problem for testing optimisers. Each unit has two genes, 0..4 and 0..2; every unit wants
 * two certain values, and wants its first gene to differ from that of the unit before. The best
 * fitness is 0. It offers the fold, and a copy without it must behave the same.
 */
#ifndef TETROPT_TESTS_TOY_H
#define TETROPT_TESTS_TOY_H

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "problem/problem.h"

enum { TOY_GENES = 2, TOY_PAIRS = 8 };

typedef struct Toy {
    Problem problem;
    atomic_ulong evaluations; /* whole ones and finished folds */
    bool flat;                /* every genotype has the fitness 0 */
    unsigned spin;            /* loops, to make an evaluation slow */
} Toy;

typedef struct ToyState {
    int32_t cost;
    int8_t previous;
} ToyState;

static const int8_t toy_ranges[TOY_GENES] = {5, 3};
/* (gene, value) in the order of the neighbours: the value is slowest. */
static const int8_t toy_pairs[TOY_PAIRS][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1},
                                               {0, 2}, {1, 2}, {0, 3}, {0, 4}};

static Toy *toy_of(const Problem *problem) {
    return (Toy *)(uintptr_t)problem->data;
}

static void toy_random(const Problem *problem, Rng *rng, void *genotype) {
    int8_t *genes = genotype;
    for (uint32_t i = 0; i < TOY_GENES * problem->units; i++)
        genes[i] = (int8_t)rng_below(rng, (uint32_t)toy_ranges[i % TOY_GENES]);
}

static void toy_begin(const Problem *problem, void *state) {
    (void)problem;
    *(ToyState *)state = (ToyState){0, -1};
}

static void toy_advance(const Problem *problem, void *scratch, const void *genotype, void *state,
                        uint32_t from, uint32_t to) {
    (void)problem;
    (void)scratch;
    const int8_t *genes = genotype;
    ToyState *at = state;
    for (uint32_t u = from; u < to; u++) {
        int a = genes[TOY_GENES * u], b = genes[TOY_GENES * u + 1];
        at->cost += abs(a - (int)(u * 7 % 5)) + 3 * (b != (int)(u % 3)) + 2 * (a == at->previous);
        at->previous = (int8_t)a;
    }
}

static double toy_finish(const Problem *problem, void *scratch, const void *state) {
    (void)scratch;
    Toy *toy = toy_of(problem);
    atomic_fetch_add(&toy->evaluations, 1);
    for (volatile unsigned i = 0; i < toy->spin; i++)
        ;
    return toy->flat ? 0 : -((const ToyState *)state)->cost;
}

static double toy_evaluate(const Problem *problem, void *scratch, const void *genotype) {
    ToyState state;
    toy_begin(problem, &state);
    toy_advance(problem, scratch, genotype, &state, 0, problem->units);
    return toy_finish(problem, scratch, &state);
}

static uint32_t toy_number(const Problem *problem, uint32_t unit, int gene, int value) {
    for (uint32_t pair = 0; pair < TOY_PAIRS; pair++)
        if (toy_pairs[pair][0] == gene && toy_pairs[pair][1] == value)
            return pair * problem->units + unit;
    assert(false);
    return 0;
}

static uint32_t toy_pick(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                         ProblemPick how) {
    const int8_t *genes = genotype;
    if (unit == PROBLEM_ANY_UNIT)
        unit = rng_below(rng, problem->units);
    int gene = (int)rng_below(rng, TOY_GENES), range = toy_ranges[gene];
    if (how != PICK_NEARBY)
        return toy_number(problem, unit, gene, rng_between(rng, 0, range - 1));
    int value = genes[TOY_GENES * unit + (uint32_t)gene] + (rng_chance(rng, 0.5) ? 1 : -1);
    value = value < 0 ? 1 : value >= range ? range - 2 : value;
    return toy_number(problem, unit, gene, value);
}

static uint32_t toy_change(const Problem *problem, void *genotype, uint32_t number,
                           uint32_t *undo) {
    uint32_t unit = number % problem->units;
    const int8_t *pair = toy_pairs[number / problem->units];
    int8_t *gene = (int8_t *)genotype + TOY_GENES * unit + pair[0];
    *undo = toy_number(problem, unit, pair[0], *gene);
    if (*gene == pair[1])
        return PROBLEM_UNCHANGED;
    *gene = pair[1];
    return unit;
}

static void toy_cross(const Problem *problem, const void *first, const void *second, void *child,
                      uint32_t cut, const uint64_t *mask) {
    for (uint32_t u = 0; u < problem->units; u++) {
        bool one = problem_from_first(u, cut, mask);
        for (uint32_t i = TOY_GENES * u; i < TOY_GENES * (u + 1); i++)
            ((int8_t *)child)[i] = ((const int8_t *)(one ? first : second))[i];
    }
}

static uint32_t toy_resample(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                             uint32_t end) {
    (void)problem;
    int8_t *genes = genotype;
    for (uint32_t i = TOY_GENES * begin; i < TOY_GENES * end; i++)
        genes[i] = (int8_t)rng_below(rng, (uint32_t)toy_ranges[i % TOY_GENES]);
    return begin;
}

static inline void toy_init(Toy *toy, uint32_t units, bool fold) {
    *toy = (Toy){.problem = {.name = "toy",
                             .data = toy,
                             .genotype_bytes = TOY_GENES * units,
                             .units = units,
                             .neighbours = TOY_PAIRS * units,
                             .random = toy_random,
                             .evaluate = toy_evaluate,
                             .pick = toy_pick,
                             .change = toy_change,
                             .cross = toy_cross,
                             .resample = toy_resample,
                             .state_bytes = fold ? sizeof(ToyState) : 0,
                             .begin = toy_begin,
                             .advance = toy_advance,
                             .finish = toy_finish}};
}

#endif
