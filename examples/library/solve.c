/*
 * solve: places known pieces so that as few blocks as possible are left, and prints the keys to
 * press.
 *
 *     cc solve.c -o solve $(pkg-config --cflags --libs tetropt)
 *     ./solve IOTSZJLIOT
 */
#include <stdio.h>
#include <tetropt.h>

/* Shows the progress of the search. A nonzero return value would end it. */
static int show_progress(void *context, uint64_t evaluations, double best) {
    double *last = context;
    if (best > *last)
        fprintf(stderr, "%llu solutions evaluated, best %g\n", (unsigned long long)evaluations,
                best);
    *last = best;
    return 0;
}

static void print_placement(tetropt_solver *solver, int index) {
    tetropt_placement placement;
    int keys[4096];
    int count = tetropt_solver_keys(solver, index, keys, 4096);
    if (tetropt_solver_placement(solver, index, &placement) != TETROPT_OK || count < 0)
        return;
    printf("%c:", placement.piece);
    for (int i = 0; i < count; i++)
        printf(" %s", tetropt_key_name(keys[i]));
    putchar('\n');
}

static int solve(tetropt_solver *solver, const char *pieces) {
    if (tetropt_solver_set(solver, "pieces", pieces) != TETROPT_OK ||
        tetropt_solver_set(solver, "encoding", "placements") != TETROPT_OK ||
        tetropt_solver_set(solver, "evaluations", "300000") != TETROPT_OK ||
        tetropt_solver_run(solver) != TETROPT_OK) {
        fprintf(stderr, "solve: %s\n", tetropt_solver_message(solver));
        return 1;
    }
    for (int i = 0; i < tetropt_solver_count(solver); i++)
        print_placement(solver, i);
    char board[2048];
    tetropt_solver_text(solver, board, sizeof board);
    printf("%s%d lines, fitness %g, ended by %s%s\n", board, tetropt_solver_lines(solver),
           tetropt_solver_fitness(solver), tetropt_solver_end(solver),
           tetropt_solver_perfect_clear(solver) ? ", nothing is left" : "");
    return 0;
}

int main(int count, char **arguments) {
    double last = -1e300;
    tetropt_solver *solver = tetropt_solver_new();
    if (!solver)
        return 1;
    tetropt_solver_on_progress(solver, show_progress, &last);
    int code = solve(solver, count > 1 ? arguments[1] : "IOTSZJLIOT");
    tetropt_solver_free(solver);
    return code;
}
