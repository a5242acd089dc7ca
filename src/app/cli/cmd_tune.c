/*
 * tune: the command line of the tuner: from options to a space, instances and a task; progress;
 * the winner as text, as JSON and as a configuration file.
 */
#include "base/memory.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "problem/instances.h"
#include "stats/runs.h"
#include "store/run_job.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/table.h"
#include "tune/tune_document.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct TuneSettings {
    CliCommon common;
    const char *store, *name, *command, *measure, *out;
    OptionList fixed, space, instances;
    int64_t seeds, held_out, budget, first_test, ablation, seed, workers;
    double seconds, confidence, lease_seconds;
    int method, test;
} TuneSettings;

static const Option tune_rows[] = {
    OPTION_ROW(TuneSettings, TEXT, command, "command", .fallback = "solve",
               .choices = "solve|simulate|train", .argument = "NAME",
               .help = "the job whose parameters are tuned"),
    OPTION_ROW(TuneSettings, LIST, fixed, "set", .argument = "NAME=VALUE",
               .help = "an option or parameter that all runs have, such as algorithm=sa or "
                       "evaluations=100000; repeatable"),
    OPTION_ROW(TuneSettings, LIST, space, "space", .argument = "NAME=RANGE",
               .help = "what to try of a parameter: LOW..HIGH, 'LOW..HIGH log' or A|B|C, then 'if "
                       "NAME=WORD' if it depends on another one; no keeps its default; repeatable "
                       "(default: the range that its table marks)"),
    OPTION_ROW(TuneSettings, LIST, instances, "instances", .argument = "NAME",
               .help = "solve: instances of the benchmark, one or a family; repeatable (default: "
                       "seeds)"),
    PARAMETER_INTEGER(TuneSettings, seeds, "seeds", "100", 2, 100000,
                      "without --instances: seeds to tune with, held-out ones included"),
    PARAMETER_INTEGER(TuneSettings, held_out, "held-out", "20", 0, 10000,
                      "keep the last instances out of the races; they decide in the end"),
    PARAMETER_INTEGER(TuneSettings, budget, "budget", "1000", 10, 1e7,
                      "the most runs of the races"),
    OPTION_ROW(TuneSettings, REAL, seconds, "time", .min = 0, .max = 1e9, .argument = "SECONDS",
               .help = "end the races when their runs took this long in all; 0: no limit"),
    OPTION_ROW(TuneSettings, CHOICE, method, "method", .fallback = "race",
               .choices = TUNER_METHOD_CHOICES, .argument = "NAME",
               .help = "iterated racing, or successive halving of random configurations"),
    OPTION_ROW(TuneSettings, CHOICE, test, "test", .fallback = "friedman",
               .choices = TUNER_TEST_CHOICES, .argument = "NAME",
               .help = "the test that drops configurations"),
    OPTION_ROW(TuneSettings, REAL, confidence, "confidence", .fallback = "0.95", .min = 0.5,
               .max = 0.9999, .argument = "N", .help = "confidence of that test"),
    PARAMETER_INTEGER(TuneSettings, first_test, "first-test", "5", 2, 100,
                      "instances before the first test"),
    PARAMETER_INTEGER(TuneSettings, ablation, "ablation", "5", 0, 1000,
                      "held-out instances for the path from the defaults to the winner; 0: none"),
    OPTION_ROW(TuneSettings, TEXT, measure, "measure", .argument = "NAME",
               .help = "a number of the result (solve: fitness; simulate: score; train: held_out)"),
    OPTION_ROW(TuneSettings, TEXT, store, "store", .fallback = "sqlite:tune.sqlite",
               .argument = "STORE", .file = OPTION_STORE,
               .help = "sqlite:FILE or postgresql://[user@]host/database"),
    OPTION_ROW(TuneSettings, TEXT, name, "name", .fallback = "tune", .argument = "NAME",
               .help = "name of the tuning in the store"),
    OPTION_ROW(TuneSettings, TEXT, out, "out", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the winner as a configuration file for --config"),
    PARAMETER_INTEGER(TuneSettings, workers, "workers", NULL, 1, WORK_MAX_WORKERS,
                      "runs at the same time (default: the number of CPUs)"),
    OPTION_ROW(TuneSettings, REAL, lease_seconds, "lease", .fallback = "60", .min = 1, .max = 86400,
               .argument = "SECONDS",
               .help = "a run whose worker, on another machine, was silent for this long is given "
                       "to another"),
    PARAMETER_INTEGER(TuneSettings, seed, "seed", "1", 0, 9.2e18, "all seeds are derived from it"),
    OPTIONS_INCLUDE(TuneSettings, common, cli_common_options),
};

typedef struct TuneWork {
    CliContext *context;
    const TuneSettings *settings;
    TuneStore tune; /* first among what the tuner's context needs */
    Space space;
    TunerTask task;
    Tuner tuner;
    Arena arena;
} TuneWork;

/* ---- from options to a task */

/* The row that selects the algorithm, agent or method of a job. */
static int selector(const Job *job) {
    for (int i = 0; i < options_count(job->options); i++)
        if (options_row(job->options, i).word_at)
            return i;
    return -1;
}

static bool read_fixed(TuneWork *work, Status *status) {
    const OptionList *list = &work->settings->fixed;
    TuneStore *tune = &work->tune;
    for (int i = 0; i < list->count; i++) {
        const char *equal = strchr(list->items[i], '=');
        if (!equal || equal == list->items[i])
            return status_option(status, "set", "'%.60s' is not NAME=VALUE", list->items[i]);
        const char *name =
            arena_format(&work->arena, "%.*s", (int)(equal - list->items[i]), list->items[i]);
        if (work->arena.failed)
            return status_no_memory(status);
        if (strstr(name, "seed") || strcmp(name, "instance") == 0)
            return status_option(status, "set", "%s: is set by tune", name);
        if (!run_job_commands.check_value(tune->job->name, name, equal + 1, status))
            return status_prefix_option(status, "set");
        if (tune->fixed_count + SPACE_MAX + 2 >= STORE_PARAMETERS_MAX)
            return status_option(status, "set", "too many");
        tune->fixed[tune->fixed_count++] = (StoreParameter){name, equal + 1};
    }
    StoreParameter pinned = run_job_commands.pinned(tune->job->name);
    for (int i = 0; pinned.name && i < tune->fixed_count; i++)
        if (strcmp(tune->fixed[i].name, pinned.name) == 0 ||
            strcmp(tune->fixed[i].name, "preset") == 0) /* which decides about it */
            pinned.name = NULL;
    if (pinned.name)
        tune->fixed[tune->fixed_count++] = pinned;
    return true;
}

static const char *fixed_value(const TuneStore *tune, const char *name) {
    for (int i = 0; i < tune->fixed_count; i++)
        if (strcmp(tune->fixed[i].name, name) == 0)
            return tune->fixed[i].value;
    return NULL;
}

/* The parameters of the algorithm that is fixed, or of the default one. */
static bool parameter_table(const TuneWork *work, OptionTable *table, Status *status) {
    const Job *job = work->tune.job;
    Option row = options_row(job->options, selector(job));
    const char *value = fixed_value(&work->tune, row.name);
    char name[64];
    parameters_split(value ? value : row.fallback ? row.fallback : "", name, sizeof name);
    for (int i = 0; row.word_at(i); i++)
        if (strcmp(row.word_at(i), name) == 0) {
            *table = job->parameters_at(i);
            return true;
        }
    return status_option(status, "set", "which %s? (--set %s=NAME)", row.name, row.name);
}

/* The parameter or option of this name; false: there is none. */
static bool find_row(const Job *job, OptionTable table, const char *name, Option *row) {
    int index = options_find(table, strncmp(name, "param.", 6) == 0 ? name + 6 : name);
    if (index >= 0)
        *row = options_row(table, index);
    else if ((index = options_find(job->options, name)) >= 0)
        *row = options_row(job->options, index);
    return index >= 0;
}

/* What a condition names must exist, also when it is fixed and thus not in the space. */
static bool check_conditions(const TuneWork *work, OptionTable table, Status *status) {
    for (int i = 0; i < work->space.count; i++) {
        const SpaceParameter *own = &work->space.items[i];
        Option row;
        if (!own->condition[0][0])
            continue;
        if (!find_row(work->tune.job, table, own->condition[0], &row))
            return status_option(status, "space", "%s: 'if' names the unknown parameter '%s'",
                                 own->name, own->condition[0]);
        if (!space_check_words(&row, own->condition[1], status))
            return false;
    }
    return true;
}

static bool read_space(TuneWork *work, Status *status) {
    OptionTable table;
    const OptionList *list = &work->settings->space;
    const Job *job = work->tune.job;
    if (!parameter_table(work, &table, status) ||
        !space_add_table(&work->space, table, job->options, "param.", status))
        return false;
    for (int i = 0; i < list->count; i++) {
        char name[SPACE_NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list->items[i], "="), list->items[i]);
        Option row;
        bool known = find_row(job, table, name, &row);
        if (!space_set(&work->space, list->items[i], known ? &row : NULL, status))
            return false;
    }
    if (!check_conditions(work, table, status))
        return false;
    for (int i = 0; i < work->tune.fixed_count; i++)
        space_fix(&work->space, work->tune.fixed[i].name, work->tune.fixed[i].value);
    return space_finish(&work->space, status);
}

