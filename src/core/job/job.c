/* job: the list of jobs, and what all of them share. */
#include "job/job.h"

#include "job/eval.h"
#include "job/simulate.h"
#include "job/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Job *const jobs[] = {&solve_job, &eval_job, &simulate_job};

const Job *job_find(const char *name) {
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (strcmp(jobs[i]->name, name) == 0)
            return jobs[i];
    return NULL;
}

Question *job_question(const Job *job, Status *status) {
    return question_new(job->options, job->question_bytes, status);
}

bool job_set(const Job *job, Question *question, const char *name, const char *value,
             Status *status) {
    bool is_parameter = strncmp(name, "param.", 6) == 0;
    const char *parameter = is_parameter ? name + 6 : name;
    char pair[QUESTION_VALUE_BYTES];
    if (strcmp(name, "param") == 0 && *value) { /* the name is known to some algorithm, at least */
        snprintf(pair, sizeof pair, "%.*s", (int)strcspn(value, "="), value);
        if (!strchr(value, '=') || !job->has_parameter(pair))
            return status_option(status, name, "'%.40s' is not NAME=VALUE of a known parameter",
                                 value);
    }
    if (!is_parameter && options_find(job->options, name) >= 0)
        return question_set(question, name, value, status);
    if (!job->has_parameter || !job->has_parameter(parameter))
        return status_option(status, name, "unknown option");
    if (snprintf(pair, sizeof pair, "%s=%s", parameter, value) >= (int)sizeof pair)
        return status_option(status, parameter, "'%.40s...' is too long", value);
    return question_set(question, "param", pair, status);
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
