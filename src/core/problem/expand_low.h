/*
 * expand_low: a fast expand_places for boards whose stack stays below the rows where pieces are
 * rotated and moved at the top, which is nearly always the case. About ten times as fast as walking
 * every position.
 */
#ifndef TETROPT_PROBLEM_EXPAND_LOW_H
#define TETROPT_PROBLEM_EXPAND_LOW_H

#include "problem/decode.h"

/* Writes the places as expand_places does; -1 when it cannot: the stack is too high, or the
 * turns of a double go both ways. */
int expand_low_places(const Decoder *decoder, const DecodeState *state, Piece piece,
                      Placement *out);

#endif
