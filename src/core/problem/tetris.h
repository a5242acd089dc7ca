/*
 * tetris: the offline problem as the optimisers see it (problem.h). Genes are int8_t, a unit is a
 * piece, and decoding is the fold, so that a neighbour is played from the piece that changed.
 */
#ifndef TETROPT_PROBLEM_TETRIS_H
#define TETROPT_PROBLEM_TETRIS_H

#include "problem/fitness.h"
#include "problem/problem.h"

/* Neighbours of a piece: a gene and a value, in the order that problem.h asks for. */
typedef struct TetrisChange {
    int8_t gene, value;
} TetrisChange;

enum { TETRIS_MAX_CHANGES = 2 + (BOARD_MAX_WIDTH + 1) + 4 + (2 * BOARD_MAX_WIDTH - 1) + 4 };

typedef struct TetrisProblem {
    Decoder decoder;
    FitnessProfile profile;
    TetrisChange changes[TETRIS_MAX_CHANGES];
    uint8_t numbers[GENOTYPE_MAX_GENES][2 * BOARD_MAX_WIDTH]; /* [gene][value - low] -> change */
} TetrisProblem;

/* Fills both; `tetris` is the problem's data and must stay where it is. decoder_init was called. */
void tetris_problem_init(TetrisProblem *tetris, const FitnessProfile *profile, Problem *problem);

#endif
