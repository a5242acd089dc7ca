/*
 * job: what every long computation takes and gives: one question, one run, one answer.
 *
 * A job is a name in JOB_LIST: an option table and functions. A front end (command line,
 * INI file, HTTP, library, grid) only translates. It fills a Question by option names; `prepare`
 * checks it completely and makes a run, or rejects it with a message; `run` computes; `write`
 * writes the answer as one JSON document. So the same question gets the same document and the same
 * message from every front end.
 *
 * The values of options are texts. An option that names a file (Option.file) takes the content of
 * the file here: the front end reads files, the job never does.
 */
#ifndef TETROPT_JOB_JOB_H
#define TETROPT_JOB_JOB_H

#include "base/json_writer.h"
#include "base/progress.h"
#include "job/question.h"

/* Defaults that are not what they were in version 1.0. Every new stored run names `option`, whose
 * default is `now`, so a run that does not is one of version 1.0. */
typedef struct JobChange {
    const char *option, *now; /* NULL: no default has changed */
    /* Sets what version 1.0 had by default. */
    bool (*restore)(Question *question, Status *status);
} JobChange;

typedef struct Job {
    const char *name;
    OptionTable options;   /* of the question */
    size_t question_bytes; /* of the struct that the table describes */
    /* The parameters of algorithm or player number `index` of this job, which can be set like
     * options; an empty table behind the last. NULL: there are none. */
    OptionTable (*parameters_at)(int index);
    /* Checks everything that can be checked before the work. NULL with `status`: rejected, or out
     * of memory. The question may be freed afterwards. */
    void *(*prepare)(const Question *question, Status *status);
    /* Computes, once. False with `status`: there is no answer. */
    bool (*run)(void *run, const ProgressWatch *watch, Status *status);
    /* Writes the members of the answer; with `times` also those that differ from run to run, where
     * version 1.0 had them. write_times writes only these. */
    void (*write)(const void *run, bool times, JsonWriter *json);
    void (*write_times)(const void *run, JsonWriter *json); /* NULL: there are none */
    /* Adds what the option "resume" takes to continue this run; NULL: it has no such option. False:
     * no memory. */
    bool (*write_state)(void *run, Text *text);
    void (*free_run)(void *run);
    /* What a front end can show while the job runs: the bytes of Progress.genotype (NULL: it has
     * none), and the members of the state that a copy of it shows. */
    size_t (*best_bytes)(const void *run);
    void (*write_best)(const void *run, const void *best, JsonWriter *json);
    JobChange changed;
} Job;

/* Every job: a file of this directory that defines NAME_job. */
#define JOB_LIST(X) X(solve) X(eval) X(simulate) X(train) X(match) X(clears)

#define JOB_DECLARE(name_) extern const Job name_##_job;
JOB_LIST(JOB_DECLARE)

/* The job at `index`; NULL after the last. */
const Job *job_at(int index);

/* The job called `name`, or NULL. */
const Job *job_find(const char *name);

/* A question with the defaults; question_free (which takes NULL) frees it. NULL: no memory. */
Question *job_question(const Job *job, Status *status);

/* Whether job_set knows the name: an option, or a parameter. */
bool job_knows(const Job *job, const char *name);

/* Fails with "NAME: unknown option", and which option of the job, parameter, or row of `more` was
 * probably meant. False. */
bool job_unknown(const Job *job, OptionTable more, const char *name, Status *status);

/* Sets an option, or a parameter by its own name ("population" or "param.population" is the same as
 * the option "param" with "population=..."). */
bool job_set(const Job *job, Question *question, const char *name, const char *value,
             Status *status);

/* Adds the answer as one line of JSON. With `times`, what differs from run to run is in the member
 * "times" (and, as in version 1.0, beside it). */
void job_write(const Job *job, const void *run, bool times, Text *text);

/* Adds the object "times" only. */
void job_write_times(const Job *job, const void *run, Text *text);

#endif
