/* The parts that optimisers are made of: selection, sampler, tabu list, walk. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/sampler.h"
#include "optim/select.h"
#include "optim/tabu.h"
#include "optim/walk.h"
#include "problem/queens.h"
#include "problem/sat.h"

#include "unit/toy.h"

enum { GENOTYPE_MAX = 256 };

static int descending(const void *a, const void *b) {
    double one = *(const double *)a, two = *(const double *)b;
    return one > two ? -1 : one < two;
}

Test(select, agrees_with_sorting) {
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int round = 0; round < 300; round++) {
        size_t count = 1 + rng_below(&rng, 200);
        uint32_t values = 1 + rng_below(&rng, 100);
        double sorted[200], work[200], input[200];
        for (size_t i = 0; i < count; i++) /* some rounds in order, most at random, many equal */
            input[i] = round % 10 == 0   ? (double)i
                       : round % 10 == 1 ? -(double)i
                                         : rng_below(&rng, values);
        memcpy(sorted, input, sizeof input);
        qsort(sorted, count, sizeof *sorted, descending);
        for (size_t rank = 0; rank < count; rank++) {
            memcpy(work, input, sizeof input);
            cr_assert_eq(select_largest(work, count, rank), sorted[rank]);
        }
    }
}

Test(sampler, softmax_is_what_the_formula_says) {
    enum { COUNT = 3000, DRAWS = 400000 };
    static double values[COUNT], weights[COUNT];
    static int drawn[COUNT];
    Rng rng;
    rng_init(&rng, 2, 0);
    double total = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = -300 * rng_real(&rng);
    for (int i = 0; i < COUNT; i++)
        total += weights[i] = exp((values[i] + 50) / 20);
    Status status;
    Pool *pool = pool_new(2, &status);
    Sampler sampler;
    cr_assert(sampler_init(&sampler, COUNT, &status));
    sampler_softmax(&sampler, pool, values, COUNT, 20);
    for (int i = 0; i < COUNT; i++) {
        double below = i % SAMPLER_BLOCK == 0 ? 0 : sampler.cumulative[i - 1];
        double share = (sampler.cumulative[i] - below) / sampler.total;
        cr_assert(fabs(share - weights[i] / total) < 1e-12);
    }
    for (int i = 0; i < DRAWS; i++)
        drawn[sampler_draw(&sampler, &rng)]++;
    double chi2 = 0;
    for (int i = 0; i < COUNT; i++) {
        double expected = DRAWS * weights[i] / total;
        chi2 += (drawn[i] - expected) * (drawn[i] - expected) / expected;
    }
    /* 2999 degrees of freedom: mean 2999, standard deviation 77; the rare ones add some. */
    cr_assert(chi2 > 2500 && chi2 < 3700, "chi2 %g", chi2);
    sampler_release(&sampler);
    pool_free(pool);
}

Test(sampler, extreme_temperatures_and_small_counts) {
    Status status;
    Pool *pool = pool_new(1, &status);
    Sampler sampler;
    cr_assert(sampler_init(&sampler, 4, &status));
    Rng rng;
    rng_init(&rng, 3, 0);
    double values[] = {-1e6, -5, -1e9, -40};
    sampler_softmax(&sampler, pool, values, 4, 0.1);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(sampler_draw(&sampler, &rng), 1);
    sampler_softmax(&sampler, pool, values, 1, 0.1);
    cr_assert_eq(sampler_draw(&sampler, &rng), 0);
    double equal[] = {7, 7, 7, 7};
    int drawn[4] = {0};
    sampler_roulette(&sampler, equal, 4);
    for (int i = 0; i < 40000; i++)
        drawn[sampler_draw(&sampler, &rng)]++;
    for (int i = 0; i < 4; i++)
        cr_assert(abs(drawn[i] - 10000) < 500);
    double rising[] = {0, 1, 2, 100};
    sampler_roulette(&sampler, rising, 4);
    memset(drawn, 0, sizeof drawn);
    for (int i = 0; i < 107000; i++)
        drawn[sampler_draw(&sampler, &rng)]++;
    for (int i = 0; i < 4; i++)
        cr_assert(fabs(drawn[i] - 1000 * (rising[i] + 1)) < 1500, "%d: %d", i, drawn[i]);
    sampler_release(&sampler);
    pool_free(pool);
}

