/*
 * minimal: a minimum set cover.
 *
 * Queues that are served by the same solutions count as one; a queue whose solutions include all
 * those of another queue is served with it and is left out; so is a solution whose queues are all
 * served by another one. What is left is searched: the queue with the fewest solutions is chosen,
 * and each of its solutions is tried. A lower bound is the number of queues, chosen greedily, of
 * which no two share a solution. A greedy cover is the first upper bound.
 */
#include "clears/minimal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CUT_STEPS = 256, MOST_STEPS = 4000000 };

typedef struct Problem {
    size_t rows, columns; /* queues, solutions */
    size_t row_words, column_words;
    uint64_t *by_row;    /* per queue, its solutions as bits */
    uint64_t *by_column; /* per solution, its queues as bits */
    uint32_t *names;     /* the solutions' own numbers */
    uint32_t *best, *chosen;
    size_t best_count;
    uint64_t steps;
    bool stopped;
    ClearsCut cut;
    uint64_t *left; /* per depth: the queues not served yet */
    uint64_t *used; /* scratch for the bound */
} Problem;

static bool is_part(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (a[w] & ~b[w])
            return false;
    return true;
}

static size_t count_bits(const uint64_t *a, size_t words) {
    size_t count = 0;
    for (size_t w = 0; w < words; w++)
        count += (size_t)__builtin_popcountll(a[w]);
    return count;
}

