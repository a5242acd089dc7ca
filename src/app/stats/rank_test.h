/*
 * rank_test: tests that use only the order of numbers, since fitness and scores are far from
 * normal: Mann-Whitney for two samples, Wilcoxon for pairs, Holm's correction for several tests at
 * once, and Vargha and Delaney's A12 for how large a difference is.
 *
 * All p-values are two-sided. They are exact where no two numbers are equal and the samples are
 * small (RANK_TEST_EXACT); else the normal approximation with corrections for ties and continuity.
 */
#ifndef TETROPT_STATS_RANK_TEST_H
#define TETROPT_STATS_RANK_TEST_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RANK_TEST_EXACT = 50 };

typedef struct RankTest {
    double statistic; /* U of the first sample; the sum of positive ranks */
    double p;
    bool exact;
} RankTest;

/* `ranks` receives the ranks (1: smallest) of `values`, equal ones their mean; `values` stay. *ties
 * receives the sum of t^3 - t over groups of t equal values. False: no memory. */
bool rank_values(const double *values, size_t count, double *ranks, double *ties, Status *status);

/* Mann and Whitney's test of first[0..m) against second[0..n), m and n >= 1. */
bool rank_mann_whitney(const double *first, size_t m, const double *second, size_t n,
                       RankTest *test, Status *status);

/* Wilcoxon's signed-rank test of the differences first[i] - second[i]; pairs without a difference
 * do not count. p is 1 when none is left. */
bool rank_wilcoxon(const double *first, const double *second, size_t count, RankTest *test,
                   Status *status);

/* The probability that a number of the first sample is larger than one of the second, a tie
 * counting half, from U. */
double rank_a12(double u, size_t m, size_t n);

/* What A12 means in words, by the customary thresholds 0.56, 0.64, 0.71. */
const char *rank_a12_word(double a12);

/* Replaces p-values by those corrected after Holm. NaN stands for a test that was not made. */
bool rank_holm(double *p, size_t count, Status *status);

#endif
