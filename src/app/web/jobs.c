/*
 * jobs: one thread per job; its reports are copied to a slot, from which `refresh` makes the newest
 * state, from time to time and before somebody looks at the job.
 */
#include "web/jobs.h"

#include "base/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct WebJob {
    int references; /* takers; this and the next three under the lock of all jobs */
    bool watched;   /* somebody watched it once */
    bool kept;      /* runs on without watchers */
    uint64_t given_back_ns;
    pthread_t thread;
    WebJobs *jobs;
    atomic_bool stop;
    uint64_t start_ns;

    pthread_mutex_t report_lock; /* the job only tries it */
    Progress progress;           /* the newest report; its genotype is `best` */
    double seconds;              /* of that report */
    unsigned char *best;         /* the best solution that was reported */
    bool fresh;                  /* there is a report that was not processed */
    double reported_best;        /* the fitness of `best`; only for the job's thread */

    /* Under the lock of all jobs, except the run, which only the job's thread changes. */
    JobView view;
    bool joined;
    uint64_t version;
};

struct WebJobs {
    pthread_mutex_t lock;
    WebJob *jobs[WEB_JOBS_KEPT]; /* NULL: free */
    int64_t next_number;
    bool changed; /* a state, since the last web_jobs_refresh */
};

/* ---- the job's own thread */

static void on_report(void *context, const Progress *progress) {
    WebJob *job = context;
    if (pthread_mutex_trylock(&job->report_lock) != 0)
        return;
    const void *had = job->progress.genotype;
    job->progress = *progress;
    job->progress.genotype = had;
    job->seconds = clock_seconds_since(job->start_ns);
    if (progress->genotype && job->best && progress->best > job->reported_best) {
        job->reported_best = progress->best;
        memcpy(job->best, progress->genotype, job->view.best_bytes);
        job->progress.genotype = job->best;
    }
    job->fresh = true;
    pthread_mutex_unlock(&job->report_lock);
}

static void *job_main(void *context) {
    WebJob *job = context;
    JobView *view = &job->view;
    ProgressWatch watch = {&job->stop, on_report, job};
    bool ok = view->job->run(view->run, &watch, &view->status);
    pthread_mutex_lock(&job->jobs->lock);
    view->state = ok ? JOB_DONE : JOB_FAILED;
    pthread_mutex_lock(&job->report_lock);
    job->fresh = true;
    job->seconds = clock_seconds_since(job->start_ns);
    if (ok)
        job_view_finish(view, &job->progress, job->best);
    pthread_mutex_unlock(&job->report_lock);
    pthread_mutex_unlock(&job->jobs->lock);
    return NULL;
}

/* ---- starting and ending */

WebJobs *web_jobs_new(Status *status) {
    WebJobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&jobs->lock, NULL);
    jobs->next_number = 1;
    return jobs;
}

static void job_free(WebJob *job) {
    if (!job->joined)
        pthread_join(job->thread, NULL);
    pthread_mutex_destroy(&job->report_lock);
    job_view_release(&job->view);
    free(job->best);
    free(job);
}

void web_jobs_free(WebJobs *jobs) {
    if (!jobs)
        return;
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            web_job_stop(jobs->jobs[i]);
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            job_free(jobs->jobs[i]);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

/* The slot for a new job, with the lock held: an empty one, or that of the oldest finished one that
 * no client watches. -1: none. */
static int free_slot(const WebJobs *jobs) {
    int oldest = -1;
    for (int i = 0; i < WEB_JOBS_KEPT; i++) {
        const WebJob *job = jobs->jobs[i];
        if (!job)
            return i;
        if (job->view.state != JOB_RUNNING && job->references == 0 &&
            (oldest < 0 || job->view.number < jobs->jobs[oldest]->view.number))
            oldest = i;
    }
    return oldest;
}

static bool launch(WebJobs *jobs, WebJob *job, Status *status) {
    int running = 0;
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        running += jobs->jobs[i] && jobs->jobs[i]->view.state == JOB_RUNNING;
    int slot = free_slot(jobs);
    if (running >= WEB_JOBS_RUNNING || slot < 0)
        return status_fail(status, STATUS_UNMET, "%d jobs are running already; stop one first",
                           running);
    job->view.number = jobs->next_number;
    job->start_ns = clock_now_ns();
    if (pthread_create(&job->thread, NULL, job_main, job) != 0)
        return status_fail(status, STATUS_SYSTEM, "threads: cannot start one");
    job->joined = false;
    jobs->next_number++;
    if (jobs->jobs[slot])
        job_free(jobs->jobs[slot]);
    jobs->jobs[slot] = job;
    return true;
}

bool web_jobs_start(WebJobs *jobs, const Job *kind, const char *text, size_t length,
                    int64_t *number, Status *status) {
    WebJob *job = calloc(1, sizeof *job);
    if (!job)
        return status_no_memory(status);
    job->jobs = jobs;
    job->reported_best = -INFINITY;
    job->progress.best = job->progress.current = -INFINITY;
    job->joined = true; /* there is no thread yet */
    pthread_mutex_init(&job->report_lock, NULL);
    bool ok = job_view_init(&job->view, kind, text, length, status);
    if (ok && job->view.best_bytes > 0) {
        job->best = malloc(job->view.best_bytes);
        ok = job->best || status_no_memory(status);
    }
    if (ok) {
        pthread_mutex_lock(&jobs->lock);
        ok = launch(jobs, job, status);
        *number = job->view.number;
        pthread_mutex_unlock(&jobs->lock);
    }
    if (!ok)
        job_free(job);
    return ok;
}

/* ---- looking */

WebJob *web_jobs_take(WebJobs *jobs, const Job *kind, int64_t number) {
    WebJob *found = NULL;
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < WEB_JOBS_KEPT && !found; i++)
        if (jobs->jobs[i] && jobs->jobs[i]->view.number == number &&
            jobs->jobs[i]->view.job == kind)
            found = jobs->jobs[i];
    if (found)
        found->references++;
    pthread_mutex_unlock(&jobs->lock);
    return found;
}

