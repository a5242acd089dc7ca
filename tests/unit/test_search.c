/* Problems and searches of tetropt.h: batches against the job `eval`, ask/tell against the solver,
 * custom problems against built-in ones. */
#include "base/rng.h"
#include "scale.h"
#include "tetropt.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKS(kind, handle, call)                                                                  \
    cr_assert_eq(call, TETROPT_OK, "%s: %s", #call, tetropt_##kind##_message(handle))

static tetropt_problem *tetris(const char *n, const char *encoding) {
    tetropt_problem *problem = tetropt_problem_new("tetris");
    WORKS(problem, problem, tetropt_problem_set(problem, "n", n));
    WORKS(problem, problem, tetropt_problem_set(problem, "encoding", encoding));
    WORKS(problem, problem, tetropt_problem_set(problem, "piece-seed", "3"));
    return problem;
}

/* ---- problems */

Test(problem, ranges_and_batches) {
    static const char *const encodings[] = {"simple", "double", "swap-simple", "swap-double"};
    static const int genes[] = {2, 4, 3, 5};
    enum { ROWS = 300 };
    for (int i = 0; i < 4; i++) {
        tetropt_problem *problem = tetris("12", encodings[i]);
        int count = tetropt_problem_genes(problem), low, high;
        cr_assert_eq(count, 12 * genes[i]);
        int16_t *wide = malloc(ROWS * (size_t)count * sizeof *wide);
        int8_t *narrow = malloc(ROWS * (size_t)count);
        double one[ROWS], two[ROWS];
        WORKS(problem, problem, tetropt_problem_random(problem, 7, ROWS, wide));
        for (int k = 0; k < ROWS * count; k++) {
            narrow[k] = (int8_t)wide[k];
            WORKS(problem, problem, tetropt_problem_range(problem, k % count, &low, &high));
            cr_assert(wide[k] >= low && wide[k] <= high);
        }
        WORKS(problem, problem, tetropt_problem_evaluate(problem, narrow, ROWS, one, 1));
        WORKS(problem, problem, tetropt_problem_evaluate16(problem, wide, ROWS, two, 3));
        cr_assert_eq(memcmp(one, two, sizeof one), 0);
        char text[5000];
        cr_assert_gt(tetropt_problem_document(problem, wide, text, sizeof text), 100);
        cr_assert_eq(strtod(text + strlen("{\"fitness\":"), NULL), one[0], "%s", text);
        free(wide);
        free(narrow);
        tetropt_problem_free(problem);
    }
}

/* The document is what the job `eval` answers for the same genes. */
Test(problem, document_is_that_of_eval) {
    tetropt_problem *problem = tetropt_problem_new("tetris");
    WORKS(problem, problem, tetropt_problem_set(problem, "pieces", "TOIL"));
    WORKS(problem, problem, tetropt_problem_set(problem, "encoding", "simple"));
    const int16_t genes[] = {-4, 0, 0, 0, 3, 1, 2, 3};
    char ours[5000], theirs[5000];
    size_t length = tetropt_problem_document(problem, genes, ours, sizeof ours);
    tetropt_job *job = tetropt_job_new("eval");
    WORKS(job, job,
          tetropt_job_set(job, "document",
                          "{\"pieces\":\"TOIL\",\"encoding\":\"simple\",\"order\":\"turn-first\","
                          "\"genes\":[[-4,0],[0,0],[3,1],[2,3]]}"));
    WORKS(job, job, tetropt_job_run(job));
    cr_assert_eq(tetropt_job_document(job, theirs, sizeof theirs), length);
    cr_assert_str_eq(ours, theirs);
    tetropt_job_free(job);
    tetropt_problem_free(problem);
}

Test(problem, bad_genes_are_named_before_any_work) {
    tetropt_problem *problem = tetris("4", "simple");
    int8_t genes[3 * 8] = {0};
    double fitness[3] = {1, 2, 3};
    genes[8 + 3] = 4;
    genes[16] = -6;
    cr_assert_eq(tetropt_problem_evaluate(problem, genes, 3, fitness, 2), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_problem_message(problem), "genes: row 1, gene 3: 4 is not in 0..3");
    cr_assert(fitness[0] == 1 && fitness[1] == 2, "nothing was evaluated");
    genes[8 + 3] = 0;
    cr_assert_eq(tetropt_problem_evaluate(problem, genes, 3, fitness, 2), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_problem_message(problem), "genes: row 2, gene 0: -6 is not in -5..5");
    WORKS(problem, problem, tetropt_problem_set(problem, "encoding", "placements"));
    cr_assert_eq(tetropt_problem_genes(problem), 0);
    cr_assert_str_eq(tetropt_problem_message(problem), "encoding: placements has no genes");
    cr_assert_eq(tetropt_problem_set(problem, "algorithm", "ga"), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_set(problem, "preset", "untuned"), TETROPT_INPUT);
    tetropt_problem_free(problem);
}

Test(problem, queens_and_sat) {
    double fitness[2];
    tetropt_problem *queens = tetropt_problem_new("queens");
    int16_t columns[16] = {0, 4, 7, 5, 2, 6, 1, 3, 0, 1, 2, 3, 4, 5, 6, 7};
    WORKS(problem, queens, tetropt_problem_evaluate16(queens, columns, 2, fitness, 1));
    cr_assert(fitness[0] == 0 && fitness[1] == -28);
    columns[9] = 0;
    cr_assert_eq(tetropt_problem_evaluate16(queens, columns, 2, fitness, 1), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_problem_message(queens), "genes: row 1: is not a permutation");
    tetropt_problem_free(queens);
    tetropt_problem *sat = tetropt_problem_new("sat");
    WORKS(problem, sat, tetropt_problem_set(sat, "dimacs", "p cnf 3 2\n1 -2 0\n2 3 0\n"));
    const int8_t values[] = {0, 1, 0, 1, 0, 1};
    WORKS(problem, sat, tetropt_problem_evaluate(sat, values, 2, fitness, 1));
    cr_assert(fitness[0] == 1 && fitness[1] == 2);
    tetropt_problem_free(sat);
    cr_assert_null(tetropt_problem_new("none"));
}

/* Operators keep genotypes valid and depend on the seed only. */
Test(problem, operators) {
    static const char *const kinds[] = {"tetris", "queens", "sat"};
    for (int kind = 0; kind < 3; kind++) {
        tetropt_problem *problem =
            kind ? tetropt_problem_new(kinds[kind]) : tetris("10", "swap-double");
        int genes = tetropt_problem_genes(problem), changed = 0;
        int16_t two[100], out[50], again[50];
        WORKS(problem, problem, tetropt_problem_random(problem, 1, 2, two));
        for (uint64_t seed = 0; seed < 50; seed++) {
            double fitness;
            int differ = 0;
            WORKS(problem, problem, tetropt_problem_neighbour(problem, two, seed, out));
            for (int i = 0; i < genes; i++)
                differ += out[i] != two[i];
            cr_assert_eq(differ, kind == 1 ? 2 : 1);
            WORKS(problem, problem, tetropt_problem_evaluate16(problem, out, 1, &fitness, 1));
            WORKS(problem, problem, tetropt_problem_cross(problem, two, two + genes, seed, out));
            WORKS(problem, problem, tetropt_problem_cross(problem, two, two + genes, seed, again));
            cr_assert_eq(memcmp(out, again, (size_t)genes * sizeof *out), 0);
            WORKS(problem, problem, tetropt_problem_evaluate16(problem, out, 1, &fitness, 1));
            WORKS(problem, problem, tetropt_problem_mutate(problem, two, 0.5, seed, out));
            WORKS(problem, problem, tetropt_problem_evaluate16(problem, out, 1, &fitness, 1));
            changed += memcmp(out, two, (size_t)genes * sizeof *out) != 0;
            WORKS(problem, problem, tetropt_problem_mutate(problem, two, 0, seed, out));
            cr_assert_eq(memcmp(out, two, (size_t)genes * sizeof *out), 0);
        }
        cr_assert_geq(changed, 45);
        cr_assert_eq(tetropt_problem_mutate(problem, two, NAN, 1, out), TETROPT_INPUT);
        tetropt_problem_free(problem);
    }
}

/* ---- ask and tell */

enum { MOST = 3000 };

/* Drives a search with the problem's own fitness; returns the largest batch. */
static size_t drive(tetropt_search *search, tetropt_problem *problem, size_t capacity) {
    static int16_t genes[MOST * 100];
    static double fitness[MOST];
    size_t largest = 0;
    int64_t count;
    while ((count = tetropt_search_ask(search, genes, capacity)) > 0) {
        WORKS(problem, problem,
              tetropt_problem_evaluate16(problem, genes, (size_t)count, fitness, 1));
        WORKS(search, search, tetropt_search_tell(search, fitness, (size_t)count));
        largest = (size_t)count > largest ? (size_t)count : largest;
    }
    cr_assert_eq(count, 0, "%s", tetropt_search_message(search));
    return largest;
}

typedef struct Method {
    const char *algorithm, *parameter, *value;
    size_t batch; /* the largest that is asked for */
} Method;

static const Method methods[] = {
    {"ga", "population", "200", 200}, {"ga", "population", "5000", 3000},
    {"abc", "colony", "60", 30},      {"hybrid", "population", "100", 100},
    {"sa", "steps", "1000", 1},       {"hill", "climb", "first", 1}};

Test(search, ask_and_tell_is_the_run_of_solve) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const Method *method = &methods[i];
        tetropt_solver *solver = tetropt_solver_new();
        const char *const options[][2] = {
            {"n", "8"},    {"piece-seed", "3"},     {"encoding", "swap-double"},
            {"seed", "5"}, {"evaluations", "4000"}, {"algorithm", method->algorithm}};
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            WORKS(solver, solver, tetropt_solver_set(solver, options[k][0], options[k][1]));
        char pair[64];
        snprintf(pair, sizeof pair, "%s=%s", method->parameter, method->value);
        WORKS(solver, solver, tetropt_solver_set(solver, "param", pair));
        WORKS(solver, solver, tetropt_solver_run(solver));
        for (size_t capacity = MOST; capacity > 0; capacity = capacity == MOST ? 7 : 0) {
            tetropt_problem *problem = tetris("8", "swap-double");
            tetropt_search *search = tetropt_search_new(problem, method->algorithm);
            WORKS(search, search, tetropt_search_set(search, "seed", "5"));
            WORKS(search, search, tetropt_search_set(search, "evaluations", "4000"));
            WORKS(search, search, tetropt_search_set(search, method->parameter, method->value));
            size_t largest = drive(search, problem, capacity);
            cr_assert_eq(largest, method->batch < capacity ? method->batch : capacity, "%s: %zu",
                         method->algorithm, largest);
            double best;
            WORKS(search, search, tetropt_search_best(search, NULL, &best));
            cr_assert_eq(best, tetropt_solver_fitness(solver), "%s: %g, %g", method->algorithm,
                         best, tetropt_solver_fitness(solver));
            cr_assert_eq(tetropt_search_evaluations(search), tetropt_solver_evaluations(solver));
            cr_assert_str_eq(tetropt_search_end(search), tetropt_solver_end(solver));
            tetropt_search_free(search);
            tetropt_problem_free(problem);
        }
        tetropt_solver_free(solver);
    }
}

