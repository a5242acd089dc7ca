/* elo: estimates from the five counts of pairs; see the header. */
#include "match/elo.h"

#include "base/real.h"

#include <math.h>

static const double ELO_SCALE = 173.71779276130073; /* 400 / ln 10 */
static const double NORMAL_95 = 1.959963984540054;

enum { PAIR_SCORES = 5, RATING_ROUNDS = 2000 };

double elo_to_score(double elo) {
    return 1 / (1 + real_exp(-elo / ELO_SCALE));
}

double elo_from_score(double score) {
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return ELO_SCALE * real_log(score / (1 - score));
}

/* Mean score per game of the pairs, and the variance of one pair's. `least` is added to every
 * count. */
static double moments(const EloPairs *pairs, double least, double *mean, double *variance) {
    double n = 0, sum = 0, squares = 0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        double count = (double)pairs->pairs[i] + least, score = i / 4.0;
        n += count;
        sum += count * score;
    }
    *mean = n > 0 ? sum / n : 0.5;
    for (int i = 0; i < PAIR_SCORES; i++) {
        double count = (double)pairs->pairs[i] + least, off = i / 4.0 - *mean;
        squares += count * off * off;
    }
    *variance = n > 0 ? squares / n : 0;
    return n;
}

EloEstimate elo_estimate(const EloPairs *pairs) {
    double mean, variance;
    double n = moments(pairs, 0, &mean, &variance);
    if (n == 0)
        return (EloEstimate){0, -INFINITY, INFINITY};
    double error = NORMAL_95 * sqrt(variance / n);
    if (variance == 0) /* all pairs alike: the rule of three bounds what was not seen */
        error = 3 / (2 * n);
    return (EloEstimate){elo_from_score(mean), elo_from_score(mean - error),
                         elo_from_score(mean + error)};
}

double elo_ratio(const EloTest *test, const EloPairs *pairs) {
    double mean, variance, ignored;
    double n = moments(pairs, 0, &mean, &variance);
    /* One more pair of every score: the first few pairs are often alike, and their variance alone
     * would decide the test at once, half of the time wrongly (tests/unit/test_match.c). */
    moments(pairs, 1, &ignored, &variance);
    double s0 = elo_to_score(test->elo0), s1 = elo_to_score(test->elo1);
    return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

double elo_lower(const EloTest *test) {
    return real_log(test->beta / (1 - test->alpha));
}

double elo_upper(const EloTest *test) {
    return real_log((1 - test->beta) / test->alpha);
}

EloVerdict elo_verdict(const EloTest *test, const EloPairs *pairs) {
    double ratio = elo_ratio(test, pairs);
    return ratio <= elo_lower(test)   ? ELO_ACCEPTED_0
           : ratio >= elo_upper(test) ? ELO_ACCEPTED_1
                                      : ELO_UNDECIDED;
}

/* Strengths by the iteration of Zermelo: each is its points divided by the sum of its games over
 * the sums of strengths. Half a drawn game against an average player keeps them finite. */
void elo_ratings(int count, const double *points, const double *games, double *elo, double *error) {
    double strength[ELO_PLAYERS_MAX], next[ELO_PLAYERS_MAX];
    for (int i = 0; i < count; i++)
        strength[i] = 1;
    for (int round = 0; round < RATING_ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            double won = 0.25, share = 0.5 / (strength[i] + 1);
            for (int j = 0; j < count; j++) {
                won += points[i * count + j];
                share += i == j ? 0 : games[i * count + j] / (strength[i] + strength[j]);
            }
            next[i] = won / share;
        }
        for (int i = 0; i < count; i++)
            strength[i] = next[i];
    }
    double mean = 0;
    for (int i = 0; i < count; i++) {
        elo[i] = ELO_SCALE * real_log(strength[i]);
        mean += elo[i] / count;
    }
    for (int i = 0; i < count; i++) {
        double information = 0;
        for (int j = 0; j < count; j++) {
            double p = strength[i] / (strength[i] + strength[j]);
            information += i == j ? 0 : games[i * count + j] * p * (1 - p);
        }
        elo[i] -= mean;
        error[i] = information > 0 ? NORMAL_95 * ELO_SCALE / sqrt(information) : INFINITY;
    }
}
