/* random: random legal key presses; under `drop` a random rotation and column. */
#ifndef TETROPT_PLAYER_RANDOM_H
#define TETROPT_PLAYER_RANDOM_H

#include "player/player.h"

extern const Agent random_agent;

#endif
