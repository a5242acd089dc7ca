/* ranks: what needs no MPI by itself: the launcher's environment, and agreements built on sums. */
#include "system/ranks.h"

#include <stdlib.h>

/* The number in the first of the variables that is set, or `otherwise`. */
static int number_of(const char *const *names, int otherwise) {
    for (; *names; names++) {
        const char *text = getenv(*names);
        if (text)
            return atoi(text);
    }
    return otherwise;
}

/* Open MPI sets the first of each list, launchers that speak PMI the second, Slurm the last; that
 * one counts only beside a PMIX_RANK, since srun starts programs that know nothing of MPI too. */
Ranks ranks_launched(void) {
    static const char *const indexes[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                         NULL};
    int index = number_of(indexes, -1), count = number_of(counts, 1);
    return index < 0 || count < 2 ? (Ranks){0, 1} : (Ranks){index, count};
}

bool ranks_agree(const Ranks *ranks, bool ok, Status *status) {
    int failed = ranks_lowest(ranks, !ok);
    if (failed < 0)
        return true;
    if (ok)
        status_fail(status, STATUS_SYSTEM, "MPI: another rank failed");
    if (failed != ranks->index)
        status->message[0] = '\0';
    return false;
}

int64_t ranks_from_first(const Ranks *ranks, int64_t value) {
    if (ranks->index > 0)
        value = 0;
    ranks_sum(ranks, &value, 1);
    return value;
}
