/*
 * stages: the chain of perfect clears with the most points.
 *
 * A long piece sequence is cleared in stages, each of which ends with an empty board; only the held
 * piece carries over. So the best chain follows from the best score of every stage for each piece
 * held at its start and at its end. One table of clears/graph has the scores of a stage for all
 * ends; a search over the stages, the most promising first, makes the tables it needs.
 *
 * An empty hold is the same as a hold that already has the next piece of the queue.
 */
#ifndef TETROPT_PROBLEM_STAGES_H
#define TETROPT_PROBLEM_STAGES_H

#include "problem/perfect.h"

/* The pieces of the next stage after so many were placed, from `state`; 0: there is none. */
typedef int StageSize(const DecodeState *state, int placements);

/* True when tables of this size can be made: few pieces, few rows, points only by lines. */
bool stages_apply(const PerfectSearch *search, const DecodeState *start, int placements,
                  StageSize *size);

/* Improves a chain of `placements` moves that scores result->score; sets result->exhausted when no
 * chain of these stages scores more, and adds to result->used. False: no memory. */
bool stages_improve(const PerfectSearch *search, const DecodeState *start, int placements,
                    StageSize *size, Move *moves, PerfectResult *result);

#endif
