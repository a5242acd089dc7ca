/*
 * report: the runs of a store as one HTML page, and its figures as files. The page is written by
 * report/report; this has the store, the files and the summary line.
 */
#include "base/json_writer.h"
#include "cli/files.h"
#include "report/report.h"
#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct ReportSettings {
    CliCommon common;
    const char *store, *out, *plots, *title;
} ReportSettings;

static const Option report_rows[] = {
    OPTION_ROW(ReportSettings, TEXT, store, "store", .fallback = "sqlite:experiment.sqlite",
               .argument = "STORE", .file = OPTION_STORE,
               .help = "sqlite:FILE or postgresql://[user@]host/database"),
    OPTION_ROW(ReportSettings, TEXT, out, "out", .fallback = "report.html", .argument = "FILE",
               .file = OPTION_PRINTS, .help = "the page; - is standard output"),
    OPTION_ROW(ReportSettings, TEXT, plots, "plots", .argument = "DIR",
               .help =
                   "also write every figure there as SVG, PNG, PDF and CSV; created if missing"),
    OPTION_ROW(ReportSettings, TEXT, title, "title", .fallback = "Experiments", .argument = "TEXT",
               .help = "the heading of the page"),
    OPTIONS_INCLUDE(ReportSettings, common, cli_common_options),
};

/* ---- figures as files */

enum { PNG_SCALE = 2, PATH_BYTES = 4096 };

static bool figure_path(const char *folder, const char *name, const char *ending,
                        char path[PATH_BYTES], Status *status) {
    int length = snprintf(path, PATH_BYTES, "%s/%s.%s", folder, name, ending);
    return (length >= 0 && length < PATH_BYTES) ||
           status_fail(status, STATUS_INPUT, "--plots: the name is too long");
}

static bool write_file(const char *folder, const char *name, const char *ending, const Text *bytes,
                       Status *status) {
    char path[PATH_BYTES];
    if (bytes->failed)
        return status_no_memory(status);
    return figure_path(folder, name, ending, path, status) &&
           file_replace(path, bytes->data, bytes->length, status);
}

static bool write_figure(const char *folder, const ReportFigure *figure, Status *status) {
    Text bytes = {0};
    DrawingPage page = figure->page;
    page.scale = PNG_SCALE;
    bool ok = drawing_render(&page, DRAWING_SVG, &bytes, status) &&
              write_file(folder, figure->name, "svg", &bytes, status);
    text_clear(&bytes);
    if (ok)
        figure->csv(page.data, &bytes);
    ok = ok && write_file(folder, figure->name, "csv", &bytes, status);
    text_clear(&bytes);
#ifdef TETROPT_CAIRO
    ok = ok && drawing_render(&page, DRAWING_PNG, &bytes, status) &&
         write_file(folder, figure->name, "png", &bytes, status);
    text_clear(&bytes);
    ok = ok && drawing_render(&page, DRAWING_PDF, &bytes, status) &&
         write_file(folder, figure->name, "pdf", &bytes, status);
#endif
    text_release(&bytes);
    return ok;
}

/* The store or the page may have the path of one of the figures. */
static bool check_figure(const CliContext *context, const ReportSettings *settings,
                         const char *name, Status *status) {
    static const char *const endings[] = {"svg", "csv", "png", "pdf"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[PATH_BYTES];
        if (!figure_path(settings->plots, name, endings[i], path, status))
            return false;
        CliFile figure = {"--plots", path, OPTION_WRITES};
        if (!cli_files_check(context, &figure, 1, status))
            return false;
    }
    return true;
}

static bool write_figures(const CliContext *context, const ReportSettings *settings,
                          const Report *report, Status *status) {
    const char *folder = settings->plots;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return file_fail(folder, errno, status);
    for (size_t i = 0; i < report->figure_count; i++)
        if (!check_figure(context, settings, report->figures[i].name, status))
            return false;
    for (size_t i = 0; i < report->figure_count; i++)
        if (!write_figure(folder, &report->figures[i], status))
            return false;
    return true;
}

/* ---- the command */

static bool write_page(const ReportSettings *settings, const Report *report, Status *status) {
    if (strcmp(settings->out, "-") != 0)
        return file_replace(settings->out, report->html.data, report->html.length, status);
    size_t length = report->html.length;
    bool ok = fwrite(report->html.data, 1, length, stdout) == length && fflush(stdout) == 0;
    return ok || file_fail("standard output", errno, status);
}

static bool tell(const ReportSettings *settings, const Report *report, size_t runs,
                 Status *status) {
    if (settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("out", settings->out), JI("runs", (int64_t)runs));
        jw_array(&w, "figures");
        for (size_t i = 0; i < report->figure_count; i++)
            jw_string(&w, NULL, report->figures[i].name);
        jw_end(&w);
        jw_string(&w, "plots", settings->plots);
        return cli_print_json(&w, status);
    }
    if (!settings->common.quiet)
        fprintf(stderr, "%s: %zu run%s, %zu figure%s\n",
                strcmp(settings->out, "-") == 0 ? "standard output" : settings->out, runs,
                cli_plural((int64_t)runs), report->figure_count,
                cli_plural((int64_t)report->figure_count));
    return true;
}

static bool make_report(const CliContext *context, Store *store, const ReportSettings *settings,
                        Status *status) {
    Runs runs;
    Report report;
    ReportSource source = {.title = settings->title, .store = store_name(store)};
    runs_init(&runs);
    report_init(&report);
    bool ok = runs_read(store, &runs, &source.counts, status);
    if (ok && source.counts.runs[STORE_DONE] == 0)
        ok = status_fail(status, STATUS_UNMET, "report: no run of %s is done yet",
                         store_name(store));
    ok = ok && report_write(&report, &runs, &source, status) &&
         (!settings->plots || write_figures(context, settings, &report, status)) &&
         write_page(settings, &report, status) && tell(settings, &report, runs.count, status);
    report_release(&report);
    runs_release(&runs);
    return ok;
}

static StatusCode run_report(CliContext *context, const void *given, Status *status) {
    const ReportSettings *settings = given;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (settings->common.json && strcmp(settings->out, "-") == 0) {
        status_fail(status, STATUS_INPUT, "--out: - and --json both want standard output");
        return status->code;
    }
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok = store && make_report(context, store, settings, status);
    store_free(store);
    return ok ? STATUS_OK : status->code;
}

const Command cmd_report = {
    .name = "report",
    .arguments = "[--store STORE] [--out FILE] [--plots DIR]",
    .summary = "write the runs of a store as one page of text, tables and figures",
    .description =
        "Writes one self-contained HTML file: a summary in sentences, tables with intervals and "
        "tests, and figures for everything in the store. It follows the reader's light or dark "
        "setting and prints on paper. --plots also writes every figure as SVG, PNG and PDF, and "
        "its "
        "numbers as CSV. The same store gives the same bytes.",
    .examples = "  tetropt experiment init local-search --store sqlite:games.sqlite --seed 1\n"
                "  tetropt experiment run --store sqlite:games.sqlite\n"
                "  tetropt report --store sqlite:games.sqlite --out games.html --plots figures\n",
    .unmet = "no run is done yet",
    .options = OPTIONS_TABLE(report_rows),
    .settings_bytes = sizeof(ReportSettings),
    .run = run_report,
};
