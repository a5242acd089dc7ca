/*
 * bees_game: one game of the bee colony (a source), played piece by piece at random.
 *
 * Games of a colony share their pieces and differ by their placements. A game knows itself without
 * its last piece, so that this piece can be played anew. Nothing here is shared between sources
 * except the colony, which is only read: sources may be played on several threads at once, each
 * with a scratch of its own.
 */
#ifndef TETROPT_PLAYER_BEES_GAME_H
#define TETROPT_PLAYER_BEES_GAME_H

#include "movegen/reach.h"
#include "player/keys.h"
#include "player/nectar.h"
#include "player/player.h"

typedef enum BeesClean { CLEAN_ROUND, CLEAN_LOCK } BeesClean;
typedef enum BeesMoves { MOVES_KEYS, MOVES_PLACES } BeesMoves;
typedef enum BeesOnlookers { ONLOOKERS_SHARED, ONLOOKERS_OWN } BeesOnlookers;
typedef enum BeesImproved { IMPROVED_STAY, IMPROVED_LEAVE } BeesImproved;

typedef struct BeesParameters {
    int64_t bees, limit, draws, rounds;
    double delta, heat;
    int nectar, clean, lowest, moves, onlookers, improved;
    bool limit_reset, scout_piece, clean_scouts, as_published;
    double span, trapped, covered, rows, height; /* NectarWeights */
} BeesParameters;

/* How far a game is. */
typedef struct BeesGame {
    Board board; /* may have full rows where clean=round, until the round cleans it */
    int64_t pieces, lines, score, removed;
    int64_t clears[4];
    int peak;
    uint8_t over; /* GameOver */
    double sum;   /* of the placements, for nectar=judged */
} BeesGame;

typedef struct BeesSource {
    BeesGame game;
    BeesGame before; /* without the last piece */
    Placement last;  /* where that one was placed; also one that locked out */
    double value;    /* the nectar, or for nectar=judged its logarithm times heat */
    int64_t age;
    bool scout;    /* it was given up */
    bool advanced; /* `before`, `last` and `trail` are those of this round */
    int onlookers;
    KeysTrail trail; /* of the last piece; moves=keys only */
} BeesSource;

/* What all games of a colony share. */
typedef struct BeesRules {
    Rules rules;
    Evaluator evaluator;
    BeesParameters parameters;
    NectarWeights weights;
    const uint8_t *pieces; /* those drawn so far */
    size_t piece_count;
} BeesRules;

/* The working memory of a thread. */
typedef struct BeesScratch {
    BeesSource trial;
    Placement places[REACH_MAX];
} BeesScratch;

/* Makes `to` a copy of the game of `from`. Only the used part of the trail. */
void bees_copy(BeesSource *to, const BeesSource *from);

/* Removes the full rows. */
void bees_clean(BeesGame *game);

/* What the source is worth after its last piece. */
void bees_measure(const BeesRules *rules, BeesSource *source);

/* Plays the next piece, if there is one, it has space, and there are fewer than `most`. Returns
 * whether source->last is new. */
bool bees_advance(const BeesRules *rules, BeesSource *source, int64_t most, BeesScratch *scratch,
                  Rng *rng);

/* Takes back some of the last piece of `source` and plays it anew, in scratch->trial. True when
 * that is better. */
bool bees_try(const BeesRules *rules, const BeesSource *source, BeesScratch *scratch, Rng *rng);

#endif
