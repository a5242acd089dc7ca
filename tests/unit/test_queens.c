/* queens: the ledger against whole evaluations, permutations stay permutations, greedy, solving. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "optim/hill.h"
#include "optim/registry.h"
#include "problem/queens.h"

static int naive_conflicts(int n, const int16_t *columns) {
    int conflicts = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            conflicts += abs(columns[a] - columns[b]) == b - a || columns[a] == columns[b];
    return conflicts;
}

static bool is_permutation(int n, const int16_t *columns) {
    bool *seen = calloc((size_t)n, sizeof *seen);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        ok = ok && columns[i] >= 0 && columns[i] < n && !seen[columns[i]];
        if (ok)
            seen[columns[i]] = true;
    }
    free(seen);
    return ok;
}

Test(queens, conflicts_are_pairs_on_diagonals) {
    Queens queens;
    Status status = {0};
    for (int n = 1; n <= 30; n++) {
        cr_assert(queens_init(&queens, n, &status));
        int16_t columns[30];
        int32_t scratch[2 * 59];
        for (uint64_t seed = 0; seed < 20; seed++) {
            Rng rng;
            rng_init(&rng, seed, 0);
            queens.problem.random(&queens.problem, &rng, columns);
            cr_assert(is_permutation(n, columns));
            cr_assert_eq(queens.problem.evaluate(&queens.problem, scratch, columns),
                         -naive_conflicts(n, columns));
        }
    }
    cr_assert_not(queens_init(&queens, 0, &status));
    cr_assert_not(queens_init(&queens, QUEENS_MAX + 1, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
}

Test(queens, ledger_agrees_with_evaluation_for_every_neighbour) {
    for (int n = 2; n <= 13; n++) {
        Queens queens;
        cr_assert(queens_init(&queens, n, NULL));
        const Problem *problem = &queens.problem;
        int16_t columns[13], before[13];
        void *ledger = malloc(problem->ledger_bytes);
        Rng rng;
        rng_init(&rng, 5, (uint64_t)n);
        problem->random(problem, &rng, columns);
        problem->open(problem, columns, ledger);
        for (int step = 0; step < 300; step++) {
            uint32_t number = rng_below(&rng, problem->neighbours), undo, back;
            memcpy(before, columns, sizeof columns);
            uint32_t unit = problem->change(problem, columns, number, &undo);
            for (uint32_t i = 0; i < unit; i++)
                cr_assert_eq(columns[i], before[i]);
            cr_assert_neq(columns[unit], before[unit]);
            double value = problem->peek(problem, columns, ledger, number);
            cr_assert_eq(value, -naive_conflicts(n, columns), "n %d number %u", n, number);
            if (step % 3 == 0) {
                problem->book(problem, columns, ledger, number);
            } else {
                problem->change(problem, columns, undo, &back);
                cr_assert_arr_eq(columns, before, (size_t)n * sizeof *columns);
            }
        }
        free(ledger);
    }
}

Test(queens, every_pair_of_rows_is_a_neighbour) {
    for (int n = 2; n <= 9; n++) {
        Queens queens;
        cr_assert(queens_init(&queens, n, NULL));
        bool seen[9][9] = {{false}};
        for (uint32_t number = 0; number < queens.problem.neighbours; number++) {
            int16_t columns[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
            uint32_t undo;
            queens.problem.change(&queens.problem, columns, number, &undo);
            for (int i = 0; i < n; i++)
                seen[i][columns[i]] = true;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                cr_assert_eq(seen[i][j], i != j || n > 2, "n %d: %d %d", n, i, j);
    }
}

Test(queens, crossing_and_drawing_again_keep_permutations) {
    enum { N = 70 };
    Queens queens;
    cr_assert(queens_init(&queens, N, NULL));
    const Problem *problem = &queens.problem;
    int16_t one[N], two[N], child[N];
    for (uint64_t seed = 0; seed < 50; seed++) {
        Rng rng;
        rng_init(&rng, seed, 0);
        problem->random(problem, &rng, one);
        problem->random(problem, &rng, two);
        uint32_t cut = rng_below(&rng, N + 1);
        problem->cross(problem, one, two, child, cut, NULL);
        cr_assert(is_permutation(N, child));
        cr_assert_arr_eq(child, one, cut * sizeof *child);
        uint64_t mask[2] = {rng_next(&rng), rng_next(&rng)};
        problem->cross(problem, one, two, child, 0, mask);
        cr_assert(is_permutation(N, child));
        for (int i = 0; i < N; i++)
            if (mask[i / 64] >> (i % 64) & 1)
                cr_assert_eq(child[i], one[i]);
        uint32_t begin = rng_below(&rng, N), end = begin + 1 + rng_below(&rng, N - begin);
        memcpy(two, child, sizeof child);
        uint32_t unit = problem->resample(problem, &rng, child, begin, end);
        cr_assert(is_permutation(N, child));
        cr_assert_arr_eq(child, two, unit * sizeof *child);
    }
}

static const ProblemCut never = {NULL, NULL};

Test(queens, greedy_finds_solutions_where_there_are_any) {
    static int16_t columns[40];
    int sizes[] = {1, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 22, 30};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t attempts;
        Status status = {0};
        cr_assert(queens_greedy(sizes[i], 1, 0, never, columns, &attempts, &status), "%d",
                  sizes[i]);
        cr_assert(attempts >= 1);
        cr_assert(is_permutation(sizes[i], columns));
        cr_assert_eq(naive_conflicts(sizes[i], columns), 0);
    }
    for (int n = 2; n <= 3; n++) {
        uint64_t attempts;
        Status status = {0};
        cr_assert_not(queens_greedy(n, 1, 50, never, columns, &attempts, &status));
        cr_assert_eq(attempts, 50);
        cr_assert_eq(status.code, STATUS_UNMET);
    }
}

/* The free squares that a queen at (row, column) would leave among the rows without one; -1 when
 * the square itself is attacked. */
