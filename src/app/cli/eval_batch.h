/*
 * eval_batch: `eval --batch`: a stream of solutions in, a stream of results out, in order.
 */
#ifndef TETROPT_CLI_EVAL_BATCH_H
#define TETROPT_CLI_EVAL_BATCH_H

#include "job/eval.h"

typedef struct EvalBatch {
    int input;        /* file descriptor */
    const char *name; /* of the input, for messages */
    unsigned threads;
    size_t document_limit; /* bytes of a document */
    const SolutionGiven *given;
} EvalBatch;

/* Every line that is not blank is a document and gives one line: its result, or an object with its
 * error. STATUS_INPUT without a message when a line was invalid. */
StatusCode eval_batch_lines(const EvalBatch *batch, Status *status);

/* The binary form (docs/FORMATS.md): a line with the problem, then genotypes as bytes; the fitness
 * of each is written as eight bytes. */
StatusCode eval_batch_binary(const EvalBatch *batch, Status *status);

#endif
