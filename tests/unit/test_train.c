/* The training methods on functions whose best is known, and what each promises exactly. */
#include "base/normal.h"
#include "base/parameters.h"
#include "train/genetic.h"
#include "train/matrix.h"
#include "train/registry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef double Function(const double *x, int n, Rng *noise);

static double sphere(const double *x, int n, Rng *noise) {
    (void)noise;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum -= (x[i] - 1) * (x[i] - 1);
    return sum;
}

static double noisy_sphere(const double *x, int n, Rng *noise) {
    return sphere(x, n, noise) + 0.3 * normal_draw(noise);
}

static double rosenbrock(const double *x, int n, Rng *noise) {
    (void)noise;
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        sum -= 100 * a * a + b * b;
    }
    return sum;
}

/* The cosine of the angle to (1, 2, 3, ...). */
static double angle(const double *x, int n, Rng *noise) {
    (void)noise;
    double dot = 0, own = 0, other = 0;
    for (int i = 0; i < n; i++) {
        dot += x[i] * (i + 1);
        own += x[i] * x[i];
        other += (i + 1) * (i + 1);
    }
    return own > 0 ? dot / sqrt(own * other) : -1;
}

/* A method at work. */
typedef struct Bench {
    const TrainMethod *method;
    TrainSpace space;
    Parameters parameters;
    void *state;
    TrainBatch *batch;
    Rng noise;
    int64_t generation;
} Bench;

static void bench_init(Bench *bench, const char *name, int count, double low, const char *pair) {
    *bench = (Bench){.method = train_find(name), .space = {.count = count}};
    cr_assert(bench->method, "%s", name);
    for (int i = 0; i < count; i++)
        bench->space.low[i] = low;
    parameters_init(&bench->parameters, name, bench->method->parameters);
    Status status = {0};
    if (pair)
        cr_assert(parameters_set(&bench->parameters, pair, &status), "%s", status.message);
    bench->state = calloc(1, bench->method->state_bytes);
    bench->batch = calloc(1, sizeof *bench->batch);
    rng_init(&bench->noise, 9, 9);
}

static void bench_begin(Bench *bench) {
    bench->method->start(bench->state, &bench->space, bench->parameters.values);
}

static void bench_step(Bench *bench, Function *function) {
    Rng rng;
    rng_init(&rng, 5, (uint64_t)++bench->generation);
    bench->batch->count = 0;
    bench->batch->effort = 1;
    memset(bench->batch->again, 0, sizeof bench->batch->again);
    bench->method->ask(bench->state, &bench->space, bench->parameters.values, &rng, bench->batch);
    cr_assert(bench->batch->count >= 1 && bench->batch->count <= TRAIN_MAX_CANDIDATES);
    for (int i = 0; i < bench->batch->count; i++)
        bench->batch->scores[i] =
            function(bench->batch->vectors[i], bench->space.count, &bench->noise);
    bench->method->tell(bench->state, &bench->space, bench->parameters.values, &rng, bench->batch);
}

static double bench_value(const Bench *bench, Function *function) {
    double vector[TRAIN_MAX_WEIGHTS] = {0};
    Rng rng;
    rng_init(&rng, 1, 1);
    bench->method->best(bench->state, &bench->space, vector);
    return function(vector, bench->space.count, &rng);
}

static void bench_release(Bench *bench) {
    free(bench->state);
    free(bench->batch);
}

/* Runs a method and says how good its answer is. */
static double reached(const char *name, const char *pair, int count, Function *function,
                      Function *truth, int generations) {
    Bench bench;
    bench_init(&bench, name, count, -INFINITY, pair);
    bench_begin(&bench);
    for (int i = 0; i < generations; i++)
        bench_step(&bench, function);
    double value = bench_value(&bench, truth);
    bench_release(&bench);
    return value;
}

