/*
 * lookahead: two pieces deep. The best few placements of the first piece are followed up by the
 * best answer of the second; current, held and next piece in every order that hold allows.
 */
#ifndef TETROPT_PLAYER_LOOKAHEAD_H
#define TETROPT_PLAYER_LOOKAHEAD_H

#include "player/player.h"

extern const Agent lookahead_agent;

#endif
