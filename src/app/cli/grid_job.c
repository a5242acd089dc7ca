/* grid_job: a run of a grid as the command line would run it, without printing. */
#include "cli/grid_job.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 24 };

static const Command *find(const char *name) {
    const Command *command = cli_find_command(name);
    return command && (command->job || command->question) ? command : NULL;
}

static bool known(const char *name) {
    return find(name) != NULL;
}

/* True when `word` is one of "a|b|c". */
static bool is_in(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* Sets a key of a grid: an option, a parameter, or LIST.NAME for an item of a list of pairs. */
static bool set_key(CliContext *context, const char *key, const char *value, Status *status) {
    const Command *command = context->command;
    const char *dot = strchr(key, '.');
    char list[32], pair[QUESTION_VALUE_BYTES];
    if (command->question || options_find(command->options, key) >= 0)
        return cli_set(context, key, value, status);
    snprintf(list, sizeof list, "%.*s", dot ? (int)(dot - key) : 0, key);
    int index = options_find(command->options, dot ? list : "param");
    if (index < 0 || options_row(command->options, index).kind != OPTION_LIST)
        return status_option(status, key, "unknown option");
    snprintf(pair, sizeof pair, "%s=%s", dot ? dot + 1 : key, value);
    return cli_set(context, dot ? list : "param", pair, status);
}

static bool check_value(const char *name, const char *key, const char *value, Status *status) {
    const Command *command = find(name);
    if (is_in("help|config|json|quiet|color|param", key) ||
        (command->question && options_find(command->options, key) >= 0) ||
        (command->not_in_grids && is_in(command->not_in_grids, key)))
        return status_fail(status, STATUS_INPUT, "%s: not in a grid", key);
    CliContext context;
    bool ok = cli_context_init(&context, command, status) && set_key(&context, key, value, status);
    cli_context_release(&context);
    return ok;
}

/* An option that the grid did not name, where the command has it. */
static bool set_other(CliContext *context, const char *name, const char *value, Status *status) {
    Option parts[2];
    return options_find(cli_options(context->command, parts), name) < 0 ||
           cli_given(context, name) || cli_set(context, name, value, status);
}

static bool fill(CliContext *context, const StoreRun *run, Status *status) {
    char seed[NUMBER_BYTES], piece_seed[NUMBER_BYTES];
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    snprintf(piece_seed, sizeof piece_seed, "%" PRIu64, run->piece_seed);
    for (size_t i = 0; i < run->parameter_count; i++)
        if (!set_key(context, run->parameters[i].name, run->parameters[i].value, status))
            return false;
    return set_other(context, "seed", seed, status) &&
           set_other(context, "piece-seed", piece_seed, status) &&
           set_other(context, "threads", "1", status) && cli_set(context, "quiet", "on", status);
}

static void pass_on(void *context, const Progress *progress) {
    const ExperimentWatch *watch = context;
    StorePoint point = {progress->done, progress->best, progress->current, progress->temperature};
    watch->report(watch->context, &point);
}

static void pass_point(void *context, uint64_t evaluation, double best, double current,
                       double temperature) {
    pass_on(context,
            &(Progress){
                .done = evaluation, .best = best, .current = current, .temperature = temperature});
}

/* Gives the texts away, or releases them. */
static bool take(bool ok, Text *document, Text *times, ExperimentResult *result, Status *status) {
    if (ok && (document->failed || times->failed))
        ok = status_no_memory(status);
    if (ok && result)
        *result = (ExperimentResult){document->data, times->data};
    else {
        text_release(document);
        text_release(times);
    }
    return ok;
}

/* Runs the job of a command. */
static bool run_question(CliContext *context, const ExperimentWatch *watch,
                         ExperimentResult *result, Status *status) {
    const Job *job = context->command->question;
    void *run = cli_prepare(context, status);
    if (!run)
        return false;
    Text document, times;
    text_init(&document);
    text_init(&times);
    bool ok = true;
    if (watch) {
        ProgressWatch reports = {watch->stop, pass_on, (void *)watch};
        ok = job->run(run, &reports, status);
    }
    if (ok && watch) {
        job_write(job, run, false, &document);
        job_write_times(job, run, &times);
    }
    job->free_run(run);
    return take(ok, &document, &times, result, status);
}

/* Runs a command that is not a job yet. */
static bool run_command(CliContext *context, const ExperimentWatch *watch, ExperimentResult *result,
                        Status *status) {
    CliJob job = {.check_only = !watch,
                  .stop = watch ? watch->stop : NULL,
                  .report = pass_point,
                  .context = (void *)watch};
    bool ok = context->command->job(context, context->settings->values, &job, status);
    return take(ok, &job.document, &job.times, result, status);
}

/* `watch` NULL: only checks. */
static bool do_job(const StoreRun *run, const ExperimentWatch *watch, ExperimentResult *result,
                   Status *status) {
    const Command *command = find(run->command);
    if (!command)
        return status_fail(status, STATUS_INPUT, "%s: this program cannot run it from a grid",
                           run->command);
    CliContext context;
    bool ok = cli_context_init(&context, command, status) && fill(&context, run, status) &&
              (command->question ? run_question : run_command)(&context, watch, result, status);
    cli_context_release(&context);
    return ok;
}

static bool check(const StoreRun *run, Status *status) {
    return do_job(run, NULL, NULL, status);
}

const ExperimentCommands grid_job_commands = {known, check_value, check, do_job};
