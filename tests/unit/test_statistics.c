/* statistics: samples, rank tests and Friedman against values of scipy 1.10 and of textbooks. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stats/distribution.h"
#include "stats/friedman.h"
#include "stats/rank_test.h"
#include "stats/sample.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NEAR(value, expected, tolerance)                                                           \
    cr_assert(fabs((value) - (expected)) <= (tolerance), "%.17g is not %.17g", (double)(value),    \
              (double)(expected))

static const double losses[] = {-15.25, -177.5, -80, -42.125, -9, -220, -33.5, -61};
static const double others[] = {-12, -100.5, -45, -20.25, -5.5, -150, -30, -11, -7.75};

Test(distribution, normal_tails) {
    NEAR(normal_upper(0), 0.5, 1e-15);
    NEAR(normal_upper(1), 0.15865525393145707, 1e-15);
    NEAR(normal_upper(1.959963984540054), 0.025, 1e-15);
    NEAR(normal_upper(-2), 0.9772498680518208, 1e-15);
    NEAR(normal_upper(8) / 6.22096057427174e-16, 1, 1e-12);
}

Test(distribution, chi_square_tails) {
    NEAR(chi_square_upper(3.84145882, 1), 0.0500000000206984, 1e-13);
    NEAR(chi_square_upper(0.5, 3), 0.9188914116546758, 1e-13);
    NEAR(chi_square_upper(10, 4), 0.04042768199451279, 1e-13);
    NEAR(chi_square_upper(1, 20), 0.999999999829033, 1e-13);
    NEAR(chi_square_upper(60, 20) / 7.121750862815593e-06, 1, 1e-10);
    NEAR(chi_square_upper(200, 3) / 4.218541107192018e-43, 1, 1e-10);
    cr_assert_eq(chi_square_upper(0, 5), 1);
    /* Two degrees: an exponential. */
    for (double x = 0.25; x < 40; x += 0.25)
        NEAR(chi_square_upper(x, 2) / exp(-x / 2), 1, 1e-12);
}

