/*
 * queens: the problem for the optimisers, a greedy method of its own, and the board as text.
 *
 * The greedy method places the queen that takes the fewest free squares of the whole board, with
 * random choice among equals, and starts again when it is stuck.
 */
#include "problem/queens.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The queens on every diagonal: the rising ones first (row + column), then the falling ones (row -
 * column + n - 1). */
typedef struct Ledger {
    int64_t conflicts;
    int32_t counters[];
} Ledger;

static int size_of(const Problem *problem) {
    return ((const Queens *)problem->data)->n;
}

static size_t counter_count(int n) {
    return 2 * (2 * (size_t)n - 1);
}

static int rising(int row, int column) {
    return row + column;
}

static int falling(int n, int row, int column) {
    return 2 * n - 1 + row - column + n - 1;
}

int64_t queens_conflicts(int n, const int16_t *columns, int32_t *counters) {
    memset(counters, 0, counter_count(n) * sizeof *counters);
    int64_t conflicts = 0;
    for (int row = 0; row < n; row++) {
        conflicts += counters[rising(row, columns[row])]++;
        conflicts += counters[falling(n, row, columns[row])]++;
    }
    return conflicts;
}

static double evaluate(const Problem *problem, void *scratch, const void *genotype) {
    return -(double)queens_conflicts(size_of(problem), genotype, scratch);
}

static void range(const Problem *problem, size_t gene, int *low, int *high) {
    (void)gene;
    *low = 0;
    *high = size_of(problem) - 1;
}

static bool is_permutation(const Problem *problem, void *scratch, const void *genotype) {
    const int16_t *columns = genotype;
    unsigned char *taken = scratch;
    memset(taken, 0, (size_t)size_of(problem));
    for (int row = 0; row < size_of(problem); row++)
        if (taken[columns[row]]++)
            return false;
    return true;
}

static void shuffle(Rng *rng, int16_t *columns, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = rng_below(rng, i);
        int16_t t = columns[i - 1];
        columns[i - 1] = columns[j];
        columns[j] = t;
    }
}

static void random_permutation(const Problem *problem, Rng *rng, void *genotype) {
    int16_t *columns = genotype;
    for (int i = 0; i < size_of(problem); i++)
        columns[i] = (int16_t)i;
    shuffle(rng, columns, problem->units);
}

/* Number d * n + i swaps the rows i and (i + 1 + d) % n; d up to half the board names every pair.
 */
static void rows_of(int n, uint32_t number, int *a, int *b) {
    *a = (int)(number % (uint32_t)n);
    *b = (int)(((uint32_t)*a + 1 + number / (uint32_t)n) % (uint32_t)n);
}

static uint32_t pick(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                     ProblemPick how) {
    (void)genotype;
    uint32_t number = rng_below(rng, how == PICK_NEARBY ? problem->units : problem->neighbours);
    return unit == PROBLEM_ANY_UNIT ? number : number - number % problem->units + unit;
}

static uint32_t change(const Problem *problem, void *genotype, uint32_t number, uint32_t *undo) {
    int16_t *columns = genotype;
    int a, b;
    rows_of(size_of(problem), number, &a, &b);
    int16_t t = columns[a];
    columns[a] = columns[b];
    columns[b] = t;
    *undo = number;
    return (uint32_t)(a < b ? a : b);
}

/* The second parent gives the columns that are still free; the rows left over take the columns left
 * over, in order. */
static void cross(const Problem *problem, const void *first, const void *second, void *child,
                  uint32_t cut, const uint64_t *mask) {
    const int16_t *one = first, *two = second;
    int16_t *columns = child;
    bool used[QUEENS_MAX];
    memset(used, 0, problem->units);
    for (uint32_t i = 0; i < problem->units; i++) {
        columns[i] = problem_from_first(i, cut, mask) ? one[i] : (int16_t)-1;
        if (columns[i] >= 0)
            used[columns[i]] = true;
    }
    for (uint32_t i = 0; i < problem->units; i++) {
        if (columns[i] < 0 && !used[two[i]]) {
            columns[i] = two[i];
            used[two[i]] = true;
        }
    }
    int16_t next = 0;
    for (uint32_t i = 0; i < problem->units; i++) {
        if (columns[i] >= 0)
            continue;
        while (used[next])
            next++;
        columns[i] = next++;
    }
}

/* Shuffles the columns of those rows among themselves; a single row is swapped with any other. */
static uint32_t resample(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                         uint32_t end) {
    int16_t *columns = genotype;
    if (end - begin > 1) {
        shuffle(rng, columns + begin, end - begin);
        return begin;
    }
    uint32_t other = rng_below(rng, problem->units);
    int16_t t = columns[begin];
    columns[begin] = columns[other];
    columns[other] = t;
    return other < begin ? other : begin;
}

