/* job: the list of jobs, and what all of them share. */
#include "job/job.h"

#include "base/similar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOB_MAX_ALGORITHMS = 64 }; /* no job has more algorithms or agents */

#define ADDRESS(name_) &name_##_job,
static const Job *const jobs[] = {JOB_LIST(ADDRESS)};

const Job *job_at(int index) {
    return (size_t)index < sizeof jobs / sizeof *jobs ? jobs[index] : NULL;
}

const Job *job_find(const char *name) {
    int i = 0;
    while (job_at(i) && strcmp(job_at(i)->name, name) != 0)
        i++;
    return job_at(i);
}

Question *job_question(const Job *job, Status *status) {
    return question_new(job->options, job->question_bytes, status);
}

/* The list of pairs that `name` means, and the NAME in it: "param" and "width" for "width" and for
 * "param.width", "agent-param" and "width" for "agent-param.width". */
static const char *list_of(const char *name, char *list, size_t bytes) {
    const char *dot = strchr(name, '.');
    snprintf(list, bytes, "%.*s", dot ? (int)(dot - name) : 5, dot ? name : "param");
    return dot ? dot + 1 : name;
}

/* Whether some algorithm or player of the job has this parameter. */
static bool has_parameter(const Job *job, const char *name) {
    for (int i = 0; job->parameters_at && i < JOB_MAX_ALGORITHMS; i++)
        if (options_find(job->parameters_at(i), name) >= 0)
            return true;
    return false;
}

bool job_knows(const Job *job, const char *name) {
    char list[32];
    const char *parameter = list_of(name, list, sizeof list);
    int index = options_find(job->options, list);
    return options_find(job->options, name) >= 0 ||
           (index >= 0 && options_row(job->options, index).kind == OPTION_LIST &&
            (strcmp(list, "param") != 0 || has_parameter(job, parameter)));
}

bool job_unknown(const Job *job, OptionTable more, const char *name, Status *status) {
    Similar similar = similar_to(name);
    char hint[SIMILAR_HINT_BYTES];
    options_similar(more, &similar);
    options_similar(job->options, &similar);
    for (int i = 0; job->parameters_at && i < JOB_MAX_ALGORITHMS; i++)
        options_similar(job->parameters_at(i), &similar);
    return status_option(status, name, "unknown option%s", similar_hint(&similar, hint));
}

bool job_set(const Job *job, Question *question, const char *name, const char *value,
             Status *status) {
    char list[32], pair[QUESTION_VALUE_BYTES];
    if (strcmp(name, "param") == 0 && *value) { /* some algorithm knows the name, at least */
        snprintf(pair, sizeof pair, "%.*s", (int)strcspn(value, "="), value);
        if (!strchr(value, '=') || !has_parameter(job, pair))
            return status_option(status, name, "'%.40s' is not NAME=VALUE of a known parameter",
                                 value);
    }
    if (!job_knows(job, name))
        return job_unknown(job, (OptionTable){0}, name, status);
    if (options_find(job->options, name) >= 0)
        return question_set(question, name, value, status);
    const char *parameter = list_of(name, list, sizeof list);
    if (snprintf(pair, sizeof pair, "%s=%s", parameter, value) >= (int)sizeof pair)
        return status_option(status, parameter, "'%.40s...' is too long", value);
    return question_set(question, list, pair, status);
}

void job_write_times(const Job *job, const void *run, Text *text) {
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    if (job->write_times)
        job->write_times(run, &json);
    jw_end(&json);
}

void job_write(const Job *job, const void *run, bool times, Text *text) {
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    job->write(run, times, &json);
    if (times && job->write_times) {
        jw_object(&json, "times");
        job->write_times(run, &json);
        jw_end(&json);
    }
    jw_end(&json);
}
