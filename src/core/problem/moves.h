/*
 * moves: a solution as placements (`--encoding placements`): where each piece locks, with hold or
 * without. Played by the same rules as a genotype; an unreachable placement is rejected.
 */
#ifndef TETROPT_PROBLEM_MOVES_H
#define TETROPT_PROBLEM_MOVES_H

#include "base/status.h"
#include "problem/decode.h"

/* Plays `count` moves on `state`. False with `status`, whose message starts with "moves[i]", when
 * the piece of a move is not the current one, or when its place cannot be reached. A top-out is not
 * an error: the moves end there, and the state says so. */
bool moves_play(const Decoder *decoder, DecodeState *state, const Move *moves, int count,
                Status *status);

#endif
