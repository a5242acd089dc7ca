/*
 * solve_watch: the best boards so far on the terminal while `solve` runs, the newest first.
 */
#ifndef TETROPT_CLI_SOLVE_WATCH_H
#define TETROPT_CLI_SOLVE_WATCH_H

#include "cli/progress.h"
#include "solve/solve.h"

typedef struct SolveWatch SolveWatch;

/* Takes the terminal over and the reports of the task, which go on to `progress` for its log.
 * NULL with `status`. */
SolveWatch *solve_watch_begin(SolveTask *task, ProgressLine *progress, bool color, Status *status);

/* Gives the terminal back; NULL is fine. */
void solve_watch_end(SolveWatch *watch);

#endif
