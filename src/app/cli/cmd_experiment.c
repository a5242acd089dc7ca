/*
 * experiment: grids of runs in a database, run by any number of processes.
 *
 * Only what a user sees is here: the grid's text, the counts, the progress. store/store and
 * store/work decide which worker has which run, and what happens to runs of lost workers.
 */
#include "base/json_writer.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/experiment.h"
#include "cli/files.h"
#include "cli/profile_files.h"
#include "cli/store_run.h"
#include "store/export.h"
#include "store/grid.h"
#include "store/ready.h"
#include "store/run_job.h"
#include "store/store.h"
#include "system/file.h"
#include "system/stop.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The grids that come with the program, without those of `reproduce`. */
#define READY_GRIDS "quick, ga, sa, local-search, bees, published-ga, published-sa"

enum {
    NAME_BYTES = 64,
    FAILURES_SHOWN = 5,
    LONG_RUN_FACTOR = 5, /* times the mean, and so many seconds, is suspiciously long */
    LONG_RUN_SECONDS = 10
};

static const Option experiment_rows[] = {
    OPTION_ROW(ExperimentSettings, TEXT, store, "store", .fallback = "sqlite:experiment.sqlite",
               .argument = "STORE", .file = OPTION_STORE,
               .help = "sqlite:FILE or postgresql://[user@]host/database"),
    OPTION_ROW(ExperimentSettings, TEXT, name, "name", .argument = "NAME", .only = "init",
               .help = "name of the grid in the store (default: that of its file)"),
    OPTION_ROW(ExperimentSettings, FLAG, yes, "yes", .only = "init",
               .help = "allow more than 100000 runs"),
    OPTION_ROW(ExperimentSettings, INTEGER, seed, "seed", .max = 9.2e18, .argument = "N",
               .only = "init",
               .help = "all seeds are derived from it; drawn and printed when not given"),
    OPTION_ROW(ExperimentSettings, INTEGER, workers, "workers", .min = 1, .max = WORK_MAX_WORKERS,
               .argument = "N", .only = "run",
               .help = "runs at the same time (default: the number of CPUs)"),
    OPTION_ROW(ExperimentSettings, REAL, lease_seconds, "lease", .fallback = "60", .min = 1,
               .max = 86400, .argument = "SECONDS", .only = "run",
               .help = "a run whose worker, on another machine, was silent for this long is given "
                       "to another"),
    OPTION_ROW(ExperimentSettings, REAL, patience_seconds, "patience", .fallback = "600", .min = 0,
               .max = 1e7, .argument = "SECONDS", .only = "run",
               .help = "how long to wait for a server that is unreachable"),
    OPTION_ROW(ExperimentSettings, FLAG, retry_failed, "retry-failed", .only = "run",
               .help = "also retry the runs that failed before"),
    OPTION_ROW(ExperimentSettings, FLAG, no_times, "no-times", .only = "export",
               .help = "leave out what differs from run to run and from machine to machine"),
    OPTION_ROW(ExperimentSettings, TEXT, by, "by", .argument = "KEY", .only = "compare",
               .help = "the parameter whose values are compared, such as algorithm, or part "
                       "for the named sections of the grid (default: the only one that varies)"),
    OPTION_ROW(ExperimentSettings, TEXT, measure, "measure", .argument = "NAME", .only = "compare",
               .help = "a number of the result, such as lines or seconds (solve, eval: "
                       "fitness; simulate, match: score; train: held_out; clears: solvable, "
                       "chance: probability, cover: or)"),
    OPTION_ROW(ExperimentSettings, TEXT, grid, "grid", .argument = "NAME", .only = "compare|export",
               .help = "only the runs of this grid"),
    OPTIONS_INCLUDE(ExperimentSettings, common, cli_common_options),
};

static StatusCode code_of(bool ok, const Status *status) {
    return ok ? STATUS_OK : status->code;
}

/* ---- init */

