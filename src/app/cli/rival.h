/*
 * rival: the opponent of a race at the terminal: an agent that plays the same pieces in a live game
 * of its own. Lines that one side sends come up as garbage on the other.
 */
#ifndef TETROPT_CLI_RIVAL_H
#define TETROPT_CLI_RIVAL_H

#include "live/pilot.h"
#include "match/race.h"

typedef struct Rival {
    Setup setup;
    Pilot *pilot;
    double speed; /* 1: a key press every 60 ms */
    Live live;
    RaceSide own, side; /* the player's side, and that of the rival */
} Rival;

/* Resolves the agent, which plays with the kicks and spins of `rules`. False with `status`:
 * unknown, or it cannot play such a game. To be released either way. */
bool rival_init(Rival *rival, const char *agent, const Rules *rules, double speed, Status *status);
void rival_release(Rival *rival);

/* Begins a game on the pieces of `setup`. */
bool rival_begin(Rival *rival, const LiveSetup *setup, uint64_t seed, Status *status);

/* Lets time pass for the rival, and gives both sides what the other sent. A player whose rival has
 * topped out has won. */
void rival_advance(Rival *rival, Live *own, int64_t microseconds);

#endif
