/*
 * statistics: the summary of a measure over many games, and the distribution of decision times.
 */
#ifndef TETROPT_SIMULATE_STATISTICS_H
#define TETROPT_SIMULATE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* Of a sample. The deviation is the sample's (n - 1); the interval is Student's for the mean. A
 * single value has neither: they are NaN. */
typedef struct Summary {
    double mean, deviation;
    double low, high; /* the 95 % interval of the mean */
    double median, minimum, maximum;
} Summary;

/* Summarises count >= 1 values; sorts them. */
Summary summary_of(double *values, size_t count);

/* deviation / mean: how consistent the games are. 0 where the mean is 0. */
double summary_variation(const Summary *summary);

/* The factor of the standard error in a 95 % interval, two-sided, with that many degrees of
 * freedom (1 and more). */
double student_factor(int64_t freedom);

/* The 95 % interval of a mean over `deaths` game lengths, 1 or more, goes from it divided by this
 * to it times this. */
double deaths_factor(int64_t deaths);

/* Times as counts by size: buckets are 1/32 of a power of two wide, so a quantile is right to 3 %
 * and recording is a few instructions. */
enum { TIMES_PER_DOUBLING = 32, TIMES_BUCKETS = 64 * TIMES_PER_DOUBLING };

typedef struct Times {
    uint64_t counts[TIMES_BUCKETS];
    uint64_t count, sum_ns;
} Times;

/* Records `count` decisions that took `ns` each. */
void times_record(Times *times, uint64_t ns, uint64_t count);

/* Takes from the sum what was not time of decisions, but waiting; the counts by size stay. */
void times_discount(Times *times, uint64_t ns);

/* Adds the counts of `other`. */
void times_add(Times *times, const Times *other);

/* The mean, and the time that the share `quantile` of all stays within, in nanoseconds; 0 when
 * nothing was recorded. */
double times_mean(const Times *times);
double times_quantile(const Times *times, double quantile);

#endif
