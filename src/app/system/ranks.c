/* ranks: what the launcher left in the environment. */
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
Exchange ranks_launched(void) {
    static const char *const indexes[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                         NULL};
    int index = number_of(indexes, -1), count = number_of(counts, 1);
    return index < 0 || count < 2 ? (Exchange){.count = 1}
                                  : (Exchange){.index = index, .count = count};
}