static bool read_instances(TuneWork *work, Status *status) {
    const TuneSettings *settings = work->settings;
    TuneStore *tune = &work->tune;
    int64_t count = settings->seeds;
    if (settings->instances.count > 0) {
        if (cli_given(work->context, "seeds"))
            return status_option(status, "seeds", "cannot be combined with --instances");
        if (options_find(tune->job->options, "instance") < 0)
            return status_option(status, "instances", "%s has none", tune->job->name);
        tune->instances =
            arena_zeroed(&work->arena, (size_t)instances_count(), sizeof *tune->instances);
        if (!tune->instances)
            return status_no_memory(status);
        count = 0;
        for (int k = 0; k < settings->instances.count; k++) {
            int64_t before = count;
            for (int i = 0; i < instances_count(); i++) {
                BenchInstance instance = instances_at(i);
                bool is_new = instance_has_prefix(&instance, settings->instances.items[k]);
                for (int64_t j = 0; j < before; j++)
                    is_new = is_new && strcmp(tune->instances[j], instance.name) != 0;
                if (is_new)
                    tune->instances[count++] = arena_copy(&work->arena, instance.name);
            }
            if (count == before)
                return instances_unknown(settings->instances.items[k], status) ||
                       status_prefix_option(status, "instances");
        }
    }
    if (settings->held_out >= count)
        return status_option(status, "held-out", "%d of %d instances leave none to tune with",
                             (int)settings->held_out, (int)count);
    tune->held_out = (int)settings->held_out;
    tune->training = (int)(count - settings->held_out);
    return true;
}