/* The grid's text: of a file, or of one that came with the program. The caller frees it. */
static char *read_grid(const char *given, Status *status) {
    bool is_file = true;
    if (strcmp(given, "-") != 0 && !file_exists(given, &is_file, status))
        return NULL;
    const char *ready = is_file ? NULL : ready_grid(given);
    if (ready) {
        char *copy = strdup(ready);
        if (!copy)
            status_no_memory(status);
        return copy;
    }
    size_t length;
    char *text = file_read(given, GRID_FILE_LIMIT, &length, status);
    /* JSON and databases take nothing else. */
    if (!text || utf8_is_text(text, length))
        return text;
    status_fail(status, STATUS_INPUT, "%s: is not UTF-8 text", cli_path_name(given));
    free(text);
    return NULL;
}

/* --name, or "ga" of "grids/ga.ini". */
static bool name_of(const char *given, const char *path, char name[NAME_BYTES], Status *status) {
    const char *slash = strrchr(path, '/');
    const char *word = given ? given : strcmp(path, "-") == 0 ? "stdin" : slash ? slash + 1 : path;
    size_t length = strlen(word);
    if (!given && length > 4 && strcmp(word + length - 4, ".ini") == 0)
        length -= 4;
    if (length == 0 || length >= NAME_BYTES || !utf8_is_text(word, length))
        return status_fail(status, STATUS_INPUT, "--name: needs 1 to %d bytes of UTF-8",
                           NAME_BYTES - 1);
    snprintf(name, NAME_BYTES, "%.*s", (int)length, word);
    return true;
}

static bool add_grid(const ExperimentSettings *settings, const RunGrid *grid, const char *name,
                     const char *text, uint64_t seed, Status *status) {
    Store *store = store_open(settings->store, STORE_CREATE, status);
    if (!store)
        return false;
    RunGridWalk walk = {.grid = grid, .seed = seed};
    bool ok = store_add_grid(store, name, text, seed, run_grid_next, &walk, status) &&
              store_write_back(store, status);
    if (ok && settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("store", store_name(store)), JS("grid", name),
               JS("command", run_grid_command(grid)), JI("runs", run_grid_runs(grid)),
               JI("repeat", run_grid_repeat(grid)), JI("seed", (int64_t)seed));
        ok = cli_print_json(&w, status);
    } else if (ok)
        printf("%s: %lld run%s of %s in %s, seed %llu\n", name, (long long)run_grid_runs(grid),
               cli_plural(run_grid_runs(grid)), run_grid_command(grid), store_name(store),
               (unsigned long long)seed);
    store_free(store);
    return ok;
}

static bool init_with(const CliContext *context, const ExperimentSettings *settings,
                      const char *path, const char *text, Status *status) {
    RunGrid *grid = run_grid_parse(cli_path_name(path), text, &run_job_commands, status);
    if (!grid)
        return false;
    char name[NAME_BYTES];
    bool ok = name_of(settings->name, path, name, status);
    if (ok && run_grid_runs(grid) > GRID_MANY_RUNS && !settings->yes)
        ok = status_fail(status, STATUS_INPUT, "%s: %lld runs; --yes if that is meant",
                         cli_path_name(path), (long long)run_grid_runs(grid));
    ok = ok && run_grid_check(grid, &run_job_commands, status) &&
         add_grid(settings, grid, name, text, cli_seed(context, settings->seed), status);
    run_grid_free(grid);
    return ok;
}

static StatusCode experiment_init(CliContext *context, const ExperimentSettings *settings,
                                  Status *status) {
    if (context->words.count < 2) {
        status_fail(status, STATUS_INPUT,
                    "experiment init: missing grid (a file, or " READY_GRIDS ")");
        return status->code;
    }
    const char *path = context->words.items[1];
    char *text = read_grid(path, status);
    bool ok = text && init_with(context, settings, path, text, status);
    free(text);
    return code_of(ok, status);
}

/* ---- status */

static bool note_start(void *context, const StoreRun *run, Status *status) {
    (void)status;
    double *first = context;
    if (run->started > 0 && run->started < *first)
        *first = run->started;
    return true;
}

