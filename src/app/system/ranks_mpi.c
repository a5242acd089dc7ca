/*
 * ranks_mpi: all that knows of MPI. A call that fails ends the whole job, which is what MPI does
 * unless it is told otherwise; so what they return is not looked at.
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

bool ranks_begin(Ranks *ranks, Status *status) {
    *ranks = (Ranks){0, 1};
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

void ranks_end(const Ranks *ranks) {
    (void)ranks;
    int begun;
    if (MPI_Initialized(&begun) == MPI_SUCCESS && begun)
        MPI_Finalize();
}

void ranks_sum(const Ranks *ranks, int64_t *values, size_t count) {
    for (size_t at = 0; ranks->count > 1 && at < count;) {
        int part = count - at > INT_MAX ? INT_MAX : (int)(count - at);
        MPI_Allreduce(MPI_IN_PLACE, values + at, part, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        at += (size_t)part;
    }
}

int ranks_lowest(const Ranks *ranks, bool yes) {
    int lowest = yes ? ranks->index : INT_MAX;
    if (ranks->count > 1)
        MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return lowest == INT_MAX ? -1 : lowest;
}

void ranks_shift(const Ranks *ranks, const void *sent, void *received, size_t bytes) {
    assert(bytes <= INT_MAX);
    int next = (ranks->index + 1) % ranks->count;
    int before = (ranks->index + ranks->count - 1) % ranks->count;
    MPI_Sendrecv(sent, (int)bytes, MPI_BYTE, next, 0, received, (int)bytes, MPI_BYTE, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