static int squares_left(int n, const int *queens, int row, int column) {
    int left = 0;
    for (int r = -1; r < n; r++)
        for (int c = 0; c < n; c++) {
            bool self = r < 0; /* first the square itself, then the others */
            int at_row = self ? row : r, at_column = self ? column : c;
            bool attacked = !self && (at_row == row || at_column == column ||
                                      abs(at_column - column) == abs(at_row - row));
            for (int q = 0; q < n; q++)
                attacked |= queens[q] >= 0 && (q == at_row || queens[q] == at_column ||
                                               abs(queens[q] - at_column) == abs(q - at_row));
            if (self && attacked)
                return -1;
            left += !self && !attacked;
        }
    return left;
}

/* Whether the solution can be made by placing, one after the other, a queen that leaves the most.
 */
static bool is_greedy(int n, const int16_t *columns, int *queens, int placed) {
    int most = -1;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            int left = squares_left(n, queens, row, column);
            most = left > most ? left : most;
        }
    for (int row = 0; row < n && placed < n; row++) {
        if (queens[row] >= 0 || squares_left(n, queens, row, columns[row]) != most)
            continue;
        queens[row] = columns[row];
        if (is_greedy(n, columns, queens, placed + 1))
            return true;
        queens[row] = -1;
    }
    return placed == n;
}

/* The greedy rule itself, by counting the free squares of the whole board. */
Test(queens, greedy_takes_a_square_that_leaves_most) {
    enum { N = 9 };
    for (uint64_t seed = 1; seed <= 5; seed++) {
        int16_t columns[N];
        int queens[N];
        uint64_t attempts;
        cr_assert(queens_greedy(N, seed, 0, never, columns, &attempts, NULL));
        memset(queens, -1, sizeof queens);
        cr_assert(is_greedy(N, columns, queens, 0), "seed %d", (int)seed);
    }
}

/* The size that the published program solves within a minute. */
Test(queens, greedy_solves_a_hundred) {
    static int16_t columns[100];
    uint64_t attempts, start = clock_now_ns();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cr_assert(queens_greedy(100, seed, 1000, never, columns, &attempts, NULL));
        cr_assert_eq(naive_conflicts(100, columns), 0);
    }
    cr_assert_lt(clock_seconds_since(start), 60);
}

static void solve(int n, const char *optimiser, const void *parameters, double seconds_max) {
    Queens queens;
    Status status = {0};
    cr_assert(queens_init(&queens, n, &status));
    int16_t *columns = calloc((size_t)n, sizeof *columns);
    Pool *pool = pool_new(2, &status);
    OptimRun run = {.problem = &queens.problem,
                    .seed = 11,
                    .seconds = seconds_max,
                    .has_target = true,
                    .target = 0,
                    .pool = pool};
    OptimOutcome outcome = {.genotype = columns};
    cr_assert(optim_run(optim_find(optimiser), &run, parameters, &outcome, &status), "%s",
              status.message);
    cr_assert_eq(outcome.end, OPTIM_TARGET, "%s, n %d: %g after %llu evaluations", optimiser, n,
                 outcome.fitness, (unsigned long long)outcome.evaluations);
    cr_assert(is_permutation(n, columns));
    cr_assert_eq(naive_conflicts(n, columns), 0);
    pool_free(pool);
    free(columns);
}

Test(queens, every_optimiser_solves_a_small_board) {
    for (size_t i = 0; i < optim_count(); i++)
        if (!optim_at(i)->needs_tree)
            solve(8, optim_at(i)->name, NULL, 20);
}

Test(queens, hill_solves_large_boards) {
    HillParameters parameters = {
        .climb = HILL_FIRST, .restarts = 1000, .patience = 1000, .chains = 1};
    solve(200, "hill", &parameters, 10);
    solve(1000, "hill", &parameters, 60);
}
