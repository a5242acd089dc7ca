/*
 * friedman: the tests of Friedman and Nemenyi: do several methods differ over many instances, and
 * which?
 *
 * Every instance ranks the methods (1: the best, equal ones the mean of their ranks); Friedman's
 * test asks whether the mean ranks differ at all, Nemenyi's which two differ: those whose mean
 * ranks lie further apart than the critical difference (Demsar, 2006).
 */
#ifndef TETROPT_STATS_FRIEDMAN_H
#define TETROPT_STATS_FRIEDMAN_H

#include "base/status.h"

#include <stddef.h>

enum { FRIEDMAN_MAX_METHODS = 64 };

typedef struct Friedman {
    int methods;
    size_t instances;
    double mean_ranks[FRIEDMAN_MAX_METHODS];
    double chi_square, p;       /* corrected for ties; methods - 1 degrees of freedom */
    double critical_difference; /* of mean ranks, Nemenyi at 0.05 */
} Friedman;

/* `values` has one row per instance and one column per method, larger is better. At least 2 methods
 * and one instance. */
bool friedman_test(const double *values, size_t instances, int methods, Friedman *friedman,
                   Status *status);

/* Nemenyi's p-value for the methods i and j. */
double friedman_nemenyi(const Friedman *friedman, int i, int j);

/* A run of methods, in the order of their mean ranks, that do not differ significantly. */
typedef struct FriedmanGroup {
    int first, last; /* places in that order, last included */
} FriedmanGroup;

/* Fills `order` with the methods by mean rank, the best first, and `groups` (room for as many as
 * there are methods) with the longest runs of two or more. Returns the number of groups. */
int friedman_groups(const Friedman *friedman, int *order, FriedmanGroup *groups);

#endif
