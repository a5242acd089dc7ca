/*
 * board: the options for the board at the start, shared by the jobs that take one.
 */
#ifndef TETROPT_JOB_BOARD_H
#define TETROPT_JOB_BOARD_H

#include "base/options.h"
#include "engine/grid.h"

typedef struct BoardOptions {
    int64_t width, height;
    const char *board, *fumen; /* rows from the top, or the first page of a fumen */
} BoardOptions;

extern const OptionTable board_options;

/* The board at the start. */
bool board_options_read(const BoardOptions *options, Grid *grid, Status *status);

#endif
