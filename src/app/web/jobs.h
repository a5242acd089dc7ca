/*
 * jobs: jobs that run on the server while clients watch them.
 *
 * Invariants. A job is never delayed by its watchers: its reports copy a few kilobytes under a lock
 * that is only tried, and everything else (playing the best solution, writing JSON) is done by the
 * caller of web_jobs_refresh. A client gets the newest state, not a queue of all states, so a slow
 * reader costs no memory. The number of jobs that run and that are kept is bounded; the oldest
 * finished ones are dropped. No job runs much longer than the largest time limit. A job that was
 * watched is stopped when nobody has asked for it for some seconds: its page was closed, or the
 * browser has gone. One that was never watched, or is to be kept, runs to its end.
 */
#ifndef TETROPT_WEB_JOBS_H
#define TETROPT_WEB_JOBS_H

#include "web/job_view.h"

enum {
    WEB_JOBS_RUNNING = 3,        /* at the same time */
    WEB_JOBS_KEPT = 24,          /* with the finished ones */
    WEB_JOBS_SPARE_SECONDS = 60, /* a job that runs so much longer is stopped */
    WEB_JOBS_ALONE_SECONDS = 10  /* without a watcher until a job that had one is stopped */
};

typedef struct WebJobs WebJobs;
typedef struct WebJob WebJob;

/* NULL with `status`: no memory. */
WebJobs *web_jobs_new(Status *status);

/* Stops every job and waits for it. */
void web_jobs_free(WebJobs *jobs);

/* Starts a job with the question in a JSON object and gives its number. False with `status`:
 * invalid input, or too many jobs are running (STATUS_UNMET). */
bool web_jobs_start(WebJobs *jobs, const Job *kind, const char *text, size_t length,
                    int64_t *number, Status *status);

/* The job of a kind with this number, to be given back; NULL: unknown, or dropped. */
WebJob *web_jobs_take(WebJobs *jobs, const Job *kind, int64_t number);
void web_jobs_give_back(WebJobs *jobs, WebJob *job);

/* Asks a job to end; it keeps its best. */
void web_job_stop(WebJob *job);

/* A taken job is watched from now on, until it is given back; or runs on without watchers. */
void web_job_watch(WebJobs *jobs, WebJob *job);
void web_job_keep(WebJobs *jobs, WebJob *job);

/* Updates the states of all jobs. To be called some times per second by one thread. True when
 * something changed. */
bool web_jobs_refresh(WebJobs *jobs);

/* Adds the newest state as JSON when it is newer than *version, which becomes its version, and
 * returns true. *ended tells whether no other state will follow. */
bool web_job_state(WebJobs *jobs, const WebJob *job, uint64_t *version, Text *text, bool *ended);

/* Adds an object: the state, the curve so far and, when it is done, the answer; of `solve` also its
 * frames. */
void web_job_write(WebJobs *jobs, WebJob *job, Text *text);

/* The job, when it is done, for its answer. NULL with `status` (STATUS_UNMET): not done yet. */
const JobView *web_job_done(WebJobs *jobs, WebJob *job, Status *status);

#endif
