/*
 * eval: the job that plays one solution by the rules and gives its fitness, term by term.
 */
#ifndef TETROPT_JOB_EVAL_H
#define TETROPT_JOB_EVAL_H

#include "formats/solution.h"
#include "job/job.h"
#include "problem/evaluate.h"

/* A run of the job; also used for one solution after another (eval_document). It begins with all
 * bytes 0. */
typedef struct EvalRun {
    EvalRequest request;
    EvalSolution solution;
    EvalResult result;
    /* The last problem and its decoder: solutions that follow one another are mostly of the same
     * one, and making a decoder takes longer than playing 20 pieces. */
    EvalRequest decoded;
    Decoder decoder;
} EvalRun;

/* The options that say more about a document. */
typedef struct EvalOptions {
    const char *fumen;
    int order;
    bool game_over;
    int64_t perfect_points;
} EvalOptions;

extern const OptionTable eval_options;

/* True when the option was set. */
typedef bool EvalIsGiven(const void *context, const char *name);

SolutionGiven eval_given(const EvalOptions *options, EvalIsGiven *is_given, const void *context);

/* Reads a document and evaluates it; `given` may be NULL. */
bool eval_document(EvalRun *run, const char *text, size_t length, const SolutionGiven *given,
                   Status *status);

#endif