/* All that decides about the tuning, so that another one of the same name is noticed. */
static const char *describe_settings(TuneWork *work) {
    Text text = {0};
    const TuneStore *tune = &work->tune;
    const TunerTask *task = &work->task;
    text_format(&text,
                "; a batch of tetropt tune\ncommand %s\nmeasure %s\nmethod %d test %d alpha %.6g "
                "first %d budget %lld seconds %.6g held-out %d ablation %d seed %llu\n",
                tune->job->name, tune->measure, (int)task->method, (int)task->test, task->alpha,
                task->first_test, (long long)task->budget, task->seconds, task->held_out,
                task->ablation, (unsigned long long)task->seed);
    for (int i = 0; i < tune->fixed_count; i++)
        text_format(&text, "set %s=%s\n", tune->fixed[i].name, tune->fixed[i].value);
    for (int i = 0; i < work->space.count; i++) {
        const SpaceParameter *own = &work->space.items[i];
        text_format(&text, "space %s %g..%g%s", own->name, own->low, own->high,
                    own->log ? " log" : "");
        for (int k = 0; k < own->word_count; k++)
            text_format(&text, "|%s", own->words[k]);
        text_format(&text, " %s %s\n", own->condition[0], own->condition[1]);
    }
    for (int i = 0; i < tune->training + tune->held_out; i++)
        text_format(&text, "instance %s\n", tune->instances ? tune->instances[i] : "");
    const char *copy = arena_copy(&work->arena, text.data);
    work->arena.failed |= text.failed; /* a part would be the name of another tuning */
    text_release(&text);
    return copy;
}

