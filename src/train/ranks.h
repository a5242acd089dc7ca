/*
 * ranks: the processes of one job that mpirun started, perhaps on several machines.
 *
 * Every rank makes the whole training for itself, with the same seed; only the trials of a
 * generation are shared out, and their results, whole numbers all, added up. So the ranks agree
 * without talking about anything else, and the outcome is the same for any number of them. Rank 0
 * alone writes files and prints.
 *
 * Only the thread that called ranks_begin may call these. Everything that sums or asks must be
 * called by all ranks. A process that mpirun did not start is a job of one, and so is every process
 * of a build without MPI.
 */
#ifndef TETROPT_TRAIN_RANKS_H
#define TETROPT_TRAIN_RANKS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Ranks {
    int index, count;
} Ranks;

/* Joins the job. */
bool ranks_begin(Ranks *ranks, Status *status);
void ranks_end(const Ranks *ranks);

/* Replaces every value by its sum over all ranks. */
void ranks_sum(const Ranks *ranks, int64_t *values, size_t count);

/* The lowest rank that says yes, or -1. */
int ranks_lowest(const Ranks *ranks, bool yes);

#endif
