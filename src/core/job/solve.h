/*
 * solve: the job that finds the best arrangement of a known piece sequence.
 *
 * The question names pieces, board, encoding, optimiser and limits; the answer is the best solution
 * found, played once more. The question is documented in solve.c, row by row.
 */
#ifndef TETROPT_JOB_SOLVE_H
#define TETROPT_JOB_SOLVE_H

#include "base/parameters.h"
#include "formats/replay.h"
#include "job/job.h"
#include "problem/instances.h"
#include "solve/solve.h"

/* A run of the job, for front ends that show more than the document. Changed by `run` only, except
 * `task.exchange`, which may be set before it. */
typedef struct SolveRun {
    EvalRequest request;
    SolveTask task;
    SolveAnswer answer;
    Parameters parameters;  /* of the optimiser */
    BenchInstance instance; /* of the benchmark; `row` NULL: none */
    char *command;          /* of an outside optimiser; NULL: none */
    int8_t start[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
} SolveRun;

/* Whether the algorithm of the question takes the NAME=VALUE. */
bool solve_check_parameter(const Question *question, const char *pair, Status *status);

/* Lists the algorithms with their parameters, for people. */
void solve_list_algorithms(Text *text);

/* Whether the answer can become a replay: not without game over, where pieces lock on others. */
bool solve_check_replay(const SolveTask *task, Status *status);

/* The answer as a replay, with its title and the seed of the search. On success the caller releases
 * it. */
bool solve_replay(const SolveTask *task, const SolveAnswer *answer, Replay *replay, Status *status);

/* One line of the evolution; null stands for "nothing yet". */
void solve_write_progress(JsonWriter *json, const Progress *progress, double seconds);

#endif
