/* sample: sorts once; quantiles, moments and the bootstrap use the sorted values. */
#include "stats/sample.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sample_sort(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
}

double sample_quantile(const double *sorted, size_t count, double share) {
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    double part = place - (double)below;
    /* Two infinite neighbours must not become NaN. */
    if (part == 0 || below + 1 >= count || sorted[below] == sorted[below + 1])
        return sorted[below];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The middle `level` of what the resamples gave. */
static void interval_of(double *resamples, double level, double *low, double *high) {
    sample_sort(resamples, SAMPLE_RESAMPLES);
    *low = sample_quantile(resamples, SAMPLE_RESAMPLES, (1 - level) / 2);
    *high = sample_quantile(resamples, SAMPLE_RESAMPLES, (1 + level) / 2);
}

void sample_bootstrap(const double *values, size_t count, size_t draw, SampleStatistic *statistic,
                      double *scratch, double *low, double *high) {
    double *drawn = scratch + SAMPLE_RESAMPLES;
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int i = 0; i < SAMPLE_RESAMPLES; i++) {
        for (size_t j = 0; j < draw; j++)
            drawn[j] = values[rng_below(&rng, (uint32_t)count)];
        scratch[i] = statistic(drawn, draw);
    }
    interval_of(scratch, 0.95, low, high);
}

void sample_bootstrap_mean(const double *values, size_t count, double level, uint64_t seed,
                           double *scratch, double *low, double *high) {
    Rng rng;
    rng_init(&rng, seed, 0);
    for (int i = 0; i < SAMPLE_RESAMPLES; i++) {
        double sum = 0;
        for (size_t j = 0; j < count; j++)
            sum += values[rng_below(&rng, (uint32_t)count)];
        scratch[i] = sum / (double)count;
    }
    interval_of(scratch, level, low, high);
}

Sample sample_of(double *values, size_t count) {
    double scratch[SAMPLE_RESAMPLES], squares = 0;
    sample_sort(values, count);
    Sample sample = {.count = count,
                     .minimum = values[0],
                     .lower = sample_quantile(values, count, 0.25),
                     .median = sample_quantile(values, count, 0.5),
                     .upper = sample_quantile(values, count, 0.75),
                     .maximum = values[count - 1],
                     .mean = mean_of(values, count)};
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - sample.mean) * (values[i] - sample.mean);
    sample.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    sample_bootstrap_mean(values, count, 0.95, 1, scratch, &sample.low, &sample.high);
    return sample;
}

double sample_variation(const Sample *sample) {
    return sample->mean != 0 ? sample->deviation / fabs(sample->mean) : NAN;
}

double sample_share_up_to(const double *sorted, size_t count, double x) {
    size_t low = 0, high = count; /* the first value above x lies in low..high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low / (double)count;
}

void sample_median_interval(const double *sorted, size_t count, double *low, double *high) {
    /* Below the k-th smallest value lies the median when fewer than k of them are below it: a
       binomial tail, added up by logarithms because 2^-count underflows. */
    double tail = 0, log_term = -(double)count * log(2);
    size_t skipped = 0;
    for (; skipped < (count - 1) / 2; skipped++) {
        tail += exp(log_term);
        if (tail > 0.025)
            break;
        log_term += log((double)(count - skipped) / (double)(skipped + 1));
    }
    size_t first = skipped > 0 ? skipped - 1 : 0;
    *low = sorted[first];
    *high = sorted[count - 1 - first];
}
