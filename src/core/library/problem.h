/* problem: the struct behind the problem handle, for searches on it. */
#ifndef TETROPT_LIBRARY_PROBLEM_H
#define TETROPT_LIBRARY_PROBLEM_H

#include "library/handles.h"
#include "library/instance.h"

struct tetropt_problem {
    const InstanceKind *kind; /* NULL: custom */
    Question *question;       /* NULL: custom */
    Status status;            /* of the last call that failed */
    Instance *instance;       /* NULL: not built since the options changed */
    bool running;             /* a callback may not change it */
    Pool *pool;               /* of the last evaluation */
    unsigned char *scratch;   /* of its workers: of the problem, then a converted genotype */
    size_t scratch_bytes, worker_bytes, total_bytes;
};

/* Builds the instance from the options unless it is there; NULL with the handle's status. The
 * handle keeps its share. */
Instance *problem_instance(tetropt_problem *problem);

#endif