Test(distribution, studentized_range) {
    static const struct {
        int groups;
        double critical, upper_at_3;
    } rows[] = {
        {2, 2.771807648699355, 0.03389485352468935},  {3, 3.314493155398122, 0.08554257165495793},
        {4, 3.6331595749026278, 0.14627148104765975}, {5, 3.857655510378623, 0.21087650496353805},
        {6, 4.030092053180576, 0.27609937930951},     {8, 4.286309409349043, 0.4009386127813581},
        {10, 4.474124221725907, 0.5121840739708068},  {20, 5.0116887941184425, 0.8462564661943723}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        NEAR(studentized_range_critical(0.05, rows[i].groups), rows[i].critical, 1e-6);
        NEAR(studentized_range_upper(3, rows[i].groups), rows[i].upper_at_3, 1e-8);
    }
    /* The table that everybody prints for Nemenyi's test: q / sqrt(2). */
    static const double printed[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    for (int groups = 2; groups <= 10; groups++)
        NEAR(studentized_range_critical(0.05, groups) / sqrt(2), printed[groups - 2], 1e-3);
    cr_assert_eq(studentized_range_upper(0, 3), 1);
}

Test(sample, quartiles_mean_and_deviation) {
    double values[COUNT(losses)];
    memcpy(values, losses, sizeof values);
    Sample sample = sample_of(values, COUNT(values));
    cr_assert_eq(sample.count, 8);
    cr_assert_eq(sample.minimum, -220);
    NEAR(sample.lower, -104.375, 1e-12);
    NEAR(sample.median, -51.5625, 1e-12);
    NEAR(sample.upper, -28.9375, 1e-12);
    cr_assert_eq(sample.maximum, -9);
    NEAR(sample.mean, -79.796875, 1e-12);
    NEAR(sample.deviation, 77.73328763596989, 1e-11);
    NEAR(sample_variation(&sample), 77.73328763596989 / 79.796875, 1e-12);
    double one[] = {3};
    sample = sample_of(one, 1);
    cr_assert(sample.lower == 3 && sample.upper == 3 && sample.deviation == 0);
    cr_assert(sample.low == 3 && sample.high == 3);
    double none[] = {-1, 1};
    sample = sample_of(none, 2);
    cr_assert(isnan(sample_variation(&sample)));
}

/* For many values the interval is the normal one, and it repeats. */
Test(sample, bootstrap_interval) {
    enum { N = 400 };
    static double values[N], scratch[SAMPLE_RESAMPLES];
    double sum = 0, squares = 0, low, high, again_low, again_high;
    Rng rng;
    rng_init(&rng, 3, 0);
    for (int i = 0; i < N; i++)
        sum += values[i] = rng_real(&rng) * 10;
    for (int i = 0; i < N; i++)
        squares += (values[i] - sum / N) * (values[i] - sum / N);
    double half = 1.96 * sqrt(squares / N / N);
    sample_bootstrap_mean(values, N, 0.95, 7, scratch, &low, &high);
    NEAR(low, sum / N - half, half * 0.1);
    NEAR(high, sum / N + half, half * 0.1);
    sample_bootstrap_mean(values, N, 0.95, 7, scratch, &again_low, &again_high);
    cr_assert(low == again_low && high == again_high);
    sample_bootstrap_mean(values, N, 0.5, 7, scratch, &again_low, &again_high);
    NEAR(again_high - again_low, 2 * half * 0.6745 / 1.96, half * 0.15);
}

static double largest(double *values, size_t count) {
    sample_sort(values, count);
    return values[count - 1];
}

/* Of 1..100 the largest of 9 draws lies with 95 % between 100*0.025^(1/9) and 100*0.975^(1/9). */
Test(sample, bootstrap_of_any_statistic) {
    double values[100], scratch[SAMPLE_RESAMPLES + 9], low, high;
    for (int i = 0; i < 100; i++)
        values[i] = i + 1;
    sample_bootstrap(values, 100, 9, largest, scratch, &low, &high);
    NEAR(low, 66.4, 3);
    NEAR(high, 99.7, 0.5);
}

/* The order statistics of the sign test's tables. */
Test(sample, interval_of_the_median) {
    static const struct {
        size_t count, first; /* the first of the order statistics, from 1 */
    } cases[] = {{1, 1}, {5, 1}, {6, 1}, {8, 1}, {9, 2}, {12, 3}, {22, 6}, {27, 8}, {100, 40}};
    double values[2000], low, high;
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = (double)(i + 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        sample_median_interval(values, cases[i].count, &low, &high);
        NEAR(low, (double)cases[i].first, 0);
        NEAR(high, (double)(cases[i].count + 1 - cases[i].first), 0);
    }
    sample_median_interval(values, 2000, &low, &high); /* 1000 minus 1.96 deviations */
    NEAR(low, 1000 - 0.98 * sqrt(2000), 1.5);
}

Test(sample, shares_and_what_was_never_reached) {
    double values[] = {100, INFINITY, 20, 20, INFINITY};
    sample_sort(values, COUNT(values));
    cr_assert_eq(sample_share_up_to(values, 5, 19), 0);
    cr_assert_eq(sample_share_up_to(values, 5, 20), 0.4);
    cr_assert_eq(sample_share_up_to(values, 5, 1e300), 0.6);
    cr_assert_eq(sample_quantile(values, 5, 1), INFINITY);
    cr_assert_eq(sample_quantile(values, 5, 0.9), INFINITY);
    cr_assert_eq(sample_quantile(values, 5, 0.5), 100);
}

Test(rank_test, ranks_share_ties) {
    double values[] = {5, 1, 5, 3, 5, 1}, ranks[6], ties;
    cr_assert(rank_values(values, 6, ranks, &ties, NULL));
    double expected[] = {5, 1.5, 5, 3, 5, 1.5};
    for (int i = 0; i < 6; i++)
        cr_assert_eq(ranks[i], expected[i]);
    cr_assert_eq(ties, 24 + 6);
}

Test(rank_test, mann_whitney_small_is_exact) {
    RankTest test;
    cr_assert(rank_mann_whitney(losses, COUNT(losses), others, COUNT(others), &test, NULL));
    cr_assert(test.exact);
    cr_assert_eq(test.statistic, 22);
    NEAR(test.p, 0.1995886466474702, 1e-12);
    NEAR(rank_a12(test.statistic, COUNT(losses), COUNT(others)), 22.0 / 72, 1e-15);
    /* 3 against 3, apart: 2 of C(6,3) orders are as extreme. */
    cr_assert(rank_mann_whitney((double[]){1, 2, 3}, 3, (double[]){4, 5, 6}, 3, &test, NULL));
    NEAR(test.p, 0.1, 1e-15);
    cr_assert_eq(test.statistic, 0);
    double first[50], second[50];
    for (int i = 0; i < 50; i++) {
        first[i] = 2 * i;
        second[i] = 2 * i + 13;
    }
    cr_assert(rank_mann_whitney(first, 50, second, 50, &test, NULL));
    cr_assert(test.exact);
    cr_assert_eq(test.statistic, 946);
    NEAR(test.p, 0.036017807864880805, 1e-12);
}

Test(rank_test, mann_whitney_with_ties_or_many) {
    static const double first[] = {1, 2, 2, 3, 3, 3, 4, 7, 9, 9};
    static const double second[] = {2, 3, 3, 5, 5, 8, 9, 9, 10, 12, 12, 13};
    RankTest test;
    cr_assert(rank_mann_whitney(first, COUNT(first), second, COUNT(second), &test, NULL));
    cr_assert_not(test.exact);
    cr_assert_eq(test.statistic, 29);
    NEAR(test.p, 0.042167034256878726, 1e-12);
    double many[60], more[60];
    for (int i = 0; i < 60; i++) {
        many[i] = 2 * i;
        more[i] = 2 * i + 13;
    }
    cr_assert(rank_mann_whitney(many, 60, more, 60, &test, NULL));
    cr_assert_not(test.exact);
    NEAR(test.p, 0.05309795728558337, 1e-12);
    double same[] = {4, 4, 4};
    cr_assert(rank_mann_whitney(same, 3, same, 3, &test, NULL));
    cr_assert_eq(test.p, 1);
    NEAR(rank_a12(test.statistic, 3, 3), 0.5, 1e-15);
}

/* Every order of 4 + 5 numbers counted one by one. */
Test(rank_test, mann_whitney_against_enumeration) {
    enum { M = 4, N = 5, ALL = M + N };
    double u_of[512];
    int subsets = 0;
    for (int mask = 0; mask < 1 << ALL; mask++) {
        if (__builtin_popcount((unsigned)mask) != M)
            continue;
        double u = 0;
        for (int i = 0; i < ALL; i++)
            for (int j = 0; j < i; j++)
                u += (mask >> i & 1) && !(mask >> j & 1);
        u_of[subsets++] = u;
    }
    cr_assert_eq(subsets, 126);
    for (int mask = 0; mask < 1 << ALL; mask++) {
        if (__builtin_popcount((unsigned)mask) != M)
            continue;
        double first[M], second[N];
        int m = 0, n = 0;
        for (int i = 0; i < ALL; i++)
            if (mask >> i & 1)
                first[m++] = i;
            else
                second[n++] = i;
        RankTest test;
        cr_assert(rank_mann_whitney(first, M, second, N, &test, NULL));
        int lower = 0, upper = 0;
        for (int i = 0; i < subsets; i++) {
            lower += u_of[i] <= test.statistic;
            upper += u_of[i] >= test.statistic;
        }
        NEAR(test.p, fmin(1, 2.0 * fmin(lower, upper) / subsets), 1e-12);
    }
}

Test(rank_test, wilcoxon) {
    static const double first[] = {125, 115, 130, 140, 140.5, 115.2, 140.7, 125.1, 140.9, 135.3};
    static const double second[] = {110, 122, 125, 120, 139, 124, 123, 137, 135, 145};
    RankTest test;
    cr_assert(rank_wilcoxon(first, second, 10, &test, NULL));
    cr_assert(test.exact);
    cr_assert_eq(test.statistic, 55 - 22);
    NEAR(test.p, 0.625, 1e-12);
    static const double tied[] = {125, 115, 130, 140, 140, 115, 140, 125, 140, 135};
    static const double tied_second[] = {110, 122, 125, 120, 140, 124, 123, 137, 135, 145};
    cr_assert(rank_wilcoxon(tied, tied_second, 10, &test, NULL));
    cr_assert_not(test.exact);
    cr_assert_eq(test.statistic, 45 - 18);
    NEAR(test.p, 0.6352893188352069, 1e-12);
    double differences[50], zeros[50] = {0};
    for (int i = 0; i < 50; i++)
        differences[i] = i % 3 == 1 ? -(i + 1) : i + 1;
    cr_assert(rank_wilcoxon(differences, zeros, 50, &test, NULL));
    cr_assert_eq(test.statistic, 1275 - 442);
    NEAR(test.p, 0.05935623218713815, 1e-12);
    cr_assert(rank_wilcoxon(zeros, zeros, 50, &test, NULL));
    cr_assert_eq(test.p, 1);
    /* All of five in one direction: 2 of 32 signs. */
    cr_assert(rank_wilcoxon(differences, zeros, 1, &test, NULL));
    cr_assert_eq(test.p, 1);
    cr_assert(rank_wilcoxon((double[]){1, 2, 3, 4, 5}, zeros, 5, &test, NULL));
    NEAR(test.p, 2.0 / 32, 1e-15);
}

Test(rank_test, holm) {
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005};
    cr_assert(rank_holm(p, 5, NULL));
    NEAR(p[0], 0.03, 1e-15);
    cr_assert(isnan(p[1]));
    NEAR(p[2], 0.06, 1e-15);
    NEAR(p[3], 0.06, 1e-15);
    NEAR(p[4], 0.02, 1e-15);
    double large[] = {0.9, 0.8};
    cr_assert(rank_holm(large, 2, NULL));
    cr_assert(large[0] == 1 && large[1] == 1);
}

