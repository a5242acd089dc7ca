/*
 * ranks: the processes of one job that mpirun started, perhaps on several machines.
 *
 * Only the thread that called ranks_begin may call these. Everything that sums, asks or shifts must
 * be called by all ranks, in the same order; it returns when all have come. A process that mpirun
 * did not start is a job of one. Rank 0 alone writes files and prints, but for messages that only
 * another one has.
 *
 * ranks_mpi.c is all that knows of MPI; ranks_alone.c stands in for it in a build without.
 */
#ifndef TETROPT_SYSTEM_RANKS_H
#define TETROPT_SYSTEM_RANKS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Ranks {
    int index, count;
} Ranks;

/* What the launcher left in the environment about this process; {0, 1} without one. Costs nothing
 * and joins nothing. */
Ranks ranks_launched(void);

/* Joins the job. A build without MPI refuses to be one of several; only the first then has a
 * message. */
bool ranks_begin(Ranks *ranks, Status *status);
void ranks_end(const Ranks *ranks);

/* Replaces every value by its sum over all ranks. */
void ranks_sum(const Ranks *ranks, int64_t *values, size_t count);

/* The lowest rank that says yes, or -1. */
int ranks_lowest(const Ranks *ranks, bool yes);

/* Sends to the next rank and receives as much from the one before; the last one's next is the
 * first. */
void ranks_shift(const Ranks *ranks, const void *sent, void *received, size_t bytes);

/* True when all ranks can go on. Where one cannot, all end; the message is that of the lowest. */
bool ranks_agree(const Ranks *ranks, bool ok, Status *status);

/* The value that the first rank gives. */
int64_t ranks_from_first(const Ranks *ranks, int64_t value);

#endif
