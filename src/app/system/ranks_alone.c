/* ranks_alone: the twin of ranks_mpi for builds without MPI: a job of one. */
#include "system/ranks.h"

#include <string.h>

bool ranks_begin(Ranks *ranks, Status *status) {
    *ranks = ranks_launched();
    if (ranks->count == 1)
        return true;
    status_fail(status, STATUS_INPUT, "MPI: built without it, and this is one of %d processes",
                ranks->count);
    if (ranks->index > 0)
        status->message[0] = '\0';
    return false;
}

void ranks_end(const Ranks *ranks) {
    (void)ranks;
}

void ranks_sum(const Ranks *ranks, int64_t *values, size_t count) {
    (void)ranks, (void)values, (void)count;
}

int ranks_lowest(const Ranks *ranks, bool yes) {
    (void)ranks;
    return yes ? 0 : -1;
}

void ranks_shift(const Ranks *ranks, const void *sent, void *received, size_t bytes) {
    (void)ranks;
    memmove(received, sent, bytes);
}