static void open_ledger(const Problem *problem, const void *genotype, void *memory) {
    Ledger *ledger = memory;
    ledger->conflicts = queens_conflicts(size_of(problem), genotype, ledger->counters);
}

/* The pairs after the rows a and b were swapped. The two queens leave four diagonals and enter four
 * others; they share one when they stand diagonally, before as well as after. */
static int64_t conflicts_after(int n, const int16_t *columns, const Ledger *ledger, int a, int b) {
    const int32_t *counters = ledger->counters;
    int now_a = columns[a], now_b = columns[b], was_a = now_b, was_b = now_a;
    int64_t leaving = counters[rising(a, was_a)] + counters[falling(n, a, was_a)] +
                      counters[rising(b, was_b)] + counters[falling(n, b, was_b)] - 4;
    int64_t entering = counters[rising(a, now_a)] + counters[falling(n, a, now_a)] +
                       counters[rising(b, now_b)] + counters[falling(n, b, now_b)];
    int pair_before = abs(a - b) == abs(was_a - was_b),
        pair_after = abs(a - b) == abs(now_a - now_b);
    return ledger->conflicts - leaving + pair_before + entering + pair_after;
}

static double peek(const Problem *problem, const void *genotype, const void *ledger,
                   uint32_t number) {
    int a, b;
    rows_of(size_of(problem), number, &a, &b);
    return -(double)conflicts_after(size_of(problem), genotype, ledger, a, b);
}

static void book(const Problem *problem, const void *genotype, void *memory, uint32_t number) {
    int a, b, n = size_of(problem);
    const int16_t *columns = genotype;
    Ledger *ledger = memory;
    rows_of(n, number, &a, &b);
    ledger->conflicts = conflicts_after(n, columns, ledger, a, b);
    ledger->counters[rising(a, columns[b])]--;
    ledger->counters[falling(n, a, columns[b])]--;
    ledger->counters[rising(b, columns[a])]--;
    ledger->counters[falling(n, b, columns[a])]--;
    ledger->counters[rising(a, columns[a])]++;
    ledger->counters[falling(n, a, columns[a])]++;
    ledger->counters[rising(b, columns[b])]++;
    ledger->counters[falling(n, b, columns[b])]++;
}

bool queens_init(Queens *queens, int n, Status *status) {
    if (n < 1 || n > QUEENS_MAX)
        return status_fail(status, STATUS_INPUT, "queens: %d is not in 1..%d", n, QUEENS_MAX);
    uint32_t rows = (uint32_t)n;
    queens->n = n;
    queens->problem = (Problem){
        .name = "queens",
        .data = queens,
        .genotype_bytes = rows * sizeof(int16_t),
        .units = rows,
        .neighbours = rows * (rows / 2),
        .scratch_bytes = counter_count(n) * sizeof(int32_t),
        .gene_bytes = 2,
        .range = range,
        .valid = is_permutation,
        .random = random_permutation,
        .evaluate = evaluate,
        .pick = pick,
        .change = change,
        .cross = cross,
        .resample = resample,
        .ledger_bytes = sizeof(Ledger) + counter_count(n) * sizeof(int32_t),
        .open = open_ledger,
        .peek = peek,
        .book = book,
    };
    return true;
}

/* ---- greedy ---- */

/* The free squares counted on every line, so that what a queen would take is four look-ups: the
 * lines through a square meet nowhere else. */
typedef struct Greedy {
    int n;
    int32_t *row_free, *column_free;
    int32_t *diagonal_free; /* rising, then falling */
    bool *row_taken, *column_taken, *diagonal_taken;
} Greedy;

static bool is_free(const Greedy *greedy, int row, int column) {
    return !greedy->row_taken[row] && !greedy->column_taken[column] &&
           !greedy->diagonal_taken[rising(row, column)] &&
           !greedy->diagonal_taken[falling(greedy->n, row, column)];
}

static void clear_board(Greedy *greedy) {
    int n = greedy->n;
    memset(greedy->row_taken, 0, (size_t)n);
    memset(greedy->column_taken, 0, (size_t)n);
    memset(greedy->diagonal_taken, 0, counter_count(n));
    for (int i = 0; i < n; i++)
        greedy->column_free[i] = greedy->row_free[i] = n;
    for (int i = 0; i < 2 * n - 1; i++) /* the length of a diagonal */
        greedy->diagonal_free[i] = greedy->diagonal_free[2 * n - 1 + i] = n - abs(i - (n - 1));
}