/* The estimate, or a negative number: also when a run takes far longer than those that are done,
 * because its worker may have been stopped. */
static bool estimate(Store *store, const StoreCounts *counts, double *left, Status *status) {
    double first = (double)time(NULL), now = first;
    *left = store_seconds_left(counts);
    if (counts->runs[STORE_RUNNING] == 0 || counts->runs[STORE_DONE] == 0)
        return true;
    if (!store_each(store, 1 << STORE_RUNNING, STORE_WITHOUT_TIMES, note_start, &first, status))
        return false;
    double mean = counts->seconds / (double)counts->runs[STORE_DONE];
    if (now - first > LONG_RUN_FACTOR * mean + LONG_RUN_SECONDS)
        *left = -1;
    return true;
}

static bool print_counts(Store *store, const StoreCounts *counts, int64_t gone, Status *status) {
    double left;
    if (!estimate(store, counts, &left, status))
        return false;
    JsonWriter w;
    jw_start(&w);
    jw_string(&w, "store", store_name(store));
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        jw_integer(&w, store_state_names[i], counts->runs[i]);
    jw_put(&w, JI("gone", gone), JR("seconds", counts->seconds),
           JR("eta_seconds", left < 0 ? NAN : left));
    return cli_print_json(&w, status);
}

static bool show_failure(void *context, const StoreRun *run, Status *status) {
    (void)status;
    int *shown = context;
    if ((*shown)++ < FAILURES_SHOWN)
        printf("  run %lld (%s): %s\n", (long long)run->number, run->grid,
               run->error ? run->error : "failed");
    return true;
}

static bool show_counts(Store *store, const StoreCounts *counts, int64_t gone, Status *status) {
    static const int order[] = {STORE_DONE, STORE_RUNNING, STORE_FAILED, STORE_WAITING};
    int64_t all = 0;
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        all += counts->runs[i];
    printf("%s: %lld run%s\n", store_name(store), (long long)all, cli_plural(all));
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        printf("  %-8s %8lld  %5.1f %%\n", store_state_names[order[i]],
               (long long)counts->runs[order[i]],
               all ? 100.0 * (double)counts->runs[order[i]] / (double)all : 0);
    if (gone > 0)
        printf("the workers of %lld running are gone; the next run takes these over\n",
               (long long)gone);
    if (counts->runs[STORE_DONE] > 0)
        printf("%s per run; ", units_time(counts->seconds / (double)counts->runs[STORE_DONE]).text);
    double left;
    if (!estimate(store, counts, &left, status))
        return false;
    if (left < 0)
        printf(counts->runs[STORE_DONE] > 0
                   ? "no estimate: a run takes far longer than the others\n"
                   : "no run is done yet\n");
    else
        printf("%s left%s\n", units_time(ceil(left)).text,
               left > 0 && counts->runs[STORE_RUNNING] == 0 ? " with one worker" : "");
    int shown = 0;
    bool ok =
        counts->runs[STORE_FAILED] == 0 ||
        store_each(store, 1 << STORE_FAILED, STORE_WITHOUT_TIMES, show_failure, &shown, status);
    if (shown > FAILURES_SHOWN)
        printf("  and %d more\n", shown - FAILURES_SHOWN);
    return ok;
}

static bool show_store(Store *store, const ExperimentSettings *settings, Status *status) {
    StoreCounts counts;
    Process self;
    int64_t gone = 0;
    process_self(&self);
    if (!store_count(store, &counts, status) ||
        (counts.runs[STORE_RUNNING] > 0 && !store_count_gone(store, &self, &gone, status)))
        return false;
    return settings->common.json ? print_counts(store, &counts, gone, status)
                                 : show_counts(store, &counts, gone, status);
}

static StatusCode experiment_status(CliContext *context, const ExperimentSettings *settings,
                                    Status *status) {
    (void)context;
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok = store && show_store(store, settings, status);
    store_free(store);
    return code_of(ok, status);
}

/* ---- run */

