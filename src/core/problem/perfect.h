/*
 * perfect: finds sequences of placements that end with a perfect clear.
 *
 * Depth-first over placements that stay below the rows still to be cleared; every state that failed
 * is remembered. Pruning is proved: the stack must not be higher than the rows left; the empty
 * cells on one side of a vertical cut that no empty row crosses must be a multiple of 4; and the
 * pieces left must be able to make the difference between empty cells in even and in odd columns.
 * Long sequences are divided into stages that each end with a perfect clear; only the held piece
 * carries over from one stage to the next.
 *
 * All rows up to the top of the stack are assumed to need clearing. That is wrong only for a given
 * board with an empty row under filled ones, which never occurs in play: such a board may be
 * cleared in ways that are not found here, and a proof is then not valid.
 */
#ifndef TETROPT_PROBLEM_PERFECT_H
#define TETROPT_PROBLEM_PERFECT_H

#include "problem/moves.h"
#include "problem/problem.h"

typedef struct PerfectSearch {
    const Decoder *decoder;
    bool any;        /* every reachable placement, not only what the encoding expresses */
    bool hold;       /* hold may be used */
    bool first;      /* take the first one found, whatever its points */
    uint64_t effort; /* placements to try at most; 0: no limit */
    ProblemCut cut;
} PerfectSearch;

typedef struct PerfectResult {
    int length;     /* moves written; the board is empty after them; 0: none found */
    int score;      /* unit points of these moves */
    uint64_t used;  /* placements tried */
    bool exhausted; /* the whole tree was searched: a larger budget finds nothing else */
    bool one_stage; /* the whole sequence is one stage: exhausted then proves that no other final
                       perfect clear scores more */
} PerfectResult;

/* Looks for a sequence of clears from `start` as long as possible within `placements` (at most the
 * decoder's), and then for one with more points. `moves` has room for `placements`. False only when
 * memory runs out. */
bool perfect_search(const PerfectSearch *search, const DecodeState *start, int placements,
                    Move *moves, PerfectResult *result);

/* Only the checks: false proves that `left` pieces cannot empty `rows` rows from this state. */
bool perfect_possible(const Decoder *decoder, const DecodeState *state, int left, int rows);

#endif
