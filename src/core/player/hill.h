/*
 * hill: the best of all drops of the current piece, ties at random. With so few drops (local.h)
 * there is no need to climb: one look at each finds the top, and what anneal and genetic can come
 * to.
 */
#ifndef TETROPT_PLAYER_HILL_H
#define TETROPT_PLAYER_HILL_H

#include "player/player.h"

extern const Agent hill_agent;

#endif
