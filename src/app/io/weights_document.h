/*
 * weights_document: files of weights, as `train` writes them and --weights reads them.
 *
 * {"features": "stack", "weights": [...]}: one number per feature, in the kind's order; or
 * {"features": "stack", "weights": {"holes": -30, ...}}: those that are missing are 0. Without
 * `features` the agent's own kind is meant. Other members (how the weights were made) are for
 * people and ignored.
 */
#ifndef TETROPT_IO_WEIGHTS_DOCUMENT_H
#define TETROPT_IO_WEIGHTS_DOCUMENT_H

#include "base/status.h"
#include "eval/evaluator.h"

typedef struct Json Json;
typedef struct JsonWriter JsonWriter;

/* Reads a document. `kind` is taken where the document names none; NULL: then it must. The
 * evaluator is written only on success. */
bool weights_document_read(const Json *document, const EvaluatorKind *kind, Evaluator *evaluator,
                           Status *status);

/* The named set, or the file at that path. Messages name the file. */
bool weights_find(const char *name_or_path, const EvaluatorKind *kind, Evaluator *evaluator,
                  Status *status);

/* Writes `features` and `weights`, the members of the open document. */
void weights_document_write(JsonWriter *w, const Evaluator *evaluator);

#endif
