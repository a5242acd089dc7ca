/*
 * spin: placements that end in a T-spin.
 *
 * Pieces are placed in the area in every way, and on every board the T-spins are looked at that
 * clear enough lines. A solution is a set of places whose last one is the T; it is given only when
 * no part of its other pieces allows the same T-spin.
 */
#ifndef TETROPT_CLEARS_SPIN_H
#define TETROPT_CLEARS_SPIN_H

#include "clears/path.h"

typedef struct SpinTask {
    const Area *area;
    int lines; /* to clear at least */
    bool mini; /* mini T-spins count too */
    const Queues *queues;
    bool hold;
} SpinTask;

/* Adds every solution; the last place of each is the T, which must come last. Most lines first,
 * then fewest pieces. Ends early when asked to: *complete is false then. */
bool spin_run(Solutions *list, const SpinTask *task, ClearsCut cut, PathReport *report,
              void *context, bool *complete, Status *status);

/* The lines that the last place of a solution clears. */
int spin_lines(const Area *area, const Solution *solution);

#endif