Test(search, run_is_the_run_of_solve) {
    static const char *const algorithms[] = {"auto", "beam", "hybrid"};
    for (int i = 0; i < 3; i++) {
        tetropt_problem *problem = tetris("8", "swap-double");
        tetropt_search *search = tetropt_search_new(problem, algorithms[i]);
        WORKS(search, search, tetropt_search_set(search, "evaluations", "3000"));
        WORKS(search, search, tetropt_search_set(search, "threads", "2"));
        WORKS(search, search, tetropt_search_run(search));
        tetropt_solver *solver = tetropt_solver_new();
        const char *const options[][2] = {
            {"n", "8"}, {"piece-seed", "3"}, {"evaluations", "3000"}, {"algorithm", algorithms[i]}};
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            WORKS(solver, solver, tetropt_solver_set(solver, options[k][0], options[k][1]));
        WORKS(solver, solver, tetropt_solver_run(solver));
        double best;
        WORKS(search, search, tetropt_search_best(search, NULL, &best));
        cr_assert_eq(best, tetropt_solver_fitness(solver));
        cr_assert_eq(tetropt_search_run(search), TETROPT_INPUT, "a search runs once");
        tetropt_solver_free(solver);
        tetropt_search_free(search);
        tetropt_problem_free(problem);
    }
}

