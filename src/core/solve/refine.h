/*
 * refine: the hybrid's `refine = beam|exact` for the Tetris problem: keeps the first pieces of a
 * genotype and searches placements for the others.
 */
#ifndef TETROPT_SOLVE_REFINE_H
#define TETROPT_SOLVE_REFINE_H

#include "problem/problem.h"

/* A Problem's `refine`; the problem's data is a TetrisProblem and its tree a TetrisTree. */
uint64_t refine_tail(const Problem *problem, ProblemRefine how, uint64_t evaluations, uint64_t seed,
                     ProblemCut cut, void *genotype, double *fitness);

#endif
