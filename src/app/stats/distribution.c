/*
 * distribution: series, continued fraction and trapezoid rule; see the header for their accuracy.
 */
#include "stats/distribution.h"

#include <math.h>

#define SQRT_HALF 0.70710678118654752440
#define NORMAL_PEAK 0.39894228040143267794 /* 1 / sqrt(2 pi) */

double normal_upper(double z) {
    return 0.5 * erfc(z * SQRT_HALF);
}

enum { GAMMA_TERMS = 10000 };
#define GAMMA_PRECISION 1e-15

/* The regularised lower incomplete gamma function by its series; converges well for x < a + 1. */
static double gamma_lower_series(double a, double x) {
    double term = 1 / a, sum = term;
    for (int i = 1; i < GAMMA_TERMS && fabs(term) > fabs(sum) * GAMMA_PRECISION; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return sum * exp(a * log(x) - x - lgamma(a));
}

/* The upper one by its continued fraction (Lentz's evaluation), for the other half. */
static double gamma_upper_fraction(double a, double x) {
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, product = d;
    for (int i = 1; i < GAMMA_TERMS; i++) {
        double factor = -i * (i - a);
        b += 2;
        d = factor * d + b;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = b + factor / c;
        c = fabs(c) < tiny ? tiny : c;
        product *= d * c;
        if (fabs(d * c - 1) < GAMMA_PRECISION)
            break;
    }
    return product * exp(a * log(x) - x - lgamma(a));
}

double chi_square_upper(double x, double freedom) {
    double a = freedom / 2, half = x / 2;
    if (!(half > 0))
        return 1;
    return half < a + 1 ? 1 - gamma_lower_series(a, half) : gamma_upper_fraction(a, half);
}

/* P(Q <= q) = k * integral of phi(z) (Phi(z) - Phi(z - q))^(k-1) over the place z of the largest of
 * the k. The trapezoid rule converges geometrically here: the integrand is smooth and vanishes at
 * both ends. */
static double studentized_range_lower(double q, int groups) {
    enum { STEPS = 800 };
    const double low = -9, high = 9;
    double step = (high - low) / STEPS, sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double z = low + i * step;
        double inside = normal_upper(z - q) - normal_upper(z);
        sum += exp(-z * z / 2) * pow(inside, groups - 1);
    }
    return fmin(1, groups * NORMAL_PEAK * step * sum);
}

double studentized_range_upper(double q, int groups) {
    return q > 0 ? 1 - studentized_range_lower(q, groups) : 1;
}

double studentized_range_critical(double alpha, int groups) {
    double low = 0, high = 100;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (studentized_range_upper(middle, groups) > alpha)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method; it converges
 * fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double product = d;
    for (int m = 1; m <= 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double steps[] = {even, odd}, change = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + steps[i] * d;
            c = 1 + steps[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            product *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return product;
}

static double beta_lower(double a, double b, double x) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_upper(double t, double freedom) {
    double tail = beta_lower(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
    return t >= 0 ? tail : 1 - tail;
}

double student_critical(double alpha, double freedom) {
    double low = 0, high = 1;
    while (student_upper(high, freedom) > alpha && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;
        if (student_upper(middle, freedom) > alpha)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
