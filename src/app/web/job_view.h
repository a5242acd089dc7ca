/*
 * job_view: a job as the web UI sees it, without threads: from a question in JSON to a run, and
 * from its reports to the newest state, the curve and the answer.
 *
 * Limits that hold for the web UI but not for the command line are in one table, web_limits.
 */
#ifndef TETROPT_WEB_JOB_VIEW_H
#define TETROPT_WEB_JOB_VIEW_H

#include "base/parameters.h"
#include "job/job.h"

enum {
    JOB_VIEW_CURVE = 512,       /* points of a curve */
    JOB_VIEW_MAX_SECONDS = 3600 /* the largest time limit */
};

/* The largest values of parameters that take memory. */
extern const ParameterBound web_parameter_bounds[];

/* Applies the limits of the web UI to a row of a job's options. False: it cannot be set. */
bool web_limit_row(const Job *job, Option *row);

typedef enum JobState { JOB_RUNNING, JOB_DONE, JOB_FAILED } JobState;

typedef struct JobView {
    int64_t number;
    const Job *job;
    void *run; /* its answer is only read when the job is done, and not changed after that */
    size_t best_bytes;
    Status status; /* why it failed */
    JobState state;
    Text event;                      /* the newest state */
    double curve[JOB_VIEW_CURVE][3]; /* evaluations, best, current */
    int curve_count;
} JobView;

/* Checks the question in a JSON object and prepares a run. False with `status`: invalid, or no
 * memory. Either way the view is to be released. */
bool job_view_init(JobView *view, const Job *job, const char *text, size_t length, Status *status);
void job_view_release(JobView *view);

/* The last report of a finished job, which need not have been the best: that is written to `best`,
 * a place of view->best_bytes. */
void job_view_finish(const JobView *view, Progress *progress, void *best);

/* Makes a report the newest state. `best` is a copy of the best solution; NULL: none yet. */
void job_view_report(JobView *view, const Progress *progress, double seconds, const void *best);

/* Adds an object: the state, the curve so far and, when `done`, the answer; of `solve` also its
 * frames. The first part belongs to the caller's lock, the second only to a job that has ended. */
void job_view_write_state(const JobView *view, JsonWriter *json);
void job_view_write_answer(const JobView *view, JsonWriter *json);

/* True when there is an answer; else why there is none: it runs, or the failure of the job. */
bool job_view_done(const JobView *view, Status *status);

/* The answer of `solve` as a drawing and as a replay. */
bool job_view_svg(const JobView *view, Text *text, Status *status);
bool job_view_replay(const JobView *view, Text *text, Status *status);

#endif
