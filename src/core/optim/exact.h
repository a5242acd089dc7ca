/*
 * exact: depth-first branch and bound over a Tree. It claims that an answer is the best only when
 * the whole tree was searched or excluded.
 *
 * First the problem's own guess and a beam give a good answer, then every node whose bound is not
 * above the best so far is left out, and so is a node that was seen before with at least the same
 * gain (a table of 63-bit keys: two of n different nodes share one with a chance of n^2/2^64).
 */
#ifndef TETROPT_OPTIM_EXACT_H
#define TETROPT_OPTIM_EXACT_H

#include "optim/beam.h"

typedef struct ExactParameters {
    int64_t beam_width, guess_effort, table_bits;
} ExactParameters;

/* Asks the tree for a guess and, when that is no whole solution, lets a beam go on from it. The
 * outcome becomes optimal when the guess was proved; *final when more effort would find nothing
 * else. False with `status` when memory runs out. */
bool exact_guess(Control *control, const Tree *tree, uint64_t effort, uint32_t beam_width,
                 bool *final, Status *status);

/* Searches the tree after the decisions of `prefix` (NULL: all of it) until it is exhausted (the
 * outcome is then optimal, among what follows the prefix) or the run is over. False with `status`
 * when memory runs out. */
bool exact_search(Control *control, const Tree *tree, const BeamPath *prefix, int table_bits,
                  Status *status);

#endif
