/*
 * bees: an artificial bee colony that plays many games of the same pieces at once.
 *
 * A source is a whole game. In a round every employed bee advances its game by one piece, by random
 * key presses; onlookers choose games by their nectar, take part of the last piece's presses back
 * and play it anew; games that nobody chose, or that are `limit` rounds old, are given up, and
 * their bees become scouts: they go on from the best game. The best game of the colony counts as
 * the game so far. It is not committed to: another may be the best one round later. So this agent
 * plays whole games and does not decide piece by piece.
 *
 * Besides the published ways there is one of our own that does not die: `moves=places` puts a piece
 * to the best of a few random reachable placements, and `nectar=judged` values a game by an
 * evaluator, e^((value - the colony's best) / heat); lost games have none.
 */
#ifndef TETROPT_PLAYER_BEES_H
#define TETROPT_PLAYER_BEES_H

#include "player/player.h"

extern const Agent bees_agent;

#endif
