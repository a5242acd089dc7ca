/*
 * weights_document: files of weights, as `train` writes them and --weights reads them.
 *
 * {"features": "stack", "weights": [...]}: one number a feature, in the kind's order; or
 * {"features": "stack", "weights": {"holes": -30, ...}}: those that are missing are 0. Without
 * `features` the agent's own kind is meant. Other members (how the weights were made) are kept for
 * people and not looked at.
 */
#ifndef TETROPT_IO_WEIGHTS_DOCUMENT_H
#define TETROPT_IO_WEIGHTS_DOCUMENT_H

#include "eval/evaluator.h"
#include "io/json.h"

/* Reads a document. `kind` is taken where the document names none; NULL: then it must. The
 * evaluator is written only on success. */
bool weights_document_read(const json_t *document, const EvaluatorKind *kind, Evaluator *evaluator,
                           Status *status);

/* The named set, or the file at that path. Messages name the file. */
bool weights_find(const char *name_or_path, const EvaluatorKind *kind, Evaluator *evaluator,
                  Status *status);

/* The document of an evaluator; NULL: no memory. */
json_t *weights_document(const Evaluator *evaluator);

#endif
