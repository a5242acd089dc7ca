/* solve_document: the JSON that `solve` writes. */
#ifndef TETROPT_IO_SOLVE_DOCUMENT_H
#define TETROPT_IO_SOLVE_DOCUMENT_H

#include "io/json.h"
#include "solve/solve.h"

/* A new object with the members that docs/FORMATS.md lists; `times` adds those that differ from run
 * to run.
 */
json_t *solve_answer_json(const SolveTask *task, const SolveAnswer *answer, bool times);

/* One line of the evolution, for --log. */
json_t *solve_progress_json(const OptimProgress *progress, double seconds);

#endif
