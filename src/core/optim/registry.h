/* registry: the list of optimisers. Adding one takes a file pair and a line in registry.c. */
#ifndef TETROPT_OPTIM_REGISTRY_H
#define TETROPT_OPTIM_REGISTRY_H

#include "optim/optim.h"

/* The number of optimisers, and the one at `index`. */
size_t optim_count(void);
const Optimiser *optim_at(size_t index);

/* The optimiser called `name`, or NULL. */
const Optimiser *optim_find(const char *name);

/* Runs it; `parameters` NULL means its defaults. */
bool optim_run(const Optimiser *optimiser, const OptimRun *run, const void *parameters,
               OptimOutcome *outcome, Status *status);

#endif
