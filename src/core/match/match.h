/*
 * match: many duels between two or more players, in mirrored pairs, on all threads.
 *
 * Games are numbered. A round has one pair of games for every pairing: the same seed twice, with
 * the sides swapped. Game numbers, not threads, decide what is played, and a rule that ends a
 * match early (SPRT, first to N) looks at the games in the order of their numbers only. So the
 * result does not depend on the number of threads, and a match that was interrupted continues with
 * the same result.
 */
#ifndef TETROPT_MATCH_MATCH_H
#define TETROPT_MATCH_MATCH_H

#include "base/pool.h"
#include "base/progress.h"
#include "match/duel.h"
#include "match/elo.h"

enum { MATCH_PLAYERS_MAX = ELO_PLAYERS_MAX, MATCH_PAIRINGS_MAX = 120 };

typedef struct MatchTask {
    const Setup *players[MATCH_PLAYERS_MAX];
    int player_count;
    bool gauntlet; /* the first against all others; else everybody against everybody */
    MatchRules rules;
    DuelTiming timing;
    int64_t rounds;   /* pairs of games per pairing, at most */
    int64_t first_to; /* ends when a player of the only pairing has so many wins; 0: not */
    bool test;        /* ends when the test of the only pairing has a verdict */
    EloTest elo_test;
    int64_t max_pieces; /* of a side; then it is a draw */
    uint64_t seed;      /* of the first round; the next has one more */
    unsigned threads;
    double seconds; /* time limit; 0: none */
    bool record;
} MatchTask;

/* What a side of a pairing, or a player, did in all its games. */
typedef struct MatchTotals {
    int64_t games, wins, losses, draws, faults;
    DuelSide sum;     /* longest_combo: the maximum; reason, record: not used */
    int64_t overs[8]; /* lost games by GameOver; those by fault are not among them */
} MatchTotals;

typedef struct MatchPairing {
    int players[DUEL_SIDES];
    EloPairs pairs;
    int64_t wins, losses, draws; /* of the first */
} MatchPairing;

typedef struct Match {
    MatchTask task;
    int pairing_count;
    int pairings[MATCH_PAIRINGS_MAX][DUEL_SIDES];
    int64_t game_count;           /* at most */
    _Atomic(DuelResult *) *games; /* by number; NULL: not played */
    atomic_int_least64_t finished;
    atomic_int_least64_t enough; /* games that count, once a rule has ended the match */
} Match;

/* A match with no games yet; NULL with `status`. */
Match *match_new(const MatchTask *task, Status *status);
void match_free(Match *match); /* NULL is allowed */

/* Who plays game `number`, its pairing and seed: sides[0] begins. */
typedef struct MatchGame {
    int pairing;
    int sides[DUEL_SIDES]; /* players */
    uint64_t seed;
} MatchGame;
MatchGame match_game(const Match *match, int64_t number);

/* Gives the match a game that was played before (its record is lost). False: no memory. */
bool match_put(Match *match, int64_t number, const DuelResult *result);

/* The games from the first on that are all there and count for the result. */
int64_t match_length(const Match *match);

/* Plays what is missing. False with `status`: no memory, or a player could not be made. */
bool match_run(Match *match, const ProgressWatch *watch, Status *status);

/* Sums over the first `games` games. */
void match_pairing(const Match *match, int index, int64_t games, MatchPairing *pairing);
void match_totals(const Match *match, int player, int64_t games, MatchTotals *totals);
void match_ratings(const Match *match, int64_t games, double *elo, double *error);

/* Repeats game `number` with a record of its moves, which the caller releases. */
bool match_repeat(const Match *match, int64_t number, DuelResult *result, Status *status);

#endif
