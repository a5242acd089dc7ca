/*
 * evaluate: plays one solution and gives everything that is shown of it. The searches use decode
 * and fitness directly; this is for answers.
 */
#ifndef TETROPT_PROBLEM_EVALUATE_H
#define TETROPT_PROBLEM_EVALUATE_H

#include "engine/grid.h"
#include "movegen/path.h"
#include "problem/fitness.h"
#include "problem/moves.h"

enum { EVAL_MAX_QUEUE = 10000, EVAL_KEYS_MAX = PATH_KEYS_MAX + 1 };

/* The problem: pieces to place on a board, in an encoding. Large: allocate it. */
typedef struct EvalRequest {
    Encoding encoding;
    DecodeRules rules;
    Grid grid; /* the board at the start with its colours */
    uint8_t pieces[EVAL_MAX_QUEUE];
    int piece_count, placements;
} EvalRequest;

/* A solution: genes, or moves when the encoding is `placements`. */
typedef union EvalSolution {
    int8_t genes[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
    Move moves[GENOTYPE_MAX_PIECES];
} EvalSolution;

/* The result of a solution. Large, too. */
typedef struct EvalResult {
    DecodeState state;
    Heuristics heuristics;
    double fitness;
    Grid grid;                             /* the final board in colour */
    DecodeStep steps[GENOTYPE_MAX_PIECES]; /* state.placed of them */
} EvalResult;

/* The bytes of a solution of the request that are used. */
size_t eval_solution_bytes(const EvalRequest *request);

/* Whether the rules suit the encoding and the board. */
bool eval_check_rules(const EvalRequest *request, Status *status);

/* Prepares a decoder for the request. */
void eval_decoder(const EvalRequest *request, Decoder *decoder);

/* The same for one that was prepared before, or is all zero; see decoder_change. */
void eval_change_decoder(const EvalRequest *request, Decoder *decoder);

/* True when both are the same problem, so that a decoder for one serves the other. */
bool eval_same_problem(const EvalRequest *a, const EvalRequest *b);

/* As eval_run, with the decoder of the request. */
bool eval_play(const EvalRequest *request, const Decoder *decoder, const void *solution,
               const FitnessProfile *profile, EvalResult *result, Status *status);

/* Plays and evaluates it; `solution` are genes or moves. Fails only for moves that cannot be made.
 */
bool eval_run(const EvalRequest *request, const void *solution, const FitnessProfile *profile,
              EvalResult *result, Status *status);

/* Writes the fewest presses (Key) for a step, hold first if it is used, and returns their number;
 * fewer where the stack blocks the way of keys. `columns` is the board before the step. */
int eval_keys(const Columns *columns, const DecodeStep *step, PathScratch *scratch,
              uint8_t keys[EVAL_KEYS_MAX]);

#endif
