/*
 * progress: what a running job reports and checks: the one type for all jobs.
 */
#ifndef TETROPT_BASE_PROGRESS_H
#define TETROPT_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct Progress {
    uint64_t done;        /* evaluations, games, pieces, generations or runs */
    uint64_t total;       /* of them; 0: not known */
    uint64_t generation;  /* generations, steps of the longest chain, or the depth */
    double best;          /* so far; -INFINITY: nothing yet */
    double current;       /* the best of the present population or chains */
    double mean;          /* of the present population or chains */
    double temperature;   /* 0 where there is none */
    const void *genotype; /* that of `best`, valid until the report returns; NULL: none yet, or no
                           * longer known */
} Progress;

/* Called by the thread that started the work, between its rounds. */
typedef void ProgressReport(void *context, const Progress *progress);

typedef struct ProgressWatch {
    const atomic_bool *stop; /* ends the work when it becomes true; may be NULL */
    ProgressReport *report;  /* may be NULL */
    void *context;
} ProgressWatch;

#endif
