/*
 * anneal: simulated annealing over the drops of the current piece.
 *
 * It starts at a random drop; each step draws a few others, and the best of them is taken when it
 * is better, or else with chance exp(-loss / temperature). The state at the end is played, not the
 * best seen: so it was published.
 */
#ifndef TETROPT_PLAYER_ANNEAL_H
#define TETROPT_PLAYER_ANNEAL_H

#include "player/player.h"

extern const Agent anneal_agent;

#endif