/* ---- progress and results */

static void report(void *context, const Tuner *tuner) {
    const TuneStore *tune = context;
    const TunerStep *step = &tuner->steps[tuner->step_count - 1];
    (void)tune;
    fprintf(stderr,
            "race %d: %d of %d configurations after %d instances, %" PRId64 " runs, best %.6g\n",
            step->race + 1, step->alive, step->started, step->instances, step->runs,
            step->best_mean);
}

static void show_winner(const TuneWork *work, const Importance *importance, Text *text) {
    static const TableColumn columns[] = {{"parameter", true, 0},
                                          {"default", true, 0},
                                          {"winner", true, 0},
                                          {"importance", false, 1},
                                          {"gain", false, 1}};
    const Tuner *tuner = &work->tuner;
    const Space *space = &work->space;
    Table table;
    table_init(&table, columns, 5);
    for (int i = 0; i < space->count; i++) {
        char value[SPACE_VALUE_BYTES];
        const SpaceParameter *own = &space->items[i];
        const double pair[] = {tuner->configs[0].values.values[i],
                               tuner->configs[tuner->winner].values.values[i]};
        table_cell(&table, "%s", own->name);
        for (int k = 0; k < 2; k++)
            table_cell(&table, "%s", isnan(pair[k]) ? "-" : space_text(own, pair[k], value));
        if (importance->count > 0)
            table_cell(&table, "%.1f %%", 100 * importance->single[i]);
        else
            table_cell(&table, "-");
        double gain = NAN, before = tuner->ablation_start;
        for (int k = 0; k < tuner->ablation_count; k++) {
            if (tuner->ablation[k].parameter == i)
                gain = tuner->ablation[k].mean - before;
            before = tuner->ablation[k].mean;
        }
        table_number(&table, gain);
    }
    table_print(&table, cli_columns(STDOUT_FILENO), text);
}

static bool show(TuneWork *work, const Importance *importance, const char *document,
                 Status *status) {
    const Tuner *tuner = &work->tuner;
    if (work->settings->common.json) {
        puts(document);
        return true;
    }
    Text text = {0};
    show_winner(work, importance, &text);
    text_format(&text,
                "\n%d race%s, %zu configurations, %" PRId64 " runs, then %" PRId64
                " on held-out instances and %" PRId64 " for the gains\n",
                tuner->races, cli_plural(tuner->races), tuner->count, tuner->runs,
                tuner->held_out_runs, tuner->ablation_runs);
    if (tuner->task->held_out > 0) {
        text_format(&text, "%s on %d held-out instances: winner %.6g, default %.6g",
                    work->tune.measure, tuner->task->held_out, tuner->winner_mean,
                    tuner->default_mean);
        if (tuner->winner == 0)
            text_add(&text, ": the defaults win\n");
        else
            text_format(&text, ", p = %.2g (Wilcoxon, corrected for %d candidates)\n", tuner->p,
                        tuner->elite_count);
    }
    return cli_print_text(&text, status);
}

static bool finish(TuneWork *work, Status *status) {
    Importance *importance = memory_new(1, sizeof *importance, status);
    Text document = {0}, config = {0};
    JsonWriter json;
    bool ok = importance && forest_importance(&work->tuner, importance, status);
    if (ok) {
        jw_init(&json, &document);
        jw_object(&json, NULL);
        tune_document_write(&work->tune, &work->tuner, importance, &json);
        jw_end(&json);
        tune_document_config(&work->tune, &work->tuner, &config);
        ok = (!document.failed && !config.failed) || status_no_memory(status);
    }
    ok = ok && tune_store_keep(&work->tune, document.data, status) &&
         store_write_back(work->tune.store, status) &&
         (!work->settings->out ||
          file_replace(work->settings->out, config.data, config.length, status)) &&
         show(work, importance, document.data, status);
    text_release(&document);
    text_release(&config);
    free(importance);
    return ok;
}

/* ---- the command */

