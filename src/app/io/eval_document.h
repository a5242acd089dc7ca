/*
 * eval_document: the JSON that `eval` reads and writes, and that `solve` writes too; and how boards
 * and moves stand in every document.
 *
 * What is read is checked to the last gene before anything is done with it: a request that was read
 * can be decoded. Only whether a move can be reached is a question for the rules.
 */
#ifndef TETROPT_IO_EVAL_DOCUMENT_H
#define TETROPT_IO_EVAL_DOCUMENT_H

#include "io/json.h"
#include "problem/evaluate.h"

/* Reads and checks a document. False with `status`, which names the member. */
bool eval_request_read(EvalRequest *request, const json_t *document, Status *status);

/* Reads only what the problem is: pieces, placements, encoding, size and board. Other members are
 * the caller's business. */
bool eval_problem_read(EvalRequest *request, const json_t *document, Status *status);

/* Reads only the genes, for a request that is otherwise filled; when the document names an
 * encoding, it must be the request's. */
bool eval_genes_read(EvalRequest *request, const json_t *document, Status *status);

/* A new object with the members that docs/FORMATS.md lists. NULL: no memory. */
json_t *eval_result_json(const EvalResult *result);

/* The board as rows, top first, without the empty ones on top; NULL: no memory. The way back is for
 * an array and a grid that was initialised with its size. */
json_t *eval_board_json(const Grid *grid);
bool eval_board_read(const json_t *rows, Grid *grid, Status *status);

/* Reads piece, rotation, x, y and hold; other members are the caller's business. The numbers are
 * near the board, not more. */
bool eval_move_read(const json_t *entry, Move *move, Status *status);

#endif
