/* jobs_single: the caller is the job's thread, so nothing is locked. */
#include "web/jobs_single.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t REPORT_NS = 50000000;

struct WebJob {
    JobView view;
    unsigned char *best; /* the best solution that was reported */
    double reported_best;
    uint64_t start_ns, reported_ns;
    atomic_bool stop;
    JobsSingleReport *report;
};

struct WebJobs {
    WebJob *job; /* the newest; NULL: none */
    int64_t next_number;
};

WebJobs *web_jobs_new(Status *status) {
    WebJobs *jobs = memory_new(1, sizeof *jobs, status);
    if (jobs)
        jobs->next_number = 1;
    return jobs;
}

static void job_free(WebJob *job) {
    if (!job)
        return;
    job_view_release(&job->view);
    free(job->best);
    free(job);
}

void web_jobs_free(WebJobs *jobs) {
    if (jobs)
        job_free(jobs->job);
    free(jobs);
}

bool web_jobs_start(WebJobs *jobs, const Job *kind, const char *text, size_t length,
                    int64_t *number, Status *status) {
    WebJob *job = memory_new(1, sizeof *job, status);
    if (!job)
        return false;
    bool ok = job_view_init(&job->view, kind, text, length, status);
    if (ok && job->view.best_bytes > 0) {
        job->best = malloc(job->view.best_bytes);
        ok = job->best || status_no_memory(status);
    }
    if (!ok) {
        job_free(job);
        return false;
    }
    *number = job->view.number = jobs->next_number++;
    job_free(jobs->job);
    jobs->job = job;
    return true;
}

static void show(WebJob *job, const Progress *progress, const void *best) {
    job_view_report(&job->view, progress, clock_seconds_since(job->start_ns), best);
    if (job->report(job->view.event.data, job->view.event.length))
        web_job_stop(job);
}

static void on_report(void *context, const Progress *progress) {
    WebJob *job = context;
    if (progress->genotype && job->best && progress->best > job->reported_best) {
        job->reported_best = progress->best;
        memcpy(job->best, progress->genotype, job->view.best_bytes);
    }
    uint64_t now = clock_now_ns();
    if (now - job->reported_ns < REPORT_NS)
        return;
    job->reported_ns = now;
    show(job, progress, isfinite(job->reported_best) ? job->best : NULL);
}

void jobs_single_run(WebJobs *jobs, JobsSingleReport *report) {
    WebJob *job = jobs->job;
    if (!job || job->view.state != JOB_RUNNING || job->report)
        return;
    job->report = report;
    job->reported_best = -INFINITY;
    job->start_ns = job->reported_ns = clock_now_ns();
    ProgressWatch watch = {&job->stop, on_report, job};
    bool ok = job->view.job->run(job->view.run, &watch, &job->view.status);
    job->view.state = ok ? JOB_DONE : JOB_FAILED;
    Progress progress = {.best = -INFINITY, .current = -INFINITY};
    if (ok)
        job_view_finish(&job->view, &progress, job->best);
    show(job, &progress, progress.genotype);
}

WebJob *web_jobs_take(WebJobs *jobs, const Job *kind, int64_t number) {
    WebJob *job = jobs->job;
    return job && job->view.number == number && job->view.job == kind ? job : NULL;
}

void web_jobs_give_back(WebJobs *jobs, WebJob *job) {
    (void)jobs, (void)job;
}

void web_job_stop(WebJob *job) {
    atomic_store(&job->stop, true);
}

void web_job_keep(WebJobs *jobs, WebJob *job) {
    (void)jobs, (void)job;
}

void web_job_write(WebJobs *jobs, WebJob *job, Text *text) {
    (void)jobs;
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    job_view_write_state(&job->view, &json);
    if (job->view.state == JOB_DONE)
        job_view_write_answer(&job->view, &json);
    jw_end(&json);
}

const JobView *web_job_done(WebJobs *jobs, WebJob *job, Status *status) {
    (void)jobs;
    return job_view_done(&job->view, status) ? &job->view : NULL;
}
