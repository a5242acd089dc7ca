/*
 * solve_watch: the best boards so far on the terminal while `solve` runs, the newest first.
 */
#ifndef TETROPT_CLI_SOLVE_WATCH_H
#define TETROPT_CLI_SOLVE_WATCH_H

#include "cli/progress.h"
#include "solve/solve.h"

typedef struct SolveWatch SolveWatch;

/* Takes the terminal and lets the reports come here; they are passed on to `progress` for its log.
 * NULL with `status`. */
SolveWatch *solve_watch_begin(const SolveTask *task, ProgressLine *progress, ProgressWatch *report,
                              bool color, Status *status);

/* Gives the terminal back; NULL is fine. */
void solve_watch_end(SolveWatch *watch);

#endif
