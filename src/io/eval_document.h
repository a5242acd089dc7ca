/*
 * eval_document: the JSON that `eval` reads and writes, and that `solve` writes too.
 */
#ifndef TETROPT_IO_EVAL_DOCUMENT_H
#define TETROPT_IO_EVAL_DOCUMENT_H

#include "engine/grid.h"
#include "io/json.h"
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

/* Reads and checks a document. */
bool eval_request_read(EvalRequest *request, const json_t *document, Status *status);

/* Plays and judges it. Fails only for moves that cannot be made. */
bool eval_run(const EvalRequest *request, const FitnessProfile *profile, EvalResult *result,
              Status *status);

/* A new object with the members of interfaces.md. NULL: no memory. */
json_t *eval_result_json(const EvalResult *result);

/* The board as rows, top first, without the empty ones on top. */
json_t *eval_board_json(const Grid *grid);

#endif
