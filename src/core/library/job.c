/*
 * job: the job of tetropt.h: any job of job/job.h by its name. Options are only kept; a run is
 * prepared from them and keeps the answer.
 */
#include "job/job.h"
#include "library/handles.h"

#include <stdlib.h>
#include <string.h>

const char *tetropt_job_name(int index) {
    const Job *job = index >= 0 ? job_at(index) : NULL;
    return job ? job->name : NULL;
}

tetropt_job *tetropt_job_new(const char *name) {
    const Job *job = name ? job_find(name) : NULL;
    tetropt_job *handle = job ? calloc(1, sizeof *handle) : NULL;
    if (!handle)
        return NULL;
    handle->job = job;
    handle->question = job_question(job, NULL);
    if (handle->question)
        return handle;
    free(handle);
    return NULL;
}

void job_handle_drop_run(tetropt_job *job) {
    if (job->run)
        job->job->free_run(job->run);
    job->run = NULL;
}

void tetropt_job_free(tetropt_job *job) {
    if (!job)
        return;
    job_handle_drop_run(job);
    text_release(&job->document);
    text_release(&job->state);
    question_free(job->question);
    free(job);
}

const char *tetropt_job_message(const tetropt_job *job) {
    return job ? job->status.message : HANDLE_NULL;
}

int tetropt_job_set(tetropt_job *job, const char *option, const char *value) {
    if (!job)
        return TETROPT_INPUT;
    bool ok = option && value ? job_set(job->job, job->question, option, value, &job->status)
                              : status_fail(&job->status, STATUS_INPUT,
                                            "option: the name or the value is NULL");
    return ok ? TETROPT_OK : (int)job->status.code;
}

void tetropt_job_on_progress(tetropt_job *job, tetropt_progress *progress, void *context) {
    if (!job)
        return;
    job->progress = progress;
    job->context = context;
}

void tetropt_job_stop(tetropt_job *job) {
    if (job)
        atomic_store(&job->stop, true);
}

static void report(void *context, const Progress *progress) {
    tetropt_job *job = context;
    if (job->progress && job->progress(job->context, progress->done, progress->best) != 0)
        tetropt_job_stop(job);
}

bool job_handle_run(tetropt_job *job) {
    job_handle_drop_run(job);
    void *run = job->job->prepare(job->question, &job->status);
    job->running = true;
    ProgressWatch watch = {&job->stop, job->progress ? report : NULL, job};
    bool ok = run && job->job->run(run, &watch, &job->status);
    job->running = false;
    /* Only now: a stop from another thread must not be lost because it came a moment early. */
    atomic_store(&job->stop, false);
    job->run = run;
    if (!ok)
        job_handle_drop_run(job);
    return ok;
}

int tetropt_job_run(tetropt_job *job) {
    if (!job)
        return TETROPT_INPUT;
    if (job->running)
        return HANDLE_FAIL(job, STATUS_INPUT, "job: is running already");
    text_release(&job->document);
    text_release(&job->state);
    if (!job_handle_run(job))
        return (int)job->status.code;
    job_write(job->job, job->run, true, &job->document);
    bool ok = !job->job->write_state || job->job->write_state(job->run, &job->state);
    job_handle_drop_run(job);
    if (ok && !job->document.failed && !job->state.failed)
        return TETROPT_OK;
    text_release(&job->document);
    text_release(&job->state);
    return handle_code(&job->status, status_no_memory(&job->status));
}

size_t tetropt_job_document(const tetropt_job *job, char *text, size_t bytes) {
    return handle_copy_text(job ? &job->document : &(Text){0}, text, bytes);
}

size_t tetropt_job_state(const tetropt_job *job, char *text, size_t bytes) {
    return handle_copy_text(job ? &job->state : &(Text){0}, text, bytes);
}