Test(tabu, remembers_the_last_ones_and_no_others) {
    enum { CAPACITY = 37, STEPS = 5000 };
    static uint64_t history[STEPS];
    Tabu tabu;
    Status status;
    cr_assert(tabu_init(&tabu, CAPACITY, &status));
    Rng rng;
    rng_init(&rng, 4, 0);
    size_t added = 0;
    for (int step = 0; step < STEPS; step++) {
        /* Small numbers times the table's size all want the same few slots. */
        uint64_t hash = 1 + (uint64_t)rng_below(&rng, 100) * (tabu.mask + 1) + rng_below(&rng, 3);
        bool expected = false;
        for (size_t i = added > CAPACITY ? added - CAPACITY : 0; i < added; i++)
            expected |= history[i] == hash;
        cr_assert_eq(tabu_has(&tabu, hash), expected);
        if (!expected) {
            tabu_add(&tabu, hash);
            history[added++] = hash;
        }
    }
    tabu_clear(&tabu);
    cr_assert_not(tabu_has(&tabu, history[added - 1]));
    tabu_release(&tabu);
    cr_assert(tabu_init(&tabu, 0, &status));
    tabu_add(&tabu, 5);
    cr_assert_not(tabu_has(&tabu, 5));
    tabu_release(&tabu);
}

Test(tabu, hashes_differ_for_every_bit) {
    unsigned char bytes[19] = {0};
    uint64_t plain = tabu_hash(bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        cr_assert_neq(tabu_hash(bytes, sizeof bytes), plain);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    cr_assert_neq(tabu_hash(bytes, 18), plain);
}

static void check_walk(const Problem *problem, bool fast) {
    void *memory = aligned_alloc(64, walk_bytes(problem, fast));
    unsigned char scratch[1024], genotype[GENOTYPE_MAX], before[GENOTYPE_MAX];
    Walk walk;
    Rng rng;
    rng_init(&rng, 6, 0);
    walk_init(&walk, problem, memory, fast);
    problem->random(problem, &rng, genotype);
    walk_begin(&walk, scratch, genotype);
    for (int step = 0; step < 500; step++) {
        cr_assert_eq(walk.fitness, problem->evaluate(problem, scratch, walk.genotype));
        memcpy(before, walk.genotype, problem->genotype_bytes);
        if (step % 4 == 3) {
            uint32_t unit = rng_below(&rng, problem->units);
            walk_resample(&walk, &rng, unit, step % 8 == 3 ? unit + 1 : problem->units);
        } else if (!walk_try(&walk, rng_below(&rng, problem->neighbours))) {
            cr_assert_arr_eq(before, walk.genotype, problem->genotype_bytes);
            continue;
        }
        cr_assert_eq(walk_value(&walk, scratch),
                     problem->evaluate(problem, scratch, walk.genotype));
        if (step % 3 == 0) {
            walk_keep(&walk, scratch);
        } else {
            walk_undo(&walk);
            cr_assert_arr_eq(before, walk.genotype, problem->genotype_bytes);
        }
    }
    free(memory);
}

Test(walk, shortcuts_agree_with_evaluation) {
    Toy toy;
    toy_init(&toy, 9, true);
    Queens queens;
    cr_assert(queens_init(&queens, 12, NULL));
    Sat *sat = sat_random(20, 80, true, 1, (ProblemCut){0}, NULL);
    for (int fast = 0; fast < 2; fast++) {
        check_walk(&toy.problem, fast);
        check_walk(&queens.problem, fast);
        check_walk(sat_problem(sat), fast);
    }
    sat_free(sat);
}