Test(train, every_method_climbs_the_sphere) {
    static const struct {
        const char *name, *pair;
        int count, generations;
        double at_least;
    } cases[] = {
        {"cma-es", NULL, 8, 200, -1e-6},       {"cma-es", "lambda=20", 20, 300, -1e-4},
        {"cross-entropy", NULL, 5, 80, -0.01}, {"bayes", NULL, 2, 25, -0.1},
        {"competition", NULL, 5, 60, -0.6},    {"gradient", NULL, 5, 60, -0.05},
        {"genetic", NULL, 5, 300, -0.3},       {"hybrid", "patience=5", 5, 120, -0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = reached(cases[i].name, cases[i].pair, cases[i].count, sphere, sphere,
                               cases[i].generations);
        cr_expect(value >= cases[i].at_least, "%s %s: %g", cases[i].name,
                  cases[i].pair ? cases[i].pair : "", value);
    }
}

Test(train, cma_es_follows_the_valley_of_rosenbrock) {
    double value = reached("cma-es", NULL, 6, rosenbrock, rosenbrock, 600);
    cr_expect(value > -1e-3, "%g", value);
}

Test(train, noise_does_not_lead_them_astray) {
    double cma = reached("cma-es", NULL, 6, noisy_sphere, sphere, 300);
    double cross = reached("cross-entropy", NULL, 6, noisy_sphere, sphere, 100);
    double bayes = reached("bayes", "logarithm=off", 2, noisy_sphere, sphere, 40);
    cr_expect(cma > -0.2, "%g", cma);
    cr_expect(cross > -0.2, "%g", cross);
    cr_expect(bayes > -0.6, "%g", bayes);
}

Test(train, cma_es_finds_a_direction_and_keeps_its_length) {
    Bench bench;
    bench_init(&bench, "cma-es", 7, -INFINITY, NULL);
    bench.space.direction = true;
    bench_begin(&bench);
    for (int i = 0; i < 150; i++) {
        bench_step(&bench, angle);
        double vector[TRAIN_MAX_WEIGHTS], square = 0;
        bench.method->best(bench.state, &bench.space, vector);
        for (int k = 0; k < 7; k++)
            square += vector[k] * vector[k];
        cr_assert_float_eq(square, 1, 1e-9);
    }
    cr_expect(bench_value(&bench, angle) > 0.9999, "%g", bench_value(&bench, angle));
    const char *name;
    cr_expect(bench.method->spread(bench.state, &bench.space, &name) < 0.1, "sigma ran away");
    bench_release(&bench);
}

Test(train, cma_es_plays_more_when_scores_are_noise) {
    Bench bench;
    bench_init(&bench, "cma-es", 6, -INFINITY, NULL);
    bench_begin(&bench);
    double most = 1;
    for (int i = 0; i < 300; i++) {
        bench_step(&bench, noisy_sphere);
        most = fmax(most, bench.batch->effort);
    }
    cr_expect(most > 4, "%g", most);
    bench_release(&bench);
    bench_init(&bench, "cma-es", 6, -INFINITY, NULL);
    bench_begin(&bench);
    for (int i = 0; i < 100; i++) {
        bench_step(&bench, sphere);
        cr_assert_eq(bench.batch->effort, 1);
    }
    bench_release(&bench);
}

/* The weight in which two vectors differ, and by how much; -1 unless it is exactly one. */
static int only_change(const double *a, const double *b, int n, double *change) {
    int found = -1;
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) {
            if (found >= 0)
                return -1;
            found = i;
            *change = b[i] - a[i];
        }
    return found;
}

Test(train, competition_keeps_its_rules) {
    enum { COUNT = 6 };
    Bench bench;
    bench_init(&bench, "competition", COUNT, 0, NULL);
    bench_begin(&bench);
    int last = -1, left_out = 0;
    double last_change = 0;
    for (int g = 0; g < 200; g++) {
        double parent[TRAIN_MAX_WEIGHTS], after[TRAIN_MAX_WEIGHTS], change = 0;
        bench.method->best(bench.state, &bench.space, parent);
        bench_step(&bench, sphere);
        bool offered[COUNT][2] = {{false}};
        for (int k = 0; k < bench.batch->count; k++) {
            const double *candidate = bench.batch->vectors[k];
            int weight = only_change(parent, candidate, COUNT, &change);
            cr_assert(weight >= 0, "one weight changes");
            cr_assert(fabs(change) >= 0.1 - 1e-12 && fabs(change) <= 0.5 + 1e-12, "%g", change);
            cr_assert(candidate[weight] >= 0);
            cr_assert(!(weight == last && change * last_change < 0), "the reverse of the last");
            cr_assert(!offered[weight][change > 0], "offered twice");
            offered[weight][change > 0] = true;
        }
        for (int i = 0; i < COUNT; i++) {
            cr_assert(offered[i][1] || (i == last && last_change < 0));
            left_out += !offered[i][0];
        }
        bench.method->best(bench.state, &bench.space, after);
        last = only_change(parent, after, COUNT, &last_change);
        cr_assert(last >= 0, "the parent always gives way");
    }
    cr_expect(left_out > 0, "limits and reverses were met");
    bench_release(&bench);
}

