/*
 * sample: describes a sample of numbers: quartiles, mean with its bootstrap interval, variation,
 * and the share up to a value.
 *
 * Quantiles interpolate between order statistics (the seventh definition of Hyndman and Fan, the
 * default of R and numpy). The bootstrap draws from a generator of its own seed, so the same
 * numbers in the same order give the same interval.
 */
#ifndef TETROPT_STATS_SAMPLE_H
#define TETROPT_STATS_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* Sorts numbers, smallest first; infinities are fine, NaN is not. */
void sample_sort(double *values, size_t count);

/* The quantile 0 <= share <= 1 of count >= 1 sorted values. */
double sample_quantile(const double *sorted, size_t count, double share);

typedef struct Sample {
    size_t count;
    double minimum, lower, median, upper, maximum; /* lower and upper quartile */
    double mean, deviation;                        /* the sample's, n - 1; 0 for one value */
    double low, high;                              /* the 95 % bootstrap interval of the mean */
} Sample;

enum { SAMPLE_RESAMPLES = 2000 };

/* Describes count >= 1 values (all finite); sorts them. */
Sample sample_of(double *values, size_t count);

/* The percentile bootstrap interval of the mean with SAMPLE_RESAMPLES resamples: the mean lies in
 * *low..*high with probability `level`. `scratch` has room for SAMPLE_RESAMPLES numbers. */
void sample_bootstrap_mean(const double *values, size_t count, double level, uint64_t seed,
                           double *scratch, double *low, double *high);

/* A number that describes count >= 1 values; may sort them. */
typedef double SampleStatistic(double *values, size_t count);

/* The 95 % percentile bootstrap interval of any statistic of `draw` values out of these `count`:
 * with draw = count its confidence interval, else where the statistic of such a sample lies.
 * `scratch` has room for SAMPLE_RESAMPLES + draw numbers. */
void sample_bootstrap(const double *values, size_t count, size_t draw, SampleStatistic *statistic,
                      double *scratch, double *low, double *high);

/* The 95 % interval of the median of count >= 1 sorted values: order statistics that are equally
 * far from both ends (exact by the binomial distribution; of fewer than six values all of them). */
void sample_median_interval(const double *sorted, size_t count, double *low, double *high);

/* The coefficient of variation, deviation / |mean|; NaN where the mean is 0. */
double sample_variation(const Sample *sample);

/* The share of all `count` values that are <= x; the values are sorted, and those never reached
 * are infinite. */
double sample_share_up_to(const double *sorted, size_t count, double x);

#endif
