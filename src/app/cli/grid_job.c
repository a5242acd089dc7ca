#include "cli/grid_job.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 24 };

/* A command with its settings, as main would have made them. */
typedef struct Call {
    CliContext context;
    void *settings;
    char *pairs[STORE_PARAMETERS_MAX];
    int pair_count;
    char seed[NUMBER_BYTES], piece_seed[NUMBER_BYTES];
} Call;

static const Command *find(const char *name) {
    const Command *command = cli_find_command(name);
    return command && command->job ? command : NULL;
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

/* The option that takes the key as NAME=VALUE, and the name: "param" and "width" for `width`, where
 * that is no option itself, and for `param.width`. NULL: there is none. */
static const char *find_list(const Command *command, const char *key, const char **name) {
    const char *dot = strchr(key, '.');
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%.*s", dot ? (int)(dot - key) : 0, key);
    int index = options_find(command->options, dot ? prefix : "param");
    *name = dot ? dot + 1 : key;
    if (index < 0 || options_row(command->options, index).kind != OPTION_LIST)
        return NULL;
    return options_row(command->options, index).name;
}

static bool check_value(const char *name, const char *key, const char *value, Status *status) {
    const Command *command = find(name);
    const char *inner;
    if (is_in("help|config|json|quiet|color|param", key) || is_in(command->not_in_grids, key))
        return status_fail(status, STATUS_INPUT, "%s: not in a grid", key);
    if (options_find(command->options, key) < 0)
        return find_list(command, key, &inner) ||
               status_fail(status, STATUS_INPUT, "%s: there is no such option", key);
    void *settings = calloc(1, command->settings_bytes);
    bool ok = settings ? options_set(command->options, settings, key, value, status)
                       : status_no_memory(status);
    free(settings);
    return ok;
}

static bool set_option(Call *call, const char *name, const char *value, Status *status) {
    OptionTable table = call->context.command->options;
    if (!options_set(table, call->settings, name, value, status))
        return false;
    options_mark(table, &call->context.given, name);
    return true;
}

static bool set_parameter(Call *call, const StoreParameter *parameter, Status *status) {
    const Command *command = call->context.command;
    const char *name;
    if (options_find(command->options, parameter->name) >= 0)
        return set_option(call, parameter->name, parameter->value, status);
    const char *list = find_list(command, parameter->name, &name);
    if (!list)
        return status_fail(status, STATUS_INPUT, "%s: there is no such option", parameter->name);
    size_t bytes = strlen(name) + strlen(parameter->value) + 2;
    char *pair = malloc(bytes);
    if (!pair)
        return status_no_memory(status);
    snprintf(pair, bytes, "%s=%s", name, parameter->value);
    call->pairs[call->pair_count++] = pair;
    return set_option(call, list, pair, status);
}

/* An option that the grid did not name, where the command has it. */
static bool set_other(Call *call, const char *name, const char *value, Status *status) {
    OptionTable table = call->context.command->options;
    if (options_find(table, name) < 0 || options_given(table, &call->context.given, name))
        return true;
    return set_option(call, name, value, status);
}

static bool fill(Call *call, const StoreRun *run, Status *status) {
    const Command *command = find(run->command);
    if (!command)
        return status_fail(status, STATUS_INPUT, "%s: this program cannot run it from a grid",
                           run->command);
    call->context.command = command;
    call->settings = calloc(1, command->settings_bytes);
    if (!call->settings)
        return status_no_memory(status);
    options_defaults(command->options, call->settings);
    for (size_t i = 0; i < run->parameter_count; i++)
        if (!set_parameter(call, &run->parameters[i], status))
            return false;
    snprintf(call->seed, sizeof call->seed, "%" PRIu64, run->seed);
    snprintf(call->piece_seed, sizeof call->piece_seed, "%" PRIu64, run->piece_seed);
    return set_other(call, "seed", call->seed, status) &&
           set_other(call, "piece-seed", call->piece_seed, status) &&
           set_other(call, "threads", "1", status) && set_option(call, "quiet", "on", status);
}

static void release(Call *call) {
    for (int i = 0; i < call->pair_count; i++)
        free(call->pairs[i]);
    free(call->settings);
}

static bool do_job(const StoreRun *run, CliJob *job, Status *status) {
    Call call = {.settings = NULL};
    bool ok = fill(&call, run, status) &&
              call.context.command->job(&call.context, call.settings, job, status);
    release(&call);
    return ok;
}

static bool check(const StoreRun *run, Status *status) {
    CliJob job = {.check_only = true};
    return do_job(run, &job, status);
}

static void pass_on(void *context, uint64_t evaluation, double best, double current,
                    double temperature) {
    const ExperimentWatch *watch = context;
    StorePoint point = {evaluation, best, current, temperature};
    watch->report(watch->context, &point);
}

static bool run_job(const StoreRun *run, const ExperimentWatch *watch, ExperimentResult *result,
                    Status *status) {
    CliJob job = {.stop = watch->stop, .report = pass_on, .context = (void *)watch};
    bool ok = do_job(run, &job, status);
    result->document = job.document;
    result->full = job.full;
    if (ok)
        return true;
    json_decref(result->document);
    json_decref(result->full);
    *result = (ExperimentResult){NULL, NULL};
    return false;
}

const ExperimentCommands grid_job_commands = {known, check_value, check, run_job};