static StatusCode interrupted(const CliContext *context, const ExperimentSettings *settings) {
    cli_interrupted(context, "tetropt experiment run --store %s", settings->store);
    return STATUS_INTERRUPTED;
}

static StatusCode run_store(Store *store, CliContext *context, const ExperimentSettings *settings,
                            Status *status) {
    int64_t retried;
    if (settings->retry_failed && !store_retry_failed(store, &retried, status))
        return status->code;
    WorkSummary summary;
    bool ok = store_run(store, &settings->common,
                        cli_given(context, "workers") ? (unsigned)settings->workers : 0,
                        settings->lease_seconds, &summary, status);
    if (!ok)
        return status->code;
    if (summary.stopped)
        return interrupted(context, settings);
    StoreCounts counts;
    if (!show_store(store, settings, status) || !store_count(store, &counts, status))
        return status->code;
    return counts.runs[STORE_FAILED] > 0 ? STATUS_UNMET : STATUS_OK;
}

static StatusCode experiment_run(CliContext *context, const ExperimentSettings *settings,
                                 Status *status) {
    Store *store = store_open_patiently(settings->store, STORE_USE, settings->patience_seconds,
                                        stop_flag(), status);
    if (status->code == STATUS_INTERRUPTED) {
        *status = (Status){.code = STATUS_OK};
        return interrupted(context, settings);
    }
    if (!store)
        return status->code;
    StatusCode code = run_store(store, context, settings, status);
    store_free(store);
    return code;
}

/* ---- export */

/* `context` is an int that takes the first error. */
static bool write_out(void *context, const char *bytes, size_t count) {
    bool ok = fwrite(bytes, 1, count, stdout) == count;
    if (!ok)
        *(int *)context = errno;
    return ok;
}

/* The formats that are directories. */
static bool export_folder(const ExperimentSettings *settings, ProfileFormat format,
                          const char *folder, Status *status) {
    Runs runs;
    Arena arena = {0};
    size_t count;
    runs_init(&runs);
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok =
        store && store_each(store, 1 << STORE_DONE, STORE_WITHOUT_TIMES, runs_visit, &runs, status);
    RunList chosen = {0};
    if (ok)
        chosen = runs_select(runs_done(&runs, &arena), (RunFilter){.grid = settings->grid}, &arena);
    if (ok && settings->grid && chosen.count == 0 && !arena.failed)
        ok = status_option(status, "grid", "no run of '%s' is done", settings->grid);
    const ProfileRun *list = ok ? profile_logs_runs(chosen, &count, &arena, status) : NULL;
    ok = list && profile_files_write(format, list, count, folder, &arena, status);
    store_free(store);
    arena_release(&arena);
    runs_release(&runs);
    return ok;
}

static StatusCode experiment_export(CliContext *context, const ExperimentSettings *settings,
                                    Status *status) {
    const char *format = context->words.count > 1 ? context->words.items[1] : "";
    const char *folder = context->words.count > 2 ? context->words.items[2] : NULL;
    bool csv = strcmp(format, "csv") == 0, ioh = strcmp(format, "ioh") == 0;
    bool is_folder = ioh || strcmp(format, "coco") == 0;
    if (!csv && !is_folder && strcmp(format, "jsonl") != 0) {
        status_fail(status, STATUS_INPUT,
                    *format ? "experiment export: unknown format '%s' (csv, jsonl, ioh, coco)"
                            : "experiment export: missing format%s (csv, jsonl, ioh, coco)",
                    format);
        return status->code;
    }
    if (is_folder != (folder != NULL)) {
        status_fail(status, STATUS_INPUT,
                    folder ? "experiment export: %s goes to standard output"
                           : "experiment export: %s requires a directory",
                    format);
        return status->code;
    }
    if (settings->common.json) {
        status_option(status, "json", "export has its own formats (try experiment export jsonl)");
        return status->code;
    }
    if (is_folder)
        return code_of(export_folder(settings, ioh ? PROFILE_IOH : PROFILE_COCO, folder, status),
                       status);
    Store *store = store_open(settings->store, STORE_LOOK, status);
    StoreTimes times = settings->no_times ? STORE_WITHOUT_TIMES : STORE_WITH_TIMES;
    int error = 0;
    bool ok = store && (csv ? export_csv : export_jsonl)(store, settings->grid, times, write_out,
                                                         &error, status);
    store_free(store);
    if (error)
        file_fail("standard output", error, status);
    return code_of(ok, status);
}