Test(train, gradient_takes_one_weight_in_turn) {
    enum { COUNT = 4 };
    Bench bench;
    bench_init(&bench, "gradient", COUNT, 0, NULL);
    bench_begin(&bench);
    for (int g = 0; g < 60; g++) {
        double before[TRAIN_MAX_WEIGHTS], after[TRAIN_MAX_WEIGHTS], change = 0;
        bench.method->best(bench.state, &bench.space, before);
        bench_step(&bench, sphere);
        int same = 0;
        for (int k = 0; k < bench.batch->count; k++) {
            const double *candidate = bench.batch->vectors[k];
            int weight = only_change(before, candidate, COUNT, &change);
            if (weight < 0) {
                cr_assert(memcmp(before, candidate, COUNT * sizeof *before) == 0);
                same++;
                continue;
            }
            cr_assert_eq(weight, g % COUNT);
            double size = fabs(change);
            cr_assert(fabs(size - 0.1) < 1e-9 || fabs(size - 0.5) < 1e-9, "%g", size);
            cr_assert(candidate[weight] >= 0);
        }
        cr_assert_eq(same, 1);
        bench.method->best(bench.state, &bench.space, after);
        cr_assert(sphere(after, COUNT, NULL) >= sphere(before, COUNT, NULL));
    }
    bench_release(&bench);
}

Test(train, genetic_parents_come_by_their_chances) {
    GeneticParameters parameters = {0};
    options_defaults(genetic_method.parameters, &parameters);
    enum { DRAWS = 100000 };
    int counts[14] = {0};
    Rng rng;
    rng_init(&rng, 3, 0);
    for (int i = 0; i < DRAWS; i++)
        counts[genetic_parent(&parameters, &rng)]++;
    double chi = 0;
    for (int i = 0; i < 14; i++) {
        /* 3 x 16.67 + 5 x 6 + 6 x 3.33 = 99.99 */
        double chance = (i < 3 ? 16.67 : i < 8 ? 6 : 3.33) / 99.99, expected = DRAWS * chance;
        chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    cr_expect(chi < 34.5, "chi-square %g with 13 degrees of freedom (0.1 %%)", chi);
}

Test(train, genetic_keeps_its_rules) {
    static const char *const pairs[] = {NULL, "crossover=uniform", "crossover=arithmetic",
                                        "adaptive=on"};
    enum { COUNT = 5 };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        Bench bench;
        bench_init(&bench, "genetic", COUNT, 0, pairs[p]);
        bench_begin(&bench);
        int kept = 0;
        double champion[TRAIN_MAX_WEIGHTS];
        for (int g = 0; g < 100; g++) {
            bench.method->best(bench.state, &bench.space, champion);
            bench_step(&bench, sphere);
            for (int i = 0; i < bench.batch->count; i++) {
                const double *individual = bench.batch->vectors[i];
                for (int k = 0; k < COUNT; k++)
                    cr_assert(individual[k] >= 0);
                for (int j = 0; j < i; j++)
                    cr_assert(memcmp(individual, bench.batch->vectors[j],
                                     COUNT * sizeof *individual) != 0,
                              "two are alike");
            }
            kept += memcmp(champion, bench.batch->vectors[0], COUNT * sizeof *champion) == 0;
        }
        /* Five genes stay unmutated with 0.9^5 = 59 %; with adaptive rates the best always. */
        if (p == 3)
            cr_expect_eq(kept, 100);
        else
            cr_expect(kept > 35 && kept < 85, "the best passed on %d times of 100", kept);
        bench_release(&bench);
    }
}

