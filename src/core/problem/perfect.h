/*
 * perfect: finds placements that empty the board (a perfect clear).
 *
 * Depth-first over placements that stay below the rows still to be removed, with every state that
 * failed remembered. Pruning keeps only what is proved: the stack must not be higher than the rows
 * left; the empty cells on one side of a vertical cut that no empty row crosses are a multiple of
 * 4; and the difference of empty cells in even and odd columns must be one that the pieces left can
 * make. Long lists are cut into stages that each end with an empty board; what a stage leaves in
 * hold is all that the next one sees of it.
 *
 * All rows up to the top of the stack are taken for rows that must be removed. That is so unless
 * the given board has an empty row under filled ones, which play never makes: such a board may be
 * emptied in ways that are not found here, and what is said to be proved is not.
 */
#ifndef TETROPT_PROBLEM_PERFECT_H
#define TETROPT_PROBLEM_PERFECT_H

#include "problem/moves.h"
#include "problem/problem.h"

typedef struct PerfectSearch {
    const Decoder *decoder;
    bool any;        /* every reachable placement, not only what the encoding expresses */
    bool hold;       /* hold may be used */
    bool first;      /* take the first that is found, whatever its points */
    uint64_t effort; /* placements to try at most; 0: no limit */
    ProblemCut cut;
} PerfectSearch;

typedef struct PerfectResult {
    int length;     /* moves written; the board is empty after them; 0: none found */
    int score;      /* unit points of these moves */
    uint64_t used;  /* placements tried */
    bool exhausted; /* the whole tree was searched: more effort finds nothing else */
    bool one_stage; /* the whole list in one stage: exhausted then proves that no other way to empty
                       the board at the end brings more points */
} PerfectResult;

/* Looks for a sequence of clears from `start` as long as possible within `placements` (at most the
 * decoder's), and then for one with more points. `moves` has room for `placements`. False only when
 * memory runs out. */
bool perfect_search(const PerfectSearch *search, const DecodeState *start, int placements,
                    Move *moves, PerfectResult *result);

/* The checks alone: false proves that `left` pieces cannot empty `rows` rows from this state. */
bool perfect_possible(const Decoder *decoder, const DecodeState *state, int left, int rows);

#endif
