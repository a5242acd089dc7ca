/*
 * elo: how much stronger one player is than another, from the results of mirrored pairs of games.
 *
 * The two games of a pair have the same pieces, so their results depend on each other; pairs do
 * not. Everything is therefore computed from the five possible scores of a pair (0, 1/2, 1, 3/2, 2
 * points), as chess engine testers do ("pentanomial"). All functions use base/real, so that a
 * match ends at the same game everywhere.
 */
#ifndef TETROPT_MATCH_ELO_H
#define TETROPT_MATCH_ELO_H

#include <stdbool.h>
#include <stdint.h>

/* pairs[i]: how many pairs brought i/2 points of 2. */
typedef struct EloPairs {
    int64_t pairs[5];
} EloPairs;

/* The difference in Elo and its 95 % interval; infinite where every game was won or lost. */
typedef struct EloEstimate {
    double elo, low, high;
} EloEstimate;

EloEstimate elo_estimate(const EloPairs *pairs);

/* The score that a difference in Elo leads to, and back. */
double elo_to_score(double elo);
double elo_from_score(double score);

/* A sequential probability ratio test of elo0 against elo1. */
typedef struct EloTest {
    double elo0, elo1, alpha, beta;
} EloTest;

typedef enum EloVerdict { ELO_UNDECIDED, ELO_ACCEPTED_0, ELO_ACCEPTED_1 } EloVerdict;

/* The log-likelihood ratio (the normal approximation of the generalised test), and its bounds. */
double elo_ratio(const EloTest *test, const EloPairs *pairs);
double elo_lower(const EloTest *test);
double elo_upper(const EloTest *test);
EloVerdict elo_verdict(const EloTest *test, const EloPairs *pairs);

/* Ratings of several players that explain all results best (Bradley and Terry, with draws as half
 * a win each), with mean 0. points[i * count + j]: what i scored against j; games[...]: of how
 * many. `error` receives the half width of the 95 % interval; infinite without games. */
enum { ELO_PLAYERS_MAX = 16 };
void elo_ratings(int count, const double *points, const double *games, double *elo, double *error);

#endif
