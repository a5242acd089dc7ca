/*
 * genetic: a genetic algorithm over the drops of the current piece.
 *
 * An individual is a drop: its genes are the leftmost column and the rotation. The population
 * begins with different random drops. In a generation random pairs compete (a trio when the number
 * is odd; of equals the one that lies lower wins, then chance), every winner is crossed with every
 * other (column of one, rotation of the other; where that stands out of the board, the first
 * parent instead), the rotation mutates, the children are sorted, cut and joined to the elite.
 */
#ifndef TETROPT_PLAYER_GENETIC_H
#define TETROPT_PLAYER_GENETIC_H

#include "player/player.h"

extern const Agent genetic_agent;

#endif