static bool prepare(TuneWork *work, Status *status) {
    const TuneSettings *settings = work->settings;
    TuneStore *tune = &work->tune;
    tune->job = job_find(settings->command);
    if (!tune->job || !tune->job->parameters_at)
        return status_option(status, "command", "'%.40s' is not solve, simulate or train",
                             settings->command);
    tune->arena = &work->arena;
    tune->name = settings->name;
    tune->measure = settings->measure                       ? settings->measure
                    : strcmp(tune->job->name, "solve") == 0 ? "fitness"
                    : strcmp(tune->job->name, "train") == 0 ? "held_out"
                                                            : "score";
    tune->seed = (uint64_t)settings->seed;
    tune->workers =
        cli_given(work->context, "workers") ? (unsigned)settings->workers : pool_processors();
    tune->lease_seconds = settings->lease_seconds;
    tune->stop = stop_flag();
    if (!read_fixed(work, status) || !read_space(work, status) || !read_instances(work, status))
        return false;
    work->task = (TunerTask){.space = &work->space,
                             .method = (TunerMethod)settings->method,
                             .test = (TunerTest)settings->test,
                             .alpha = 1 - settings->confidence,
                             .first_test = (int)settings->first_test,
                             .budget = settings->budget,
                             .seconds = settings->seconds,
                             .held_out = (int)settings->held_out,
                             .ablation = (int)settings->ablation,
                             .seed = (uint64_t)settings->seed,
                             .evaluate = tune_store_evaluate,
                             .context = tune,
                             .report = settings->common.quiet ? NULL : report};
    if (settings->budget < tuner_least_budget(&work->task))
        return status_option(status, "budget", "at least %d runs for %d parameter%s",
                             (int)tuner_least_budget(&work->task), work->space.count,
                             work->space.count == 1 ? "" : "s");
    tune->settings = describe_settings(work);
    if (work->arena.failed)
        return status_no_memory(status);
    return tune_store_check(tune, &work->space, status);
}

static StatusCode run_tune(CliContext *context, const void *given, Status *status) {
    const TuneSettings *settings = given;
    if (!cli_words_at_most(context, 0, status) || !cli_files_check(context, NULL, 0, status))
        return status->code;
    TuneWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->context = context;
    work->settings = settings;
    bool ok = prepare(work, status);
    work->tune.store = ok ? store_open_patiently(settings->store, STORE_CREATE,
                                                 STORE_PATIENCE_SECONDS, stop_flag(), status)
                          : NULL;
    ok = ok && work->tune.store && tuner_run(&work->task, &work->tuner, status) &&
         finish(work, status);
    if (!ok && status->code == STATUS_INTERRUPTED) {
        cli_interrupted(context, "the same command");
        *status = (Status){.code = STATUS_INTERRUPTED}; /* that line was the only one */
    }
    StatusCode code = ok ? STATUS_OK : status->code;
    store_free(work->tune.store);
    tuner_release(&work->tuner);
    arena_release(&work->arena);
    free(work);
    return code;
}

const Command cmd_tune = {
    .name = "tune",
    .arguments = "--set algorithm=NAME [OPTIONS]",
    .summary = "find good parameters of an algorithm, agent or training method",
    .description =
        "Races configurations against each other on instances or seeds, as irace does, and drops "
        "those that a test shows to be worse; new ones are drawn around the best. Held-out "
        "instances then decide between the best and the defaults. The runs are in a store: the "
        "same command resumes a tuning that was stopped, and several processes or machines that "
        "run it on one store share the work. The result is a configuration file, and a section of "
        "`tetropt report`.",
    .examples =
        "  tetropt tune --set algorithm=hill --set evaluations=2000 --instances cheese-2 "
        "--budget 200 --ablation 0 --store sqlite:hill.sqlite --out hill.ini\n"
        "  tetropt solve --config hill.ini --n 10 --seed 1\n"
        "  tetropt tune --set algorithm=sa --set evaluations=20000 --instances bag-20 --budget "
        "2000 --out sa.ini # takes minutes\n",
    .interrupted = "interrupted; finished runs are in the store",
    .options = OPTIONS_TABLE(tune_rows),
    .settings_bytes = sizeof(TuneSettings),
    .run = run_tune,
};