void web_jobs_give_back(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->references--;
    job->given_back_ns = clock_now_ns();
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_watch(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->watched = true;
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_keep(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->kept = true;
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_stop(WebJob *job) {
    atomic_store(&job->stop, true);
}

/* With the lock of all jobs held. */
static void refresh(WebJob *job) {
    /* 0. A time limit only ends what looks at it, so the server has its own. */
    bool alone = job->watched && !job->kept && job->references == 0 &&
                 clock_seconds_since(job->given_back_ns) > WEB_JOBS_ALONE_SECONDS;
    if (alone || clock_seconds_since(job->start_ns) > JOB_VIEW_MAX_SECONDS + WEB_JOBS_SPARE_SECONDS)
        web_job_stop(job);
    /* 1. Copy the newest report, so that the job can report again at once. */
    pthread_mutex_lock(&job->report_lock);
    bool fresh = job->fresh;
    Progress progress = job->progress;
    double seconds = job->seconds;
    unsigned char *best = fresh && progress.genotype ? malloc(job->view.best_bytes) : NULL;
    if (best)
        memcpy(best, job->best, job->view.best_bytes);
    job->fresh = false;
    pthread_mutex_unlock(&job->report_lock);
    if (!fresh)
        return;
    /* 2. Make the state from it. */
    job_view_report(&job->view, &progress, seconds, best);
    job->version++;
    job->jobs->changed = true;
    free(best);
    /* 3. The last thing that the thread of a finished job did was to release the lock held here. */
    if (job->view.state != JOB_RUNNING && !job->joined) {
        pthread_join(job->thread, NULL);
        job->joined = true;
    }
}

bool web_jobs_refresh(WebJobs *jobs) {
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            refresh(jobs->jobs[i]);
    bool changed = jobs->changed;
    jobs->changed = false;
    pthread_mutex_unlock(&jobs->lock);
    return changed;
}

bool web_job_state(WebJobs *jobs, const WebJob *job, uint64_t *version, Text *text, bool *ended) {
    pthread_mutex_lock(&jobs->lock);
    bool newer = job->version != *version;
    const Text *event = &job->view.event;
    if (newer && event->data)
        text_add_bytes(text, event->data, event->length);
    text->failed |= newer && event->failed;
    *version = job->version;
    *ended = job->joined;
    pthread_mutex_unlock(&jobs->lock);
    return newer;
}

void web_job_write(WebJobs *jobs, WebJob *job, Text *text) {
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    pthread_mutex_lock(&jobs->lock);
    refresh(job); /* a job that is done has its last state and its answer */
    job_view_write_state(&job->view, &json);
    bool done = job->view.state == JOB_DONE;
    pthread_mutex_unlock(&jobs->lock);
    if (done)
        job_view_write_answer(&job->view, &json);
    jw_end(&json);
}

const JobView *web_job_done(WebJobs *jobs, WebJob *job, Status *status) {
    pthread_mutex_lock(&jobs->lock);
    refresh(job);
    bool done = job_view_done(&job->view, status);
    pthread_mutex_unlock(&jobs->lock);
    return done ? &job->view : NULL;
}
