/*
 * tetris_tree: the offline problem as a sequence of placements (tree.h), within an encoding or with
 * every reachable placement. A node is a DecodeState.
 *
 * The genotype of a path: genes of the encoding, or, for `placements`, an array of Move.
 */
#ifndef TETROPT_PROBLEM_TETRIS_TREE_H
#define TETROPT_PROBLEM_TETRIS_TREE_H

#include "problem/fitness.h"
#include "problem/tree.h"

typedef struct TetrisTree {
    const Decoder *decoder;
    const FitnessProfile *profile;
    bool any;     /* every reachable placement */
    bool hold;    /* hold may be used */
    bool bounded; /* the profile and the board allow the bound to prove something */
} TetrisTree;

/* Fills both; `decoder` and `profile` must outlive them. `hold` counts only with `any`: an encoding
 * has a swap gene or not. */
void tetris_tree_init(TetrisTree *tetris, const Decoder *decoder, const FitnessProfile *profile,
                      bool any, bool hold, Tree *tree);

/* The action of a step that decoding made. */
TreeAction tetris_tree_action(const DecodeStep *step);

#endif
