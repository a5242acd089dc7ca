/* solve_show: the answer of `solve` as text and as files. */
#ifndef TETROPT_CLI_SOLVE_SHOW_H
#define TETROPT_CLI_SOLVE_SHOW_H

#include "base/text.h"
#include "solve/solve.h"

typedef struct SolveFiles {
    const char *save, *svg, *png, *log; /* NULL: not wanted */
} SolveFiles;

/* The final board, the terms of the fitness, the moves. */
void solve_describe(const SolveTask *task, const SolveAnswer *answer, bool color, Text *text);

/* Plays the answer on standard output, a frame a placement. */
void solve_animate(const SolveTask *task, const SolveAnswer *answer, bool color);

/* Writes the files that are wanted. */
bool solve_save(const SolveTask *task, const SolveAnswer *answer, const SolveFiles *files,
                const Text *log, Status *status);

#endif
