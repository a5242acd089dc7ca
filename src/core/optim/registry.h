/* registry: the list of optimisers. Adding one takes a source file and a name in
 * OPTIM_LIST. */
#ifndef TETROPT_OPTIM_REGISTRY_H
#define TETROPT_OPTIM_REGISTRY_H

#include "optim/optim.h"

/* Every optimiser, in the order in which they are listed. */
#define OPTIM_LIST(X) X(auto) X(ga) X(sa) X(abc) X(hill) X(hybrid) X(beam) X(exact)

#define OPTIM_DECLARE(name_) extern const Optimiser name_##_optimiser;
OPTIM_LIST(OPTIM_DECLARE)

/* The number of optimisers, and the one at `index`. */
size_t optim_count(void);
const Optimiser *optim_at(size_t index);

/* The optimiser called `name`, or NULL. */
const Optimiser *optim_find(const char *name);

/* Runs it; `parameters` NULL means its defaults. */
bool optim_run(const Optimiser *optimiser, const OptimRun *run, const void *parameters,
               OptimOutcome *outcome, Status *status);

/* Why a run ended, as OPTIM_END_CHOICES has it. */
const char *optim_end_name(OptimEnd end);

#endif
