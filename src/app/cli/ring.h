/* ring: the processes that mpirun started as the islands of an optimiser. */
#ifndef TETROPT_CLI_RING_H
#define TETROPT_CLI_RING_H

#include "optim/optim.h"
#include "system/ranks.h"

/* `ranks` must stay as long as the exchange is used. */
OptimExchange ring_exchange(Ranks *ranks);

#endif
