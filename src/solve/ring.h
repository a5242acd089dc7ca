/* ring: the processes that mpirun started as the islands of an optimiser. */
#ifndef TETROPT_SOLVE_RING_H
#define TETROPT_SOLVE_RING_H

#include "base/ranks.h"
#include "optim/optim.h"

/* `ranks` must stay as long as the exchange is used. */
OptimExchange ring_exchange(Ranks *ranks);

#endif
