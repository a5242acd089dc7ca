/* solve_show: the answer of `solve` as text and as files. */
#ifndef TETROPT_CLI_SOLVE_SHOW_H
#define TETROPT_CLI_SOLVE_SHOW_H

#include "base/text.h"
#include "solve/solve.h"

typedef struct SolveFiles {
    const char *save, *svg, *png, *log; /* NULL: not wanted */
} SolveFiles;

typedef struct SolveShow {
    int columns; /* of the terminal */
    bool color;
    bool verbose; /* the terms of the fitness, and the boards of long games */
} SolveShow;

/* The boards after each piece, the key presses, and a summary. */
void solve_describe(const SolveTask *task, const SolveAnswer *answer, const SolveShow *how,
                    Text *text);

/* Plays the answer on standard output, one frame per placement. */
void solve_animate(const SolveTask *task, const SolveAnswer *answer, bool color);

/* Writes the files that are wanted. */
bool solve_save(const SolveTask *task, const SolveAnswer *answer, const SolveFiles *files,
                const Text *log, Status *status);

#endif