/* ---- copy */

static StatusCode experiment_copy(CliContext *context, const ExperimentSettings *settings,
                                  Status *status) {
    if (context->words.count < 2) {
        status_fail(status, STATUS_INPUT, "experiment copy: missing FILE, the copy");
        return status->code;
    }
    if (strcmp(context->words.items[1], "-") == 0) {
        status_fail(status, STATUS_INPUT,
                    "experiment copy: a store is a file, not standard output");
        return status->code;
    }
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok = store && store_copy(store, context->words.items[1], status);
    if (ok && !settings->common.quiet && !settings->common.json)
        printf("%s: a copy of %s\n", context->words.items[1], store_name(store));
    if (ok && settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("store", store_name(store)), JS("copy", context->words.items[1]));
        ok = cli_print_json(&w, status);
    }
    store_free(store);
    return code_of(ok, status);
}

/* ---- the command */

static const struct {
    const char *name;
    int words; /* it takes, its name counted */
    ExperimentCommand *run;
} subcommands[] = {
    {"init", 2, experiment_init},       {"run", 1, experiment_run},
    {"status", 1, experiment_status},   {"export", 3, experiment_export},
    {"compare", 1, experiment_compare}, {"copy", 2, experiment_copy},
};

static StatusCode run_experiment(CliContext *context, const void *settings, Status *status) {
    const char *word = context->words.count > 0 ? context->words.items[0] : "";
    if (!cli_files_check(context, NULL, 0, status))
        return status->code;
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (strcmp(word, subcommands[i].name) == 0) {
            if (!cli_words_at_most(context, subcommands[i].words, status))
                return status->code;
            return subcommands[i].run(context, settings, status);
        }
    status_fail(
        status, STATUS_INPUT,
        word[0] ? "experiment: unknown subcommand '%s' (init, run, status, export, compare, copy)"
                : "experiment: missing subcommand%s (init, run, status, export, compare, copy)",
        word);
    return status->code;
}

const Command cmd_experiment = {
    .name = "experiment",
    .arguments =
        "init GRID | run | status | export csv|jsonl|ioh|coco [DIR] | compare [--by KEY] | "
        "copy FILE [OPTIONS]",
    .summary = "run parameter grids and store every result in a database",
    .description =
        "init expands a grid, an INI file in which every option and parameter of solve, eval, "
        "simulate, match, train or clears can be a dimension, into runs in a store. run executes "
        "them, in as many processes and on as many machines as share the store. status prints the "
        "progress. export writes the results, ioh and coco into a directory that IOHanalyzer or "
        "cocopp loads. compare tests which values are better. copy writes a complete copy of an "
        "SQLite store, also while others work on it. GRID is a file or one that comes with the "
        "program: " READY_GRIDS
        ". Any process may be killed at any moment: only its unfinished runs are lost, and others "
        "do them again.",
    .examples = "  tetropt experiment init quick --store sqlite:quick.sqlite --seed 1\n"
                "  tetropt experiment run --store sqlite:quick.sqlite # takes up to a minute\n"
                "  tetropt experiment status --store sqlite:quick.sqlite\n"
                "  tetropt experiment export csv --store sqlite:quick.sqlite --no-times\n"
                "  tetropt experiment compare --by algorithm --store sqlite:quick.sqlite # takes "
                "the run above\n",
    .unmet = "a run failed, or none is done that could be compared",
    .interrupted = "interrupted; finished runs are stored, the others wait in the store",
    .options = OPTIONS_TABLE(experiment_rows),
    .settings_bytes = sizeof(ExperimentSettings),
    .run = run_experiment,
    .takes_ranks = true,
};