static void set_bit(uint64_t *set, size_t i) {
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static bool has_bit(const uint64_t *set, size_t i) {
    return set[i / 64] >> (i % 64) & 1;
}

typedef struct SortedRow {
    const uint64_t *set;
    size_t words;
} SortedRow;

/* Fewest solutions first, equal ones together. */
static int compare_rows(const void *a, const void *b) {
    const SortedRow *x = a, *y = b;
    size_t count_x = count_bits(x->set, x->words), count_y = count_bits(y->set, y->words);
    if (count_x != count_y)
        return count_x < count_y ? -1 : 1;
    return memcmp(x->set, y->set, x->words * sizeof *x->set);
}

/* The distinct queues that are not served with another one. `all` has every queue's solutions. */
static bool reduce_rows(Problem *problem, const uint64_t *all, size_t rows) {
    size_t words = problem->column_words;
    SortedRow *sorted = memory_new(rows + 1, sizeof *sorted, NULL);
    problem->by_row = memory_new(rows + 1, words * sizeof *problem->by_row, NULL);
    if (!sorted || !problem->by_row) {
        free(sorted);
        return false;
    }
    for (size_t i = 0; i < rows; i++)
        sorted[i] = (SortedRow){all + i * words, words};
    qsort(sorted, rows, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < rows; i++) {
        bool served = count_bits(sorted[i].set, words) == 0;
        if (i > 0 && memcmp(sorted[i].set, sorted[i - 1].set, words * sizeof *all) == 0)
            continue;
        for (size_t k = 0; k < problem->rows && !served; k++)
            served = is_part(problem->by_row + k * words, sorted[i].set, words);
        if (!served)
            memcpy(problem->by_row + problem->rows++ * words, sorted[i].set, words * sizeof *all);
    }
    free(sorted);
    return true;
}

/* Per queue its solutions, from per solution its queues. */
static uint64_t *transpose(const Solutions *list, size_t queues, size_t words) {
    uint64_t *all = memory_new(queues + 1, words * sizeof *all, NULL);
    for (size_t i = 0; all && i < list->count; i++)
        for (size_t w = 0; w < list->words; w++)
            for (uint64_t bits = list->items[i].queues[w]; bits; bits &= bits - 1)
                set_bit(all + (w * 64 + (size_t)__builtin_ctzll(bits)) * words, i);
    return all;
}

/* The queues of every solution that is not served by another one. */
static bool reduce_columns(Problem *problem, size_t solutions) {
    size_t words = problem->row_words = (problem->rows + 63) / 64;
    uint64_t *all = memory_new(solutions + 1, (words + 1) * sizeof *all, NULL);
    problem->by_column = memory_new(solutions + 1, (words + 1) * sizeof *all, NULL);
    problem->names = memory_new(solutions + 1, sizeof *problem->names, NULL);
    if (!all || !problem->by_column || !problem->names) {
        free(all);
        return false;
    }
    for (size_t r = 0; r < problem->rows; r++)
        for (size_t c = 0; c < solutions; c++)
            if (has_bit(problem->by_row + r * problem->column_words, c))
                set_bit(all + c * words, r);
    for (size_t c = 0; c < solutions; c++) {
        bool served = count_bits(all + c * words, words) == 0;
        for (size_t k = 0; k < solutions && !served; k++)
            served = k != c && is_part(all + c * words, all + k * words, words) &&
                     (k < c || !is_part(all + k * words, all + c * words, words));
        if (served)
            continue;
        memcpy(problem->by_column + problem->columns * words, all + c * words, words * sizeof *all);
        problem->names[problem->columns++] = (uint32_t)c;
    }
    free(all);
    /* The queues by the solutions that are left. */
    size_t column_words = problem->column_words;
    memset(problem->by_row, 0, problem->rows * column_words * sizeof *problem->by_row);
    for (size_t c = 0; c < problem->columns; c++)
        for (size_t r = 0; r < problem->rows; r++)
            if (has_bit(problem->by_column + c * words, r))
                set_bit(problem->by_row + r * column_words, c);
    return true;
}

/* The solution that serves most of the queues left. */
static size_t largest(const Problem *problem, const uint64_t *left) {
    size_t best = 0, best_count = 0;
    for (size_t c = 0; c < problem->columns; c++) {
        size_t count = 0;
        for (size_t w = 0; w < problem->row_words; w++)
            count += (size_t)__builtin_popcountll(left[w] &
                                                  problem->by_column[c * problem->row_words + w]);
        if (count > best_count) {
            best = c;
            best_count = count;
        }
    }
    return best;
}

static void greedy(Problem *problem) {
    uint64_t *left = problem->left;
    while (count_bits(left, problem->row_words) > 0) {
        size_t c = largest(problem, left);
        problem->best[problem->best_count++] = (uint32_t)c;
        for (size_t w = 0; w < problem->row_words; w++)
            left[w] &= ~problem->by_column[c * problem->row_words + w];
    }
}

/* A lower bound for the queues left; *tightest gets the one with the fewest solutions. The queues
 * are sorted by that. */
static size_t bound(Problem *problem, const uint64_t *left, size_t *tightest) {
    size_t count = 0, words = problem->column_words;
    memset(problem->used, 0, words * sizeof *problem->used);
    *tightest = problem->rows;
    for (size_t w = 0; w < problem->row_words; w++)
        for (uint64_t bits = left[w]; bits; bits &= bits - 1) {
            size_t r = w * 64 + (size_t)__builtin_ctzll(bits);
            const uint64_t *row = problem->by_row + r * words;
            bool shared = false;
            if (*tightest == problem->rows)
                *tightest = r;
            for (size_t k = 0; k < words && !shared; k++)
                shared = problem->used[k] & row[k];
            if (shared)
                continue;
            count++;
            for (size_t k = 0; k < words; k++)
                problem->used[k] |= row[k];
        }
    return count;
}

static void branch(Problem *problem, size_t depth) {
    const uint64_t *left = problem->left + depth * problem->row_words;
    size_t row, least = bound(problem, left, &row);
    if (problem->steps++ % CUT_STEPS == 0 && clears_cut(problem->cut))
        problem->stopped = true;
    if (problem->steps > MOST_STEPS)
        problem->stopped = true;
    if (least == 0 && depth < problem->best_count) {
        memcpy(problem->best, problem->chosen, depth * sizeof *problem->best);
        problem->best_count = depth;
    }
    if (problem->stopped || least == 0 || depth + least >= problem->best_count)
        return;
    uint64_t *after = problem->left + (depth + 1) * problem->row_words;
    for (size_t c = 0; c < problem->columns; c++) {
        if (!has_bit(problem->by_row + row * problem->column_words, c))
            continue;
        problem->chosen[depth] = (uint32_t)c;
        for (size_t w = 0; w < problem->row_words; w++)
            after[w] = left[w] & ~problem->by_column[c * problem->row_words + w];
        branch(problem, depth + 1);
    }
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool solve(Problem *problem, Minimal *minimal) {
    size_t depths = problem->columns + 2;
    problem->best = memory_new(depths, sizeof *problem->best, NULL);
    problem->chosen = memory_new(depths, sizeof *problem->chosen, NULL);
    problem->used = memory_new(problem->column_words + 1, sizeof *problem->used, NULL);
    problem->left = memory_new(depths, (problem->row_words + 1) * sizeof *problem->left, NULL);
    if (!problem->best || !problem->chosen || !problem->used || !problem->left)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t r = 0; r < problem->rows; r++)
            set_bit(problem->left, r);
        if (pass == 0)
            greedy(problem);
        else
            branch(problem, 0);
    }
    minimal->items = memory_new(problem->best_count + 1, sizeof *minimal->items, NULL);
    if (!minimal->items)
        return false;
    for (size_t i = 0; i < problem->best_count; i++)
        minimal->items[i] = problem->names[problem->best[i]];
    qsort(minimal->items, problem->best_count, sizeof *minimal->items, compare_numbers);
    minimal->count = problem->best_count;
    minimal->proved = !problem->stopped;
    return true;
}

bool minimal_find(const Solutions *list, ClearsCut cut, Minimal *minimal, Status *status) {
    *minimal = (Minimal){.proved = true};
    if (list->count == 0)
        return true;
    Problem problem = {.column_words = (list->count + 63) / 64, .cut = cut};
    uint64_t *all = transpose(list, list->words * 64, problem.column_words);
    bool ok = all && reduce_rows(&problem, all, list->words * 64);
    free(all);
    ok = ok && reduce_columns(&problem, list->count) && solve(&problem, minimal);
    free(problem.by_row);
    free(problem.by_column);
    free(problem.names);
    free(problem.best);
    free(problem.chosen);
    free(problem.left);
    free(problem.used);
    return ok || status_no_memory(status);
}

void minimal_release(Minimal *minimal) {
    free(minimal->items);
    *minimal = (Minimal){0};
}