Test(search, trees_cannot_be_asked) {
    tetropt_problem *problem = tetris("5", "simple"), *queens = tetropt_problem_new("queens");
    static const char *const names[] = {"auto", "beam", "exact"};
    for (int i = 0; i < 3; i++) {
        tetropt_search *search = tetropt_search_new(problem, names[i]);
        cr_assert_eq(tetropt_search_ask(search, NULL, 0), -1);
        cr_assert(strstr(tetropt_search_message(search), "searches placements"));
        tetropt_search_free(search);
    }
    tetropt_search *search = tetropt_search_new(queens, "auto");
    WORKS(search, search, tetropt_search_set(search, "target", "0"));
    drive(search, queens, MOST);
    cr_assert_str_eq(tetropt_search_end(search), "target");
    tetropt_search_free(search);
    search = tetropt_search_new(queens, "beam");
    cr_assert_eq(tetropt_search_run(search), TETROPT_INPUT);
    tetropt_search_free(search);
    tetropt_problem_free(problem);
    tetropt_problem_free(queens);
}

Test(search, wrong_order_and_values) {
    tetropt_problem *problem = tetris("5", "simple");
    tetropt_search *search = tetropt_search_new(problem, "ga");
    int16_t genes[10 * 10];
    double fitness[10] = {0};
    cr_assert_eq(tetropt_search_tell(search, fitness, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_set(search, "none", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_set(search, "population", "x"), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_best(search, genes, fitness), TETROPT_UNMET);
    cr_assert_eq(tetropt_search_ask(search, genes, 10), 10);
    cr_assert_eq(tetropt_search_set(search, "seed", "1"), TETROPT_INPUT, "it has begun");
    cr_assert_eq(tetropt_search_tell(search, fitness, 9), TETROPT_INPUT);
    fitness[3] = NAN;
    cr_assert_eq(tetropt_search_tell(search, fitness, 10), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_search_message(search), "fitness: that of row 3 is not finite");
    fitness[3] = 4;
    WORKS(search, search, tetropt_search_tell(search, fitness, 10));
    WORKS(search, search, tetropt_search_best(search, genes, fitness));
    cr_assert_eq(fitness[0], 4);
    tetropt_search_stop(search);
    cr_assert_eq(tetropt_search_ask(search, genes, 10), 0);
    cr_assert_str_eq(tetropt_search_end(search), "stopped");
    tetropt_search_free(search);
    search = tetropt_search_new(problem, "sa"); /* freed in the middle, and its problem before it */
    cr_assert_eq(tetropt_search_ask(search, genes, 10), 1);
    tetropt_problem_free(problem);
    tetropt_search_free(search);
}

/* ---- custom problems */

typedef struct Count {
    size_t calls, rows, fail_after;
} Count;

/* The negative sum of squares. */
static int sphere(void *context, const int16_t *genes, size_t count, double *fitness) {
    Count *seen = context;
    seen->calls++;
    seen->rows += count;
    for (size_t i = 0; i < count; i++) {
        fitness[i] = 0;
        for (int k = 0; k < 6; k++)
            fitness[i] -= genes[i * 6 + (size_t)k] * genes[i * 6 + (size_t)k];
    }
    return seen->fail_after > 0 && seen->rows > seen->fail_after;
}

Test(search, custom_problems) {
    const int low[] = {-300, -3, 0, -20, -1, 5}, high[] = {300, 3, 50, 20, 1, 5};
    static const char *const algorithms[] = {"ga", "sa", "abc", "hill", "hybrid", "auto"};
    for (int i = 0; i < 6; i++) {
        Count seen = {0};
        tetropt_problem *problem = tetropt_problem_custom(6, low, high, sphere, &seen);
        cr_assert_eq(tetropt_problem_genes(problem), 6);
        tetropt_search *search = tetropt_search_new(problem, algorithms[i]);
        WORKS(search, search, tetropt_search_set(search, "evaluations", "60000"));
        WORKS(search, search, tetropt_search_set(search, "target", "-25"));
        WORKS(search, search, tetropt_search_run(search));
        cr_assert_str_eq(tetropt_search_end(search), "target", "%s", algorithms[i]);
        cr_assert_geq(seen.rows, tetropt_search_evaluations(search));
        tetropt_search_free(search);
        tetropt_problem_free(problem);
    }
}

Test(search, custom_failures_end_the_run) {
    const int low[6] = {0}, high[] = {9, 9, 9, 9, 9, 9};
    Count seen = {.fail_after = 15000};
    tetropt_problem *problem = tetropt_problem_custom(6, low, high, sphere, &seen);
    tetropt_search *search = tetropt_search_new(problem, "ga");
    cr_assert_eq(tetropt_search_run(search), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_search_message(search), "evaluate: the caller's function failed");
    tetropt_search_free(search);
    int8_t genes[12] = {0};
    double fitness[2];
    cr_assert_eq(tetropt_problem_evaluate(problem, genes, 2, fitness, 1), TETROPT_INPUT);
    seen.fail_after = 0;
    WORKS(problem, problem, tetropt_problem_evaluate(problem, genes, 2, fitness, 1));
    tetropt_problem_free(problem);
    const int wrong[] = {10, 10, 10, 10, 10, 10};
    cr_assert_null(tetropt_problem_custom(6, wrong, high, sphere, &seen));
    cr_assert_null(tetropt_problem_custom(0, low, high, sphere, &seen));
    cr_assert_null(tetropt_problem_custom(6, low, NULL, sphere, &seen));
    cr_assert_null(tetropt_problem_custom(6, low, high, NULL, &seen));
}
