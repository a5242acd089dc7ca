/*
 * evaluate: one solution from what was asked to what came out, with everything a person wants to
 * see. The searches use decode and fitness directly; this is for answers.
 */
#ifndef TETROPT_PROBLEM_EVALUATE_H
#define TETROPT_PROBLEM_EVALUATE_H

#include "engine/grid.h"
#include "problem/fitness.h"
#include "problem/moves.h"

enum { EVAL_MAX_QUEUE = 10000 };

/* What is to be evaluated: genes, or moves when the encoding is `placements`. Large: allocate it.
 */
typedef struct EvalRequest {
    Encoding encoding;
    Grid grid; /* the given board with its colours */
    uint8_t pieces[EVAL_MAX_QUEUE];
    int piece_count, placements;
    int8_t genes[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
    Move moves[GENOTYPE_MAX_PIECES];
} EvalRequest;

/* What came out. Large too. */
typedef struct EvalResult {
    DecodeState state;
    Heuristics heuristics;
    double fitness;
    Grid grid;                             /* the final board in colour */
    DecodeStep steps[GENOTYPE_MAX_PIECES]; /* state.placed of them */
} EvalResult;

/* The bytes of a genotype of the request as its optimiser keeps it: genes, or moves. */
size_t eval_genotype_bytes(const EvalRequest *request);

/* Lets the request ask for that genotype. */
void eval_set_genotype(EvalRequest *request, const void *genotype);

/* Prepares a decoder for the request. */
void eval_decoder(const EvalRequest *request, Decoder *decoder);

/* Plays and judges it. Fails only for moves that cannot be made. */
bool eval_run(const EvalRequest *request, const FitnessProfile *profile, EvalResult *result,
              Status *status);

#endif
