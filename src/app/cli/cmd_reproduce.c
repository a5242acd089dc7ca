/*
 * reproduce: the tables of the original works, repeated: their grids in a store, the runs that are
 * still missing, and every published number next to ours.
 */
#include "cli/files.h"
#include "cli/store_run.h"
#include "report/published.h"
#include "store/grid.h"
#include "store/run_job.h"
#include "system/file.h"
#include "system/stop.h"

#include <stdio.h>
#include <string.h>

typedef struct ReproduceSettings {
    CliCommon common;
    const char *store, *out, *markdown;
    int64_t workers;
    bool quick;
} ReproduceSettings;

enum { REPRODUCE_SEED = 1, LEASE_SECONDS = 60 };

#define STORE_FULL "sqlite:reproduce.sqlite"
#define STORE_QUICK "sqlite:reproduce-quick.sqlite"

static const Option reproduce_rows[] = {
    OPTION_ROW(ReproduceSettings, FLAG, quick, "quick",
               .help = "fewer runs for each number: minutes instead of up to an hour"),
    OPTION_ROW(ReproduceSettings, TEXT, store, "store", .argument = "STORE", .file = OPTION_STORE,
               .help = "where the runs are kept (" STORE_FULL ", with --quick " STORE_QUICK ")"),
    OPTION_ROW(ReproduceSettings, TEXT, out, "out", .fallback = "reproduce.html",
               .argument = "FILE", .file = OPTION_WRITES,
               .help = "the page: the tables, then the figures of all runs"),
    OPTION_ROW(ReproduceSettings, TEXT, markdown, "markdown", .argument = "FILE",
               .file = OPTION_WRITES, .help = "also write the tables as Markdown"),
    PARAMETER_INTEGER(ReproduceSettings, workers, "workers", NULL, 1, WORK_MAX_WORKERS,
                      "runs at the same time (default: the number of CPUs)"),
    OPTIONS_INCLUDE(ReproduceSettings, common, cli_common_options),
};

/* ---- which works */

static bool choose_works(const OptionsWords *words, unsigned *chosen, Status *status) {
    *chosen = 0;
    for (int i = 0; i < words->count; i++) {
        const PublishedWork *work, *found = published_find(words->items[i]);
        bool all = strcmp(words->items[i], "all") == 0;
        if (!found && !all)
            return status_fail(status, STATUS_INPUT,
                               strcmp(words->items[i], "list") == 0
                                   ? "reproduce: '%s' cannot be combined with works"
                                   : "reproduce: unknown work '%s' (try tetropt reproduce list)",
                               words->items[i]);
        for (size_t k = 0; (work = published_at(k)); k++)
            if (all || work == found)
                *chosen |= 1u << k;
    }
    return true;
}

/* The works with their tables. */
static StatusCode list_works(const ReproduceSettings *settings, Status *status) {
    const PublishedWork *work;
    JsonWriter json;
    Text text = {0};
    jw_start(&json);
    jw_array(&json, "works");
    for (size_t i = 0; (work = published_at(i)); i++) {
        jw_object(&json, NULL);
        jw_put(&json, JS("name", work->name), JS("title", work->title),
               JI("numbers", (int64_t)work->count));
        jw_array(&json, "tables");
        text_format(&text, "%s: %s\n", work->name, work->title);
        for (size_t j = 0, rows = 0; j < work->count; j++) {
            rows++;
            if (j + 1 < work->count &&
                strcmp(work->numbers[j].table, work->numbers[j + 1].table) == 0)
                continue;
            text_format(&text, "  %s, %zu number%s\n", work->numbers[j].table, rows,
                        cli_plural((int64_t)rows));
            jw_string(&json, NULL, work->numbers[j].table);
            rows = 0;
        }
        jw_end(&json);
        jw_end(&json);
    }
    jw_end(&json);
    bool ok = settings->common.json ? cli_print_json(&json, status) : cli_print_text(&text, status);
    if (settings->common.json)
        text_release(&text);
    else
        text_release(&json.own);
    return ok ? STATUS_OK : status->code;
}

/* ---- the store */

static bool add_grid(Store *store, const char *name, const char *text, Status *status) {
    StoreGrid found;
    if (!store_find_grid(store, name, text, &found, status))
        return false;
    if (found == STORE_GRID_OTHER)
        return status_fail(status, STATUS_INPUT,
                           "%s: its grid '%s' was made by another version; name a new --store",
                           store_name(store), name);
    if (found == STORE_GRID_SAME)
        return true;
    RunGrid *grid = run_grid_parse(name, text, &run_job_commands, status);
    RunGridWalk walk = {.grid = grid, .seed = REPRODUCE_SEED};
    bool ok = grid && run_grid_check(grid, &run_job_commands, status) &&
              store_add_grid(store, name, text, REPRODUCE_SEED, run_grid_next, &walk, status);
    run_grid_free(grid);
    return ok;
}

static bool has_grids(unsigned chosen) {
    const PublishedWork *work;
    for (size_t i = 0; (work = published_at(i)); i++)
        if ((chosen >> i & 1) && work->grids[0])
            return true;
    return false;
}

/* Adds the grids of the chosen works that the store does not have yet. With `quick` the smaller
 * ones, under the same names. */
static bool add_grids(Store *store, unsigned chosen, bool quick, Status *status) {
    const PublishedWork *work;
    for (size_t i = 0; (work = published_at(i)); i++)
        for (size_t j = 0; (chosen >> i & 1) && work->grids[j]; j++) {
            char ready[64];
            snprintf(ready, sizeof ready, "%s%s", work->grids[j], quick ? "-quick" : "");
            if (!add_grid(store, work->grids[j], ready_grid(ready), status))
                return false;
        }
    return true;
}

