/*
 * ranks_mpi: the only file that uses MPI. A call that fails ends the whole job, as MPI does by
 * default, so their return values are not checked.
 */
#include "system/ranks.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* Starting MPI takes a good part of a second, so only what mpirun started does: Open MPI and those
 * that use PMI leave these in the environment. */
static bool started_by_mpirun(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

static void sum(void *context, int64_t *values, size_t count) {
    (void)context;
    for (size_t at = 0; at < count;) {
        int part = count - at > INT_MAX ? INT_MAX : (int)(count - at);
        MPI_Allreduce(MPI_IN_PLACE, values + at, part, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        at += (size_t)part;
    }
}

static int lowest(void *context, int index, bool yes) {
    (void)context;
    int found = yes ? index : INT_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return found == INT_MAX ? -1 : found;
}

static void shift(void *context, const void *sent, void *received, size_t bytes) {
    (void)context;
    assert(bytes <= INT_MAX);
    int index, count;
    MPI_Comm_rank(MPI_COMM_WORLD, &index);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Sendrecv(sent, (int)bytes, MPI_BYTE, (index + 1) % count, 0, received, (int)bytes, MPI_BYTE,
                 (index + count - 1) % count, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

bool ranks_begin(Exchange *ranks, Status *status) {
    *ranks = (Exchange){.count = 1, .shift = shift, .sum = sum, .lowest = lowest};
    if (!started_by_mpirun())
        return true;
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED)
        return status_fail(status, STATUS_SYSTEM, "MPI: cannot be started with threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->index);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    return true;
}

void ranks_end(void) {
    int begun;
    if (MPI_Initialized(&begun) == MPI_SUCCESS && begun)
        MPI_Finalize();
}
