/* eliminate: the two tests of irace. Conover, "Practical Nonparametric Statistics", 1999. */
#include "tune/eliminate.h"

#include "stats/distribution.h"
#include "stats/rank_test.h"

#include <math.h>
#include <stdlib.h>

/* Two candidates: Friedman's test has little power there. */
static bool by_wilcoxon(double alpha, const double *values, size_t instances, const double *score,
                        bool *worse, Status *status) {
    double *columns = malloc(2 * instances * sizeof *columns);
    if (!columns)
        return status_no_memory(status);
    for (size_t i = 0; i < instances; i++) {
        columns[i] = values[2 * i];
        columns[instances + i] = values[2 * i + 1];
    }
    RankTest test;
    bool ok = rank_wilcoxon(columns, columns + instances, instances, &test, status);
    if (ok && test.p < alpha)
        worse[score[0] > score[1] ? 0 : 1] = true;
    free(columns);
    return ok;
}

/* Fills the sums of ranks (1: the best of an instance). */
static bool rank_sums(const double *values, size_t instances, size_t candidates, double *ranks,
                      double *negative, double *sums, double *squares, Status *status) {
    *squares = 0;
    for (size_t i = 0; i < candidates; i++)
        sums[i] = 0;
    for (size_t row = 0; row < instances; row++) {
        double ties;
        for (size_t i = 0; i < candidates; i++)
            negative[i] = -values[row * candidates + i];
        if (!rank_values(negative, candidates, ranks, &ties, status))
            return false;
        for (size_t i = 0; i < candidates; i++) {
            sums[i] += ranks[i];
            *squares += ranks[i] * ranks[i];
        }
    }
    return true;
}

static bool by_friedman(double alpha, const double *values, size_t instances, size_t candidates,
                        bool *worse, double *sums, Status *status) {
    double n = (double)instances, k = (double)candidates, squares = 0;
    double *ranks = malloc(2 * candidates * sizeof *ranks);
    bool ok = ranks ? rank_sums(values, instances, candidates, ranks, ranks + candidates, sums,
                                &squares, status)
                    : status_no_memory(status);
    free(ranks);
    if (!ok || candidates == 2)
        return ok && by_wilcoxon(alpha, values, instances, sums, worse, status);
    /* 1. Friedman, corrected for ties. */
    double sum_squares = 0, best = sums[0], between = 0;
    for (size_t i = 0; i < candidates; i++) {
        double distance = sums[i] - n * (k + 1) / 2;
        sum_squares += sums[i] * sums[i];
        between += distance * distance;
        best = fmin(best, sums[i]);
    }
    double within = squares - n * k * (k + 1) * (k + 1) / 4;
    if (within <= 0 || chi_square_upper((k - 1) * between / within, k - 1) >= alpha)
        return true;
    /* 2. Conover's critical difference to the best. */
    double freedom = (n - 1) * (k - 1);
    double difference = student_critical(alpha / 2, freedom) *
                        sqrt(fmax(2 * (n * squares - sum_squares) / freedom, 0));
    for (size_t i = 0; i < candidates; i++)
        worse[i] = sums[i] - best > difference;
    return true;
}

static void by_t(double alpha, const double *values, size_t instances, size_t candidates,
                 bool *worse, double *score) {
    double n = (double)instances;
    size_t best = 0;
    for (size_t i = 0; i < candidates; i++) {
        double sum = 0;
        for (size_t row = 0; row < instances; row++)
            sum += values[row * candidates + i];
        score[i] = -sum / n;
        best = score[i] < score[best] ? i : best;
    }
    for (size_t i = 0; i < candidates; i++) {
        double mean = score[i] - score[best], squares = 0;
        for (size_t row = 0; row < instances; row++) {
            const double *own = values + row * candidates;
            double distance = own[best] - own[i] - mean;
            squares += distance * distance;
        }
        if (mean <= 0)
            continue;
        double error = sqrt(squares / (n - 1) / n);
        worse[i] = error <= 0 || student_upper(mean / error, n - 1) < alpha;
    }
}

bool eliminate(TunerTest test, double alpha, const double *values, size_t instances,
               size_t candidates, bool *worse, double *score, Status *status) {
    for (size_t i = 0; i < candidates; i++)
        worse[i] = false;
    if (candidates > 1 && instances > 1 && test == TUNER_FRIEDMAN)
        return by_friedman(alpha, values, instances, candidates, worse, score, status);
    by_t(instances > 1 ? alpha : 0, values, instances, candidates, worse, score);
    if (instances < 2)
        for (size_t i = 0; i < candidates; i++)
            worse[i] = false;
    return true;
}
