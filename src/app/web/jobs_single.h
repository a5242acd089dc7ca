/*
 * jobs_single: jobs.h without threads, for WebAssembly.
 *
 * There is one job at a time. web_jobs_start only prepares it, so that a bad question is rejected
 * at once; jobs_single_run computes it in the calling thread.
 */
#ifndef TETROPT_WEB_JOBS_SINGLE_H
#define TETROPT_WEB_JOBS_SINGLE_H

#include "web/jobs.h"

/* Gets a state as JSON and returns true to end the job, which keeps its best. */
typedef bool JobsSingleReport(const char *state, size_t length);

/* Runs the job that was started last, if it has not run yet. Reports are at least 50 ms apart; the
 * last one has the final state. */
void jobs_single_run(WebJobs *jobs, JobsSingleReport *report);

#endif