Test(train, hybrid_climbs_when_the_population_stagnates) {
    Bench bench;
    bench_init(&bench, "hybrid", 4, -INFINITY, "patience=3");
    bench_begin(&bench);
    int switched = 0;
    for (int g = 1; g <= 200; g++) {
        bench_step(&bench, sphere);
        if (bench.batch->count == 5 && !switched)
            switched = g;
        cr_assert_eq(bench.batch->count, switched ? 5 : 14);
    }
    cr_expect(switched > 4, "%d", switched);
    cr_expect(bench_value(&bench, sphere) > -0.02);
    bench_release(&bench);
}

Test(train, bad_parameters_are_refused) {
    static const char *const bad[][2] = {{"cma-es", "lambda=3"},         {"cma-es", "again=64"},
                                         {"cross-entropy", "elite=100"}, {"genetic", "class-b=12"},
                                         {"competition", "least=0.6"},   {"bayes", "points=8"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Bench bench;
        Status status = {0};
        bench_init(&bench, bad[i][0], 6, -INFINITY, bad[i][1]);
        cr_expect(!bench.method->check(&bench.space, bench.parameters.values, &status), "%s",
                  bad[i][1]);
        cr_expect(status.code == STATUS_INPUT && status.message[0]);
        bench_release(&bench);
    }
}

Test(matrix, eigenvectors_rebuild_the_matrix) {
    enum { SIZE = 12 };
    Rng rng;
    rng_init(&rng, 1, 0);
    double original[SIZE * SIZE], copy[SIZE * SIZE], values[SIZE], vectors[SIZE * SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= i; j++)
            original[i * SIZE + j] = original[j * SIZE + i] = normal_draw(&rng);
    memcpy(copy, original, sizeof copy);
    matrix_eigen(copy, SIZE, values, vectors);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double rebuilt = 0, product = 0;
            for (int k = 0; k < SIZE; k++) {
                rebuilt += vectors[i * SIZE + k] * values[k] * vectors[j * SIZE + k];
                product += vectors[k * SIZE + i] * vectors[k * SIZE + j];
            }
            cr_assert_float_eq(rebuilt, original[i * SIZE + j], 1e-12);
            cr_assert_float_eq(product, i == j, 1e-12);
        }
}

Test(matrix, cholesky_solves) {
    enum { SIZE = 9 };
    Rng rng;
    rng_init(&rng, 2, 0);
    double root[SIZE][SIZE], matrix[SIZE * SIZE], x[SIZE], b[SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            root[i][j] = normal_draw(&rng);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            matrix[i * SIZE + j] = i == j;
            for (int k = 0; k < SIZE; k++)
                matrix[i * SIZE + j] += root[i][k] * root[j][k];
        }
    for (int i = 0; i < SIZE; i++) {
        x[i] = i - 4;
        b[i] = 0;
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            b[i] += matrix[i * SIZE + j] * x[j];
    cr_assert(matrix_cholesky(matrix, SIZE));
    matrix_solve_lower(matrix, SIZE, b);
    matrix_solve_upper(matrix, SIZE, b);
    for (int i = 0; i < SIZE; i++)
        cr_assert_float_eq(b[i], x[i], 1e-9);
    double bad[4] = {1, 2, 2, 1};
    cr_assert(!matrix_cholesky(bad, 2));
}

Test(normal, has_the_moments_of_a_normal) {
    enum { DRAWS = 200000 };
    Rng rng;
    rng_init(&rng, 4, 0);
    double sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < DRAWS; i++) {
        double z = normal_draw(&rng);
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    cr_expect_float_eq(sum / DRAWS, 0, 0.01);
    cr_expect_float_eq(squares / DRAWS, 1, 0.02);
    cr_expect_float_eq(fourth / DRAWS, 3, 0.15);
}

Test(space, directions_of_any_length_are_normalised) {
    static const double sizes[] = {1, 1e300, 1.7e308, 1e-300};
    TrainSpace space = {.count = 3, .direction = true};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double vector[3] = {sizes[i], -sizes[i], 0};
        train_normalise(&space, vector);
        cr_assert_float_eq(vector[0], sqrt(0.5), 1e-12, "%g", sizes[i]);
        cr_assert_float_eq(vector[1], -sqrt(0.5), 1e-12, "%g", sizes[i]);
    }
    double zero[3] = {0};
    cr_assert_eq(train_normalise(&space, zero), 1);
}
