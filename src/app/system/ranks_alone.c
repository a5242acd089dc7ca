/* ranks_alone: replaces ranks_mpi in a build without MPI: a job of one. */
#include "system/ranks.h"

bool ranks_begin(Exchange *ranks, Status *status) {
    *ranks = ranks_launched();
    if (ranks->count == 1)
        return true;
    status_fail(status, STATUS_INPUT, "MPI: built without it, and this is one of %d processes",
                ranks->count);
    if (ranks->index > 0)
        status->message[0] = '\0';
    return false;
}

void ranks_end(void) {}
