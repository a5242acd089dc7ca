/*
 * minimal: the smallest set of solutions that together serve every queue that any solution serves.
 */
#ifndef TETROPT_CLEARS_MINIMAL_H
#define TETROPT_CLEARS_MINIMAL_H

#include "clears/solution.h"

typedef struct Minimal {
    uint32_t *items; /* numbers of solutions, ascending */
    size_t count;
    bool proved; /* no smaller set exists; otherwise the search ended early */
} Minimal;

/* Finds it by branch and bound, until `cut` asks to end. False with `status`: no memory. */
bool minimal_find(const Solutions *list, ClearsCut cut, Minimal *minimal, Status *status);
void minimal_release(Minimal *minimal);

#endif
