/*
 * statistics: mean, deviation, interval and median of a sample; times in a logarithmic histogram,
 * so that millions of decisions take constant memory.
 */
#include "simulate/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double normal_95 = 1.959963984540054; /* two-sided: 95 % are nearer to the middle */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double student_factor(int64_t freedom) {
    static const double exact[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                                   2.44691,  2.36462, 2.30600, 2.26216, 2.22814,
                                   2.20099,  2.17881, 2.16037, 2.14479, 2.13145};
    enum { EXACT = sizeof exact / sizeof *exact };
    if (freedom <= EXACT)
        return exact[freedom - 1];
    /* The Cornish-Fisher series around the normal quantile; right to 3e-5 from here on. */
    double z = normal_95, z2 = z * z, n = (double)freedom;
    double first = (z2 + 1) * z / 4, second = ((5 * z2 + 16) * z2 + 3) * z / 96;
    double third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    return z + first / n + second / (n * n) + third / (n * n * n);
}

/* Game lengths are close to exponential, so the logarithm of the mean of n has the error 1/sqrt(n).
 */
double deaths_factor(int64_t deaths) {
    return exp(normal_95 / sqrt((double)deaths));
}

Summary summary_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    double sum = 0, squares = 0, n = (double)count;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double mean = sum / n;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double deviation = count > 1 ? sqrt(squares / (n - 1)) : NAN;
    double half = count > 1 ? student_factor((int64_t)count - 1) * deviation / sqrt(n) : NAN;
    return (Summary){.mean = mean,
                     .deviation = deviation,
                     .low = mean - half,
                     .high = mean + half,
                     .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
                     .minimum = values[0],
                     .maximum = values[count - 1]};
}

double summary_variation(const Summary *summary) {
    return summary->mean != 0 ? summary->deviation / summary->mean : 0;
}

/* Below TIMES_PER_DOUBLING a bucket is one nanosecond; above, the leading bits of the number. */
static size_t bucket_of(uint64_t ns) {
    if (ns < TIMES_PER_DOUBLING)
        return (size_t)ns;
    int shift = 63 - __builtin_clzll(ns) - 5;
    return (size_t)(shift + 1) * TIMES_PER_DOUBLING + (size_t)(ns >> shift) - TIMES_PER_DOUBLING;
}

/* The middle of a bucket. */
static double bucket_ns(size_t bucket) {
    if (bucket < TIMES_PER_DOUBLING)
        return (double)bucket;
    int shift = (int)(bucket / TIMES_PER_DOUBLING) - 1;
    double low = (double)(bucket % TIMES_PER_DOUBLING + TIMES_PER_DOUBLING);
    return ldexp(low + 0.5, shift) - 0.5;
}

void times_record(Times *times, uint64_t ns, uint64_t count) {
    times->counts[bucket_of(ns)] += count;
    times->count += count;
    times->sum_ns += ns * count;
}

void times_discount(Times *times, uint64_t ns) {
    times->sum_ns -= ns;
}

void times_add(Times *times, const Times *other) {
    for (size_t i = 0; i < TIMES_BUCKETS; i++)
        times->counts[i] += other->counts[i];
    times->count += other->count;
    times->sum_ns += other->sum_ns;
}

double times_mean(const Times *times) {
    return times->count > 0 ? (double)times->sum_ns / (double)times->count : 0;
}

double times_quantile(const Times *times, double quantile) {
    double wanted = quantile * (double)times->count, seen = 0;
    for (size_t i = 0; i < TIMES_BUCKETS; i++) {
        seen += (double)times->counts[i];
        if (times->counts[i] > 0 && seen >= wanted)
            return bucket_ns(i);
    }
    return 0;
}
