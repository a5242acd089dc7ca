/*
 * setup: every way to fill wanted cells exactly, and the queues that can build it.
 *
 * The wanted cells must be filled, cells of the margin may be, all others stay empty. Every piece
 * covers at least one wanted cell.
 */
#ifndef TETROPT_CLEARS_SETUP_H
#define TETROPT_CLEARS_SETUP_H

#include "clears/path.h"

typedef struct SetupTask {
    const Area *area; /* its start are the blocks that are there */
    Cells wanted, margin;
    bool holes; /* empty cells under filled ones are allowed at the end */
    const Queues *queues;
    bool hold;
} SetupTask;

/* Adds every solution, the one that serves most first. Ends early when asked to: *complete is false
 * then. False with `status`: no memory, or too many. */
bool setup_run(Solutions *list, const SetupTask *task, ClearsCut cut, PathReport *report,
               void *context, bool *complete, Status *status);

#endif
