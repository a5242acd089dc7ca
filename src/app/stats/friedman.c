/*
 * friedman: ranks per instance, the test statistic, and groups of methods within the critical
 * difference.
 */
#include "stats/friedman.h"

#include "stats/distribution.h"
#include "stats/rank_test.h"

#include <assert.h>
#include <math.h>

#define ALPHA 0.05

bool friedman_test(const double *values, size_t instances, int methods, Friedman *friedman,
                   Status *status) {
    assert(methods >= 2 && methods <= FRIEDMAN_MAX_METHODS && instances >= 1);
    double k = methods, n = (double)instances, ties = 0;
    *friedman = (Friedman){.methods = methods, .instances = instances};
    for (size_t i = 0; i < instances; i++) {
        double losses[FRIEDMAN_MAX_METHODS], ranks[FRIEDMAN_MAX_METHODS], row_ties;
        for (int j = 0; j < methods; j++)
            losses[j] = -values[i * (size_t)methods + (size_t)j];
        if (!rank_values(losses, (size_t)methods, ranks, &row_ties, status))
            return false;
        ties += row_ties;
        for (int j = 0; j < methods; j++)
            friedman->mean_ranks[j] += ranks[j];
    }
    for (int j = 0; j < methods; j++)
        friedman->mean_ranks[j] /= n;
    double spread = 0;
    for (int j = 0; j < methods; j++)
        spread += pow(friedman->mean_ranks[j] - (k + 1) / 2, 2);
    double correction = 1 - ties / (n * (k * k * k - k));
    friedman->chi_square = correction > 0 ? 12 * n / (k * (k + 1)) * spread / correction : 0;
    friedman->p = chi_square_upper(friedman->chi_square, k - 1);
    friedman->critical_difference =
        studentized_range_critical(ALPHA, methods) * sqrt(k * (k + 1) / (12 * n));
    return true;
}

double friedman_nemenyi(const Friedman *friedman, int i, int j) {
    double k = friedman->methods, n = (double)friedman->instances;
    double distance = fabs(friedman->mean_ranks[i] - friedman->mean_ranks[j]);
    return studentized_range_upper(distance / sqrt(k * (k + 1) / (12 * n)), friedman->methods);
}

int friedman_groups(const Friedman *friedman, int *order, FriedmanGroup *groups) {
    int count = 0, reached = -1;
    for (int i = 0; i < friedman->methods; i++) {
        int place = i; /* insertion keeps equal ranks in the order of the methods */
        for (; place > 0 && friedman->mean_ranks[order[place - 1]] > friedman->mean_ranks[i];
             place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    for (int first = 0; first < friedman->methods; first++) {
        int last = first;
        while (last + 1 < friedman->methods &&
               friedman->mean_ranks[order[last + 1]] - friedman->mean_ranks[order[first]] <
                   friedman->critical_difference)
            last++;
        if (last > first && last > reached)
            groups[count++] = (FriedmanGroup){first, last};
        reached = last > reached ? last : reached;
    }
    return count;
}