Test(rank_test, a12_in_words) {
    cr_assert_str_eq(rank_a12_word(0.5), "negligible");
    cr_assert_str_eq(rank_a12_word(0.43), "small");
    cr_assert_str_eq(rank_a12_word(0.65), "medium");
    cr_assert_str_eq(rank_a12_word(0.05), "large");
}

/* 14 instances, 4 methods. */
static const double accuracy[14][4] = {{.763, .768, .771, .798}, {.599, .591, .590, .569},
                                       {.954, .971, .968, .967}, {.628, .661, .654, .657},
                                       {.882, .888, .886, .898}, {.936, .931, .916, .931},
                                       {.661, .668, .609, .685}, {.583, .583, .563, .625},
                                       {.775, .838, .866, .875}, {1, 1, 1, 1},
                                       {.940, .962, .965, .962}, {.619, .666, .614, .669},
                                       {.972, .981, .975, .975}, {.957, .978, .946, .970}};

Test(friedman, against_scipy) {
    Friedman friedman;
    cr_assert(friedman_test(&accuracy[0][0], 14, 4, &friedman, NULL));
    NEAR(friedman.chi_square, 10.952380952380956, 1e-11);
    NEAR(friedman.p, 0.011986176325417788, 1e-12);
    static const double ranks[] = {3.142857142857143, 2.0, 2.9285714285714284, 1.9285714285714286};
    for (int i = 0; i < 4; i++)
        NEAR(friedman.mean_ranks[i], ranks[i], 1e-12);
    NEAR(friedman.critical_difference, 1.2535591471176057, 1e-7);
    NEAR(friedman_nemenyi(&friedman, 0, 1), 0.08867270928888271, 1e-8);
    NEAR(friedman_nemenyi(&friedman, 3, 0), 0.06168325891240056, 1e-8);
    int order[4];
    FriedmanGroup groups[4];
    cr_assert_eq(friedman_groups(&friedman, order, groups), 1);
    cr_assert(order[0] == 3 && order[1] == 1 && order[2] == 2 && order[3] == 0);
    cr_assert(groups[0].first == 0 && groups[0].last == 3);
}

Test(friedman, groups_overlap_and_drop_the_lonely) {
    Friedman friedman = {.methods = 5,
                         .instances = 30,
                         .mean_ranks = {3.2, 1.0, 2.4, 4.9, 2.9},
                         .critical_difference = 0.7};
    int order[5];
    FriedmanGroup groups[5];
    cr_assert_eq(friedman_groups(&friedman, order, groups), 2);
    cr_assert(order[0] == 1 && order[1] == 2 && order[2] == 4 && order[3] == 0 && order[4] == 3);
    cr_assert(groups[0].first == 1 && groups[0].last == 2);
    cr_assert(groups[1].first == 2 && groups[1].last == 3);
}

Test(friedman, no_difference_at_all) {
    double values[6] = {1, 1, 1, 2, 2, 2};
    Friedman friedman;
    cr_assert(friedman_test(values, 2, 3, &friedman, NULL));
    cr_assert_eq(friedman.chi_square, 0);
    cr_assert_eq(friedman.p, 1);
    NEAR(friedman_nemenyi(&friedman, 0, 2), 1, 1e-12);
}
