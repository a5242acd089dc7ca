/*
 * exact: depth-first branch and bound over a Tree. It claims that an answer is the best only when
 * the whole tree was searched or excluded.
 *
 * A beam and the problem's own construction (guess) give a good first answer. Then every node whose
 * bound is not above the best so far is excluded, and so is a node that was visited before with at
 * least the same gain (a table of 63-bit keys: the probability that two of n different nodes share
 * one is n^2/2^64).
 */
#ifndef TETROPT_OPTIM_EXACT_H
#define TETROPT_OPTIM_EXACT_H

#include "optim/beam.h"

typedef struct ExactParameters {
    int64_t beam_width, guess_effort, table_bits;
} ExactParameters;

/* What became of an initial solution. */
typedef struct ExactGuess {
    bool complete; /* the tree made all decisions itself */
    bool final;    /* a larger budget would find nothing else */
} ExactGuess;

/* Asks the tree for an initial solution; if it is not complete, a beam continues from it. The
 * outcome becomes optimal if the tree proved it. False with `status` when memory runs out. */
bool exact_guess(Control *control, const Tree *tree, uint64_t effort, uint32_t beam_width,
                 ExactGuess *guess, Status *status);

/* Searches the tree after the decisions of `prefix` (NULL: all of it) until it is exhausted (the
 * outcome is then optimal, among what follows the prefix) or the run is over. False with `status`
 * when memory runs out. */
bool exact_search(Control *control, const Tree *tree, const BeamPath *prefix, int table_bits,
                  Status *status);

#endif
