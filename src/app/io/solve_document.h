/*
 * solve_document: the JSON that `solve` writes: the document of `eval` with what the search did,
 * the moves with their keys, and a fumen where the game fits one.
 */
#ifndef TETROPT_IO_SOLVE_DOCUMENT_H
#define TETROPT_IO_SOLVE_DOCUMENT_H

#include "formats/replay.h"
#include "io/json.h"
#include "solve/solve.h"

/* A new object with the members that docs/FORMATS.md lists; `times` adds those that differ from run
 * to run. NULL: no memory. */
json_t *solve_answer_json(const SolveTask *task, const SolveAnswer *answer, bool times);

/* The answer as a replay, with its title and the seed of the search. On success the caller releases
 * it. */
bool solve_answer_replay(const SolveTask *task, const SolveAnswer *answer, Replay *replay,
                         Status *status);

/* One line of the evolution, for --log; null stands for "nothing yet". NULL: no memory. */
json_t *solve_progress_json(const Progress *progress, double seconds);

#endif
