/*
 * eval_document: the JSON that `eval` reads and writes, and that `solve` writes too.
 */
#ifndef TETROPT_IO_EVAL_DOCUMENT_H
#define TETROPT_IO_EVAL_DOCUMENT_H

#include "io/json.h"
#include "problem/evaluate.h"

/* Reads and checks a document. */
bool eval_request_read(EvalRequest *request, const json_t *document, Status *status);

/* Reads only what the problem is: pieces, placements, encoding, size and board. Other members are
 * the caller's business. */
bool eval_problem_read(EvalRequest *request, const json_t *document, Status *status);

/* Reads only the genes, for a request that is otherwise filled; when the document names an
 * encoding, it must be the request's. */
bool eval_genes_read(EvalRequest *request, const json_t *document, Status *status);

/* A new object with the members that docs/FORMATS.md lists. NULL: no memory. */
json_t *eval_result_json(const EvalResult *result);

/* The board as rows, top first, without the empty ones on top. */
json_t *eval_board_json(const Grid *grid);

#endif