/* ---- the answer */

typedef struct Comparisons {
    const Runs *runs;
    unsigned chosen;
} Comparisons;

static void write_tables(Report *report, const void *context) {
    const Comparisons *comparisons = context;
    published_page(report, runs_done(comparisons->runs, &report->arena), comparisons->chosen);
}

static bool write_page(const ReproduceSettings *settings, const Comparisons *comparisons,
                       ReportSource *source, Status *status) {
    Report report;
    report_init(&report);
    source->opening = write_tables;
    source->opening_context = comparisons;
    bool ok = report_write(&report, comparisons->runs, source, status) &&
              file_replace(settings->out, report.html.data, report.html.length, status);
    report_release(&report);
    return ok;
}

static bool write_markdown(const char *path, RunList done, unsigned chosen, Arena *arena,
                           Status *status) {
    Text text = {0};
    published_markdown(&text, done, chosen, true, arena);
    bool ok = text.failed || arena->failed ? status_no_memory(status)
                                           : file_replace(path, text.data, text.length, status);
    text_release(&text);
    return ok;
}

static bool print_tables(const ReproduceSettings *settings, RunList done, unsigned chosen,
                         Arena *arena, Status *status) {
    if (settings->common.json) {
        JsonWriter json;
        jw_start(&json);
        published_json(&json, done, chosen, arena);
        jw_string(&json, "out", settings->out);
        json.text->failed |= arena->failed;
        return cli_print_json(&json, status);
    }
    Text text = {0};
    published_markdown(&text, done, chosen, false, arena);
    text_format(&text, "\nThe page with the figures: %s\n", settings->out);
    text.failed |= arena->failed;
    return cli_print_text(&text, status);
}

/* `store` NULL: only facts were asked for. */
static bool answer(Store *store, const ReproduceSettings *settings, unsigned chosen,
                   Status *status) {
    Runs runs;
    Arena arena = {0};
    ReportSource source = {.title = "As published", .store = store ? store_name(store) : NULL};
    runs_init(&runs);
    Comparisons comparisons = {&runs, chosen};
    bool ok = !store || runs_read(store, &runs, &source.counts, status);
    RunList done = ok ? runs_done(&runs, &arena) : (RunList){0};
    ok =
        ok && write_page(settings, &comparisons, &source, status) &&
        (!settings->markdown || write_markdown(settings->markdown, done, chosen, &arena, status)) &&
        print_tables(settings, done, chosen, &arena, status);
    if (ok && source.counts.runs[STORE_FAILED] > 0)
        ok = status_fail(status, STATUS_UNMET, "%s: %lld runs failed (see the page)",
                         store_name(store), (long long)source.counts.runs[STORE_FAILED]);
    arena_release(&arena);
    runs_release(&runs);
    return ok;
}

/* ---- the command */

static StatusCode run_reproduce(CliContext *context, const void *given, Status *status) {
    const ReproduceSettings *settings = given;
    const OptionsWords *words = &context->words;
    bool list = words->count == 0 || (words->count == 1 && strcmp(words->items[0], "list") == 0);
    if (list)
        return list_works(settings, status);
    unsigned chosen;
    if (!choose_works(words, &chosen, status))
        return status->code;
    const char *address = settings->store   ? settings->store
                          : settings->quick ? STORE_QUICK
                                            : STORE_FULL;
    /* The files that no option names, before runs that may take an hour. */
    CliFile files[2];
    size_t count = 0;
    if (!settings->store)
        files[count++] = (CliFile){"--store", address, OPTION_STORE};
    if (!cli_given(context, "out"))
        files[count++] = (CliFile){"--out", settings->out, OPTION_WRITES};
    if (!cli_files_check(context, files, count, status))
        return status->code;
    Store *store = has_grids(chosen)
                       ? store_open_patiently(address, STORE_CREATE, STORE_PATIENCE_SECONDS,
                                              stop_flag(), status)
                       : NULL;
    if (status->code != STATUS_OK)
        return status->code;
    WorkSummary summary = {0};
    unsigned workers = cli_given(context, "workers") ? (unsigned)settings->workers : 0;
    bool ok = !store || add_grids(store, chosen, settings->quick, status);
    if (store && ok) {
        ok = store_run(store, &settings->common, workers, LEASE_SECONDS, &summary, status);
        store_set_patience(store, 0, NULL); /* the page reads one snapshot */
    }
    ok = ok && (summary.stopped || answer(store, settings, chosen, status));
    store_free(store);
    return !ok ? status->code : summary.stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

const Command cmd_reproduce = {
    .name = "reproduce",
    .arguments = "[list | all | WORK ...] [--quick] [OPTIONS]",
    .summary = "the tables of the original works: published next to ours",
    .description =
        "Repeats the published experiments that tetropt grew from, and shows every published "
        "number next to ours with a 95 % interval, a verdict and the command of the first run. "
        "`agrees` means that the published number lies in the 95 % interval for samples of the "
        "published size, drawn from our runs. Without arguments it lists the works and their "
        "tables. The runs are kept in a store: after an interruption the same command continues "
        "without repeating finished runs.",
    .examples = "  tetropt reproduce\n"
                "  tetropt reproduce all --quick # takes some minutes\n"
                "  tetropt reproduce local-search --out local-search.html # takes minutes\n",
    .unmet = "a run failed",
    .interrupted = "interrupted; finished runs are kept, the same command continues",
    .options = OPTIONS_TABLE(reproduce_rows),
    .settings_bytes = sizeof(ReproduceSettings),
    .run = run_reproduce,
};