/* Takes the square away, if it is on the board and free. */
static void block(Greedy *greedy, int row, int column) {
    if (column < 0 || column >= greedy->n || !is_free(greedy, row, column))
        return;
    greedy->row_free[row]--;
    greedy->column_free[column]--;
    greedy->diagonal_free[rising(row, column)]--;
    greedy->diagonal_free[falling(greedy->n, row, column)]--;
}

/* Places a queen; false when a row has neither a queen nor a free square left. */
static bool place(Greedy *greedy, int row, int column) {
    bool possible = true;
    for (int other = 0; other < greedy->n; other++) {
        if (other == row)
            continue;
        block(greedy, other, column);
        block(greedy, other, column - (other - row));
        block(greedy, other, column + (other - row));
        possible &= greedy->row_taken[other] || greedy->row_free[other] > 0;
    }
    for (int other = 0; other < greedy->n; other++)
        block(greedy, row, other);
    greedy->row_taken[row] = true;
    greedy->column_taken[column] = true;
    greedy->diagonal_taken[rising(row, column)] = true;
    greedy->diagonal_taken[falling(greedy->n, row, column)] = true;
    return possible;
}

/* The free square of the board that takes the fewest others; there is one. */
static void best_square(const Greedy *greedy, Rng *rng, int *best_row, int *best_column) {
    int32_t least = INT32_MAX;
    uint32_t ties = 0;
    for (int row = 0; row < greedy->n; row++)
        for (int column = 0; column < greedy->n && !greedy->row_taken[row]; column++) {
            if (!is_free(greedy, row, column))
                continue;
            int32_t taken = greedy->row_free[row] + greedy->column_free[column] +
                            greedy->diagonal_free[rising(row, column)] +
                            greedy->diagonal_free[falling(greedy->n, row, column)];
            if (taken < least)
                ties = 0;
            /* Each of k equal squares is kept with chance 1/k when it comes. */
            if (taken <= least && rng_below(rng, ++ties) == 0) {
                *best_row = row;
                *best_column = column;
            }
            least = taken < least ? taken : least;
        }
}

static bool attempt(Greedy *greedy, Rng *rng, ProblemCut cut, int16_t *columns) {
    clear_board(greedy);
    for (int placed = 0; placed < greedy->n; placed++) {
        int row = 0, column = 0;
        best_square(greedy, rng, &row, &column);
        columns[row] = (int16_t)column;
        if (!place(greedy, row, column) || (cut.asked && cut.asked(cut.context)))
            return false;
    }
    return true;
}

static bool greedy_init(Greedy *greedy, int n) {
    *greedy = (Greedy){.n = n};
    greedy->row_free = calloc((size_t)n, sizeof(int32_t));
    greedy->column_free = calloc((size_t)n, sizeof(int32_t));
    greedy->diagonal_free = calloc(counter_count(n), sizeof(int32_t));
    greedy->column_taken = calloc((size_t)n, sizeof(bool));
    greedy->diagonal_taken = calloc(counter_count(n), sizeof(bool));
    greedy->row_taken = calloc((size_t)n, sizeof(bool));
    return greedy->row_free && greedy->column_free && greedy->diagonal_free && greedy->row_taken &&
           greedy->column_taken && greedy->diagonal_taken;
}

static void greedy_release(Greedy *greedy) {
    free(greedy->row_free);
    free(greedy->column_free);
    free(greedy->diagonal_free);
    free(greedy->column_taken);
    free(greedy->diagonal_taken);
    free(greedy->row_taken);
}

bool queens_greedy(int n, uint64_t seed, uint64_t attempts_max, ProblemCut cut, int16_t *columns,
                   uint64_t *attempts, Status *status) {
    assert(n >= 1 && n <= QUEENS_MAX);
    Greedy greedy;
    bool solved = false;
    *attempts = 0;
    if (!greedy_init(&greedy, n)) {
        status_no_memory(status);
        goto out;
    }
    while (!solved && (attempts_max == 0 || *attempts < attempts_max)) {
        if (*attempts > 0 && cut.asked && cut.asked(cut.context))
            break;
        Rng rng;
        rng_init(&rng, seed, (*attempts)++);
        solved = attempt(&greedy, &rng, cut, columns);
    }
    if (!solved)
        status_fail(status, STATUS_UNMET, "queens: no solution in %llu attempts",
                    (unsigned long long)*attempts);
out:
    greedy_release(&greedy);
    return solved;
}

void queens_draw(int n, const int16_t *columns, Text *text) {
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            text_add_char(text, columns[row] == column ? 'Q' : '.');
            text_add_char(text, column + 1 < n ? ' ' : '\n');
        }
    }
}
