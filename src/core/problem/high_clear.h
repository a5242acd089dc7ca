/*
 * high_clear: finds placements of all pieces that end with a perfect clear of a high board, or
 * proves that there are none. problem/perfect is faster, but only for few rows.
 *
 * Depth-first, with the states that failed remembered. Pruning is proved: a piece must stay below
 * the rows that are left, and cells that are cut off from the air can only be filled after a line
 * clear, so there must be enough pieces after the earliest one that can clear a line. On the boards
 * of problem/partition that is decisive: they have not one piece too many.
 */
#ifndef TETROPT_PROBLEM_HIGH_CLEAR_H
#define TETROPT_PROBLEM_HIGH_CLEAR_H

#include "problem/perfect.h"

/* Whether the search makes sense: the stack is too high for perfect_search, has no empty row under
 * filled ones, and `placements` pieces fill whole rows. */
bool high_clear_applies(const DecodeState *start, int placements);

/* Looks for a perfect clear by exactly `placements` pieces. Sets length (`placements` or 0), used,
 * exhausted and one_stage of the result: exhausted proves that there is none. The first one found
 * is taken, whatever its points. `moves` has room for `placements`. False only when memory runs
 * out. */
bool high_clear_search(const PerfectSearch *search, const DecodeState *start, int placements,
                       Move *moves, PerfectResult *result);

/* Only the check: false proves that `left` pieces cannot empty `rows` rows from this state. */
bool high_clear_possible(const Decoder *decoder, const DecodeState *state, int left, int rows);

#endif
