/*
 * distribution: the tails of the few distributions that the tests need.
 *
 * Written here so that the program needs no library of statistics. Chi-square is the incomplete
 * gamma function, by its series or its continued fraction, Student's t the incomplete beta function
 * by its continued fraction; the studentized range is integrated.
 * Absolute errors stay below 1e-9 (tested); tails of the normal and of chi-square keep their
 * relative accuracy.
 */
#ifndef TETROPT_STATS_DISTRIBUTION_H
#define TETROPT_STATS_DISTRIBUTION_H

/* P(Z > z) of the standard normal. */
double normal_upper(double z);

/* P(X > x) of chi-square with `freedom` > 0 degrees. 1 for x <= 0. */
double chi_square_upper(double x, double freedom);

/* P(T > t) of Student's distribution with `freedom` > 0 degrees. */
double student_upper(double t, double freedom);

/* The t that is exceeded with probability `alpha`, 0 < alpha < 0.5. */
double student_critical(double alpha, double freedom);

/* P(Q > q) of the studentized range of `groups` >= 2 means, the variance being known (infinitely
 * many degrees of freedom), as Nemenyi's test uses it. 1 for q <= 0. */
double studentized_range_upper(double q, int groups);

/* The q that is exceeded with probability `alpha`, 0 < alpha < 1. */
double studentized_range_critical(double alpha, int groups);

#endif
