/*
 * beam: a beam search over the visible queue with hold, and over guesses of what comes after it.
 *
 * First the beam goes as deep as the visible pieces reach. Then the best few first decisions are
 * tried out: the pieces that are not visible are drawn a number of times (from what the bag can
 * still hold), and for each such future a beam starts behind each of those decisions. The decision
 * with the best mean is played. All decisions get the same futures, so that luck cancels out.
 */
#ifndef TETROPT_PLAYER_BEAM_H
#define TETROPT_PLAYER_BEAM_H

#include "player/player.h"

extern const Agent beam_agent;

#endif
