/*
 * work: runs the waiting runs of a store: claim, run, finish, until nothing is left.
 *
 * Every worker is a thread that has one run at a time; the calling thread supervises them: it keeps
 * their leases alive, passes a stop on and reports. What a worker was doing when it was stopped is
 * given back; what a killed process was doing is found by the next one (store.h).
 */
#ifndef TETROPT_STORE_WORK_H
#define TETROPT_STORE_WORK_H

#include "store/command.h"

typedef struct WorkTask {
    Store *store;
    const ExperimentCommands *commands;
    unsigned workers;
    double lease_seconds;
    const atomic_bool *stop; /* may be NULL */
    /* Called some times per second by the calling thread. May be NULL. */
    void (*report)(void *context);
    void *report_context;
} WorkTask;

typedef struct WorkSummary {
    int64_t done, failed; /* by these workers */
    int64_t lost;         /* runs that were given to others meanwhile, results dropped */
    bool stopped;
} WorkSummary;

enum { WORK_MAX_WORKERS = 256 };

/* Works until every run of the store is done or failed, also by others, or until a stop. False with
 * `status` when the store failed. */
bool work_run(const WorkTask *task, WorkSummary *summary, Status *status);

#endif
