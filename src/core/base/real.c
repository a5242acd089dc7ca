/*
 * real: exp by 2^k times a Taylor series of the rest, log by its exponent and the series of atanh.
 * ln 2 is kept in two parts (Cody and Waite), so that taking k of them away loses nothing.
 */
#include "base/real.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Beyond these the result is infinite, or less than half of the smallest number. */
static const double EXP_LARGEST = 709.782712893384, EXP_LEAST = -745.2;

static const double INVERSE_LN2 = 1.44269504088896338700, SQRT2 = 1.41421356237309504880;
static const double LN2_HIGH = 6.93147180369123816490e-01; /* 33 bits: k * LN2_HIGH is exact */
static const double LN2_LOW = 1.90821492927058770002e-10;

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double real_exp(double x) {
    if (x != x)
        return x;
    if (x > EXP_LARGEST)
        return INFINITY;
    if (x < EXP_LEAST)
        return 0.0;
    double scaled = x * INVERSE_LN2;
    int k = (int)(scaled + (scaled < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW; /* |r| <= ln 2 / 2 */
    /* Taylor, Horner: the term after the last, r^14/14!, is below 5e-18. */
    double sum = 1.0;
    for (int i = 13; i >= 1; i--)
        sum = 1.0 + sum * r / i;
    if (k < -1000) /* in two steps, so that results near the smallest numbers are right */
        return sum * power_of_two(k + 1000) * power_of_two(-1000);
    if (k > 1000)
        return sum * power_of_two(k - 1000) * power_of_two(1000);
    return sum * power_of_two(k);
}

double real_log(double x) {
    if (x != x || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    if (x > DBL_MAX)
        return x;
    int exponent = 0;
    if (x < DBL_MIN) { /* subnormal */
        x *= 0x1p54;
        exponent = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > SQRT2) {
        m *= 0.5;
        exponent++;
    }
    /* log m = 2 atanh(s); |s| <= 0.1716, so the term after the last, 2 s^25 / 25, is below 1e-20.
     */
    double s = (m - 1) / (m + 1);
    double square = s * s;
    double sum = 0;
    for (int i = 23; i >= 1; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent * LN2_HIGH + (2 * s * sum + exponent * LN2_LOW);
}
