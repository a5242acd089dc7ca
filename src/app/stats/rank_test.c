/* rank_test: exact p-values by recursion over probabilities, normal approximations otherwise. */
#include "stats/rank_test.h"

#include "base/memory.h"
#include "stats/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number that remembers where it came from. */
typedef struct Placed {
    double value;
    size_t index;
} Placed;

static int compare(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static Placed *sorted_copy(const double *values, size_t count, Status *status) {
    Placed *placed = memory_new(count + 1, sizeof *placed, status);
    if (!placed)
        return NULL;
    for (size_t i = 0; i < count; i++)
        placed[i] = (Placed){values[i], i};
    qsort(placed, count, sizeof *placed, compare);
    return placed;
}

bool rank_values(const double *values, size_t count, double *ranks, double *ties, Status *status) {
    Placed *placed = sorted_copy(values, count, status);
    if (!placed)
        return false;
    *ties = 0;
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && placed[last].value == placed[first].value; last++)
            continue;
        double equal = (double)(last - first);
        *ties += equal * equal * equal - equal;
        for (size_t i = first; i < last; i++)
            ranks[placed[i].index] = (double)(first + last + 1) / 2;
    }
    free(placed);
    return true;
}

/* The smaller tail, doubled. */
static double two_sided(const double *chances, size_t count, size_t at) {
    double lower = 0, upper = 0;
    for (size_t i = 0; i < count; i++) {
        lower += i <= at ? chances[i] : 0;
        upper += i >= at ? chances[i] : 0;
    }
    return fmin(1, 2 * fmin(lower, upper));
}

static double normal_p(double distance, double variance) {
    if (!(variance > 0))
        return 1;
    return fmin(1, 2 * normal_upper((distance - 0.5) / sqrt(variance)));
}

/*
 * P(U = u) for samples of m and n without ties. The largest of all m + n is one of the first sample
 * with probability m/(m+n), and then it exceeds all n of the second:
 *     P(m,n,u) = m/(m+n) P(m-1,n,u-n) + n/(m+n) P(m,n-1,u).
 * Probabilities instead of counts: nothing overflows and nothing cancels. Row j of `table` holds
 * P(i, j, .) for the present i.
 */
static double *mann_whitney_chances(size_t m, size_t n, Status *status) {
    size_t stride = m * n + 1;
    double *table = memory_new((n + 1) * stride, sizeof *table, status);
    if (!table)
        return NULL;
    for (size_t j = 0; j <= n; j++)
        table[j * stride] = 1;
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            double *row = table + j * stride, *above = row - stride;
            double first = (double)i / (double)(i + j), second = (double)j / (double)(i + j);
            for (size_t u = i * j + 1; u-- > 0;)
                row[u] = (u >= j ? first * row[u - j] : 0) + second * above[u];
        }
    }
    memmove(table, table + n * stride, stride * sizeof *table);
    return table;
}

bool rank_mann_whitney(const double *first, size_t m, const double *second, size_t n,
                       RankTest *test, Status *status) {
    size_t count = m + n;
    double *values = malloc(2 * count * sizeof *values), ties, sum = 0;
    if (!values)
        return status_no_memory(status);
    double *ranks = values + count;
    memcpy(values, first, m * sizeof *values);
    memcpy(values + m, second, n * sizeof *values);
    bool ok = rank_values(values, count, ranks, &ties, status);
    for (size_t i = 0; ok && i < m; i++)
        sum += ranks[i];
    free(values);
    if (!ok)
        return false;
    double a = (double)m, b = (double)n, all = a + b;
    *test = (RankTest){.statistic = sum - a * (a + 1) / 2};
    test->exact = ties == 0 && m <= RANK_TEST_EXACT && n <= RANK_TEST_EXACT;
    if (!test->exact) {
        double variance = a * b / 12 * (all + 1 - ties / (all * (all - 1)));
        test->p = normal_p(fabs(test->statistic - a * b / 2), variance);
        return true;
    }
    double *chances = mann_whitney_chances(m, n, status);
    if (!chances)
        return false;
    test->p = two_sided(chances, m * n + 1, (size_t)test->statistic);
    free(chances);
    return true;
}

/* P(W = w): every rank is positive or not, with equal probability. */
static double wilcoxon_p(size_t count, double statistic) {
    enum { SUMS = RANK_TEST_EXACT * (RANK_TEST_EXACT + 1) / 2 + 1 };
    double chances[SUMS] = {1};
    size_t sums = 1;
    for (size_t rank = 1; rank <= count; rank++) {
        sums += rank;
        for (size_t w = sums; w-- > 0;)
            chances[w] = (chances[w] + (w >= rank ? chances[w - rank] : 0)) / 2;
    }
    return two_sided(chances, sums, (size_t)statistic);
}

bool rank_wilcoxon(const double *first, const double *second, size_t count, RankTest *test,
                   Status *status) {
    double *sizes = calloc(3 * count + 1, sizeof *sizes), *signs = sizes + count,
           *ranks = signs + count, ties = 0;
    if (!sizes)
        return status_no_memory(status);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = first[i] - second[i];
        if (difference == 0)
            continue;
        sizes[left] = fabs(difference);
        signs[left++] = difference;
    }
    bool ok = rank_values(sizes, left, ranks, &ties, status);
    *test = (RankTest){.p = 1, .exact = ties == 0 && left == count && left <= RANK_TEST_EXACT};
    for (size_t i = 0; ok && i < left; i++)
        test->statistic += signs[i] > 0 ? ranks[i] : 0;
    free(sizes);
    if (!ok || left == 0)
        return ok;
    double n = (double)left, mean = n * (n + 1) / 4;
    if (test->exact)
        test->p = wilcoxon_p(left, test->statistic);
    else
        test->p =
            normal_p(fabs(test->statistic - mean), n * (n + 1) * (2 * n + 1) / 24 - ties / 48);
    return true;
}

double rank_a12(double u, size_t m, size_t n) {
    return u / ((double)m * (double)n);
}

const char *rank_a12_word(double a12) {
    double distance = fabs(a12 - 0.5);
    return distance < 0.06   ? "negligible"
           : distance < 0.14 ? "small"
           : distance < 0.21 ? "medium"
                             : "large";
}

bool rank_holm(double *p, size_t count, Status *status) {
    Placed *placed = malloc((count + 1) * sizeof *placed);
    if (!placed)
        return status_no_memory(status);
    size_t tests = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i]))
            placed[tests++] = (Placed){p[i], i};
    qsort(placed, tests, sizeof *placed, compare);
    double largest = 0;
    for (size_t i = 0; i < tests; i++) {
        largest = fmax(largest, fmin(1, placed[i].value * (double)(tests - i)));
        p[placed[i].index] = largest;
    }
    free(placed);
    return true;
}
