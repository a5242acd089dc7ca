#include "base/real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
    if (x > 709.782712893384)
        return INFINITY;
    if (x < -745.2)
        return 0.0;
    double scaled = x * 1.44269504088896338700;
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
    if (x > 1.7976931348623157e308)
        return x;
    int exponent = 0;
    if (x < 2.2250738585072014e-308) { /* subnormal */
        x *= 0x1p54;
        exponent = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
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
