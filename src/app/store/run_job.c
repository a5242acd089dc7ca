/* run_job: fills a question from a run, and writes the answer without its times, and the times by
 * themselves. */
#include "store/run_job.h"

#include "io/question_files.h"
#include "job/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 24 };

static bool known(const char *name) {
    return job_find(name) != NULL;
}

static bool check_value(const char *name, const char *key, const char *value, Status *status) {
    const Job *job = job_find(name);
    int index = options_find(job->options, key);
    if (strcmp(key, "param") == 0 ||
        (index >= 0 && options_row(job->options, index).file == OPTION_CONTINUES))
        return status_fail(status, STATUS_INPUT, "%s: not in a grid", key);
    Question *question = job_question(job, status);
    bool ok = question && job_set(job, question, key, value, status);
    question_free(question);
    return ok;
}

/* Sets an option that the grid did not name, where the job has it. An instance has its pieces. */
static bool set_other(const Job *job, Question *question, const char *name, const char *value,
                      Status *status) {
    bool has_pieces = strcmp(name, "piece-seed") == 0 &&
                      options_find(job->options, "instance") >= 0 &&
                      question_given(question, "instance");
    return options_find(job->options, name) < 0 || question_given(question, name) || has_pieces ||
           job_set(job, question, name, value, status);
}

static StoreParameter pinned(const char *command) {
    const JobChange *changed = &job_find(command)->changed;
    return (StoreParameter){changed->option, changed->now};
}

static bool fill(const Job *job, Question *question, const StoreRun *run, Status *status) {
    char seed[NUMBER_BYTES], piece_seed[NUMBER_BYTES];
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    snprintf(piece_seed, sizeof piece_seed, "%" PRIu64, run->piece_seed);
    for (size_t i = 0; i < run->parameter_count; i++)
        if (!job_set(job, question, run->parameters[i].name, run->parameters[i].value, status))
            return false;
    return set_other(job, question, "seed", seed, status) &&
           set_other(job, question, "piece-seed", piece_seed, status) &&
           (!job->changed.option || question_given(question, job->changed.option) ||
            job->changed.restore(question, status)) &&
           set_other(job, question, "threads", "1", status);
}

/* The run of the job; NULL with `status`. */
static void *prepare(const Job *job, const StoreRun *run, Status *status) {
    if (!job) {
        status_fail(status, STATUS_INPUT, "%s: this program cannot run it from a grid",
                    run->command);
        return NULL;
    }
    Question *question = job_question(job, status);
    void *prepared =
        question && fill(job, question, run, status) && question_read_files(question, status)
            ? job->prepare(question, status)
            : NULL;
    if (question && !prepared)
        question_name_file(question, status);
    question_free(question);
    return prepared;
}

static bool check(const StoreRun *run, Status *status) {
    const Job *job = job_find(run->command);
    void *prepared = prepare(job, run, status);
    if (prepared)
        job->free_run(prepared);
    return prepared != NULL;
}

static bool run_job(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                    Status *status) {
    const Job *job = job_find(run->command);
    void *prepared = prepare(job, run, status);
    if (!prepared)
        return false;
    Text document = {0}, times = {0};
    bool ok = job->run(prepared, watch, status);
    if (ok) {
        job_write(job, prepared, false, &document);
        if (job->write_times)
            job_write_times(job, prepared, &times);
        ok = (!document.failed && !times.failed) || status_no_memory(status);
    }
    job->free_run(prepared);
    if (ok)
        *result = (ExperimentResult){document.data, times.data};
    else {
        text_release(&document);
        text_release(&times);
    }
    return ok;
}

const ExperimentCommands run_job_commands = {known, check_value, check, run_job, pinned};
