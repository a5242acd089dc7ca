/*
 * weights: files of weights, as `train` writes them and the option "weights" takes them.
 *
 * {"features": "stack", "weights": [...]}: one number per feature, in the order of the kind; or
 * {"features": "stack", "weights": {"holes": -30, ...}}: missing ones are 0. Without `features` the
 * player's own kind is meant. Other members (how the weights were made) are ignored.
 */
#ifndef TETROPT_FORMATS_WEIGHTS_H
#define TETROPT_FORMATS_WEIGHTS_H

#include "base/json_writer.h"
#include "base/status.h"
#include "eval/evaluator.h"

/* Reads the name of a published set, or the text of a file of weights. `kind` is taken where the
 * file names none; NULL: then it must. The evaluator is written only on success. */
bool weights_read(const char *text, const EvaluatorKind *kind, Evaluator *evaluator,
                  Status *status);

/* The same for a document that was parsed. */
bool weights_read_json(const Json *document, const EvaluatorKind *kind, Evaluator *evaluator,
                       Status *status);

/* Writes the members of the document of an evaluator. */
void weights_write(JsonWriter *json, const Evaluator *evaluator);

#endif
