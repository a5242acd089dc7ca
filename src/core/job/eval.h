/*
 * eval: the job that plays one solution by the rules and gives its fitness, term by term.
 */
#ifndef TETROPT_JOB_EVAL_H
#define TETROPT_JOB_EVAL_H

#include "job/job.h"
#include "problem/evaluate.h"

extern const Job eval_job;

/* A run of the job; also used for one solution after another (eval_document). */
typedef struct EvalRun {
    EvalRequest request;
    EvalSolution solution;
    EvalResult result;
} EvalRun;

/* Reads a document and evaluates it. `fumen` (may be NULL) is its board, if it has none. */
bool eval_document(EvalRun *run, const char *text, size_t length, const char *fumen,
                   Status *status);

#endif
