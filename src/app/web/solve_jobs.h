/*
 * solve_jobs: searches that run while pages look at them.
 *
 * Invariants. A search is never held up by those who look: its reports copy a few kilobytes under a
 * lock that is only tried, and everything else (playing the best genotype, writing JSON) is done by
 * whoever calls solve_jobs_refresh. What a page gets is the newest state, not a queue of all that
 * happened, so a reader that is slow costs no memory. The number of searches that run and that are
 * remembered is bounded; the oldest finished ones are forgotten.
 */
#ifndef TETROPT_WEB_SOLVE_JOBS_H
#define TETROPT_WEB_SOLVE_JOBS_H

#include "solve/solve.h"
#include "web/parameters.h"

enum {
    SOLVE_JOBS_RUNNING = 3, /* at the same time */
    SOLVE_JOBS_KEPT = 24,   /* with those that are done */
    SOLVE_JOBS_CURVE = 512, /* points of a fitness curve */
    SOLVE_JOBS_MAX_SECONDS = 3600
};

typedef struct SolveJobs SolveJobs;
typedef struct SolveJob SolveJob;

/* How large what takes memory may be made. */
extern const ParameterBound solve_jobs_bounds[];

/* NULL with `status`: no memory. */
SolveJobs *solve_jobs_new(Status *status);

/* Stops every search and waits for it. */
void solve_jobs_free(SolveJobs *jobs);

/* Starts the search that a document asks for and gives its number. False with `status`: bad input,
 * or too many run already (STATUS_UNMET). */
bool solve_jobs_start(SolveJobs *jobs, const char *text, size_t length, int64_t *number,
                      Status *status);

/* The job of a number, to be given back; NULL: there is none (any more). */
SolveJob *solve_jobs_take(SolveJobs *jobs, int64_t number);
void solve_jobs_give_back(SolveJobs *jobs, SolveJob *job);

/* Asks a search to end; it keeps its best. */
void solve_job_stop(SolveJob *job);

/* Brings the states of all jobs up to date. To be called some times a second by one thread. True
 * when something changed. */
bool solve_jobs_refresh(SolveJobs *jobs);

/* Adds the newest state as JSON when it is newer than *version, which becomes its version, and
 * returns true. *ended says whether nothing will follow. */
bool solve_job_state(SolveJobs *jobs, const SolveJob *job, uint64_t *version, Text *text,
                     bool *ended);

/* Adds an object: the state, the curve so far and, when it is done, the answer with its frames. */
void solve_job_write(SolveJobs *jobs, SolveJob *job, Text *text);

/* The answer as a file. False with `status` (STATUS_UNMET: not done yet). */
bool solve_job_svg(SolveJobs *jobs, SolveJob *job, Text *text, Status *status);
bool solve_job_replay(SolveJobs *jobs, SolveJob *job, Text *text, Status *status);

#endif
