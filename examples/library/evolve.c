/*
 * evolve: runs a genetic algorithm of the library by ask and tell. Here the fitness is the
 * library's own; it could be any number.
 *
 *     cc evolve.c -o evolve $(pkg-config --cflags --libs tetropt)
 *     ./evolve 5
 */
#include <stdio.h>
#include <stdlib.h>
#include <tetropt.h>

enum { BATCH = 1000 };

static int fail(const char *why) {
    fprintf(stderr, "evolve: %s\n", why);
    return EXIT_FAILURE;
}

int main(int count, char **arguments) {
    tetropt_problem *problem = tetropt_problem_new("tetris");
    if (!problem)
        return fail("no memory");
    tetropt_problem_set(problem, "n", "15");
    int genes = tetropt_problem_genes(problem);
    if (genes == 0)
        return fail(tetropt_problem_message(problem));
    tetropt_search *search = tetropt_search_new(problem, "ga");
    int16_t *rows = malloc(BATCH * (size_t)genes * sizeof *rows);
    double *fitness = malloc(BATCH * sizeof *fitness);
    if (!search || !rows || !fitness)
        return fail("no memory");
    if (tetropt_search_set(search, "seed", count > 1 ? arguments[1] : "1") != TETROPT_OK ||
        tetropt_search_set(search, "population", "1000") != TETROPT_OK ||
        tetropt_search_set(search, "evaluations", "100000") != TETROPT_OK)
        return fail(tetropt_search_message(search));
    int64_t asked;
    while ((asked = tetropt_search_ask(search, rows, BATCH)) > 0)
        if (tetropt_problem_evaluate16(problem, rows, (size_t)asked, fitness, 0) != TETROPT_OK ||
            tetropt_search_tell(search, fitness, (size_t)asked) != TETROPT_OK)
            return fail(tetropt_problem_message(problem));
    double best;
    if (asked < 0 || tetropt_search_best(search, rows, &best) != TETROPT_OK)
        return fail(tetropt_search_message(search));
    printf("fitness %g after %llu evaluations (%s)\n", best,
           (unsigned long long)tetropt_search_evaluations(search), tetropt_search_end(search));
    char text[4096];
    tetropt_problem_document(problem, rows, text, sizeof text);
    printf("%s\n", text);
    tetropt_search_free(search);
    tetropt_problem_free(problem);
    free(rows);
    free(fitness);
    return EXIT_SUCCESS;
}
