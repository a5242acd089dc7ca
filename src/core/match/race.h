/*
 * race: one side of a race between two live games that send each other garbage.
 *
 * race_locked, called after every lock (LiveHooks.locked), counts what the lock sends. Lines sent
 * first cancel garbage that waits; the rest is for race_take_sent. Garbage comes up after a lock
 * that clears nothing.
 */
#ifndef TETROPT_MATCH_RACE_H
#define TETROPT_MATCH_RACE_H

#include "live/live.h"
#include "match/rules.h"

typedef struct RaceSide {
    MatchRules rules;
    int64_t attack; /* lines sent so far, before cancelling */
    int sent;       /* since the last race_take_sent */
    int waiting;    /* rows of garbage that are coming */
    int hole;       /* of the last row that came */
    Rng holes;
} RaceSide;

/* By the rules `guideline`. */
bool race_init(RaceSide *side, uint64_t seed, Status *status);

void race_locked(RaceSide *side, Live *live);

/* Both sides get what the other sent since the last call. */
void race_exchange(RaceSide *a, RaceSide *b);

/* The same by hand. */
int race_take_sent(RaceSide *side);
void race_receive(RaceSide *side, int rows);

#endif
