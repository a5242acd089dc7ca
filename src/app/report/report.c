/*
 * report: the page from top to bottom: introduction, summary of every grid, a section per grid,
 * failed runs, and how to read it.
 */
#include "report/report.h"

#include "report/published.h"
#include "report/report_page.h"

#include <string.h>

void report_init(Report *report) {
    *report = (Report){0};
}

void report_release(Report *report) {
    text_release(&report->html);
    arena_release(&report->arena);
    *report = (Report){0};
}

static const char page_style[] =
    "body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:760px;background:var(--card);"
    "color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,"
    "'Liberation Sans',sans-serif}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.35rem;margin:2.5rem 0 "
    ".5rem;border-top:1px solid var(--lines);padding-top:1.2rem}h3{font-size:1.08rem;margin:1.8rem "
    "0 .4rem}\n"
    "a{color:var(--s0)}.soft,figcaption{color:var(--soft)}figcaption{font-size:.88rem}\n"
    "figure{margin:1.2rem 0;break-inside:avoid}figure svg{width:100%;height:auto;display:block}\n"
    ".table{overflow-x:auto;margin:.8rem 0}table{border-collapse:collapse;font-size:.88rem}\n"
    "th,td{padding:.25rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--lines)}th{color:var(--soft);font-weight:600}td.n{text-align:right;"
    "font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tr{break-inside:avoid}h2,h3{break-after:avoid}\n"
    "@media print{body{max-width:none;padding:0;font-size:10.5pt}.table{overflow:visible}"
    "nav{display:none}@page{margin:16mm}}\n";

static void begin_page(Report *report, const ReportSource *source) {
    Text *html = &report->html;
    text_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'\">\n<title>");
    drawing_escape(html, source->title);
    text_add(html, "</title>\n<style>\n");
    text_add(html, ":root{color-scheme:light dark;");
    palette_css(false, html);
    text_add(html, "}\n@media screen and (prefers-color-scheme:dark){:root{");
    palette_css(true, html);
    text_add(html, "}}\n@media print{:root{color-scheme:light}}\n");
    text_add(html, page_style);
    text_add(html, "</style>\n</head>\n<body>\n");
    report_heading(report, 1, NULL, source->title);
}

/* The size of an offline problem is its number of pieces. */
static RunKey size_key(RunList runs, RunKey *keys, size_t *count, Arena *arena) {
    static const char *const names[] = {"n", "placements"};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < *count; j++)
            if (strcmp(keys[j].name, names[i]) == 0) {
                RunKey found = keys[j];
                memmove(keys + j, keys + j + 1, (--*count - j) * sizeof *keys);
                return found;
            }
    return runs_key(runs, "placements", arena);
}

static ReportScope scope_of(Report *report, RunList done, const char *grid) {
    ReportScope scope = {.report = report, .arena = &report->arena, .grid = grid, .command = ""};
    scope.runs = runs_select(done, (RunFilter){.grid = grid}, scope.arena);
    if (scope.runs.count == 0) /* no memory */
        return scope;
    scope.command = scope.runs.items[0]->command;
    scope.keys = runs_varying(scope.runs, &scope.key_count, scope.arena);
    if (strcmp(scope.command, "solve") == 0)
        scope.sizes = size_key(scope.runs, scope.keys, &scope.key_count, scope.arena);
    return scope;
}

/* ---- tables */

static void list_values(Report *report, RunKey key) {
    enum { SHOWN = 12 };
    const char *all = "";
    for (size_t i = 0; i < key.count && i < SHOWN; i++)
        all = arena_format(&report->arena, "%s%s%s", all, i ? ", " : "", key.values[i]);
    if (key.count > SHOWN)
        all = arena_format(&report->arena, "%s, and %zu more", all, key.count - SHOWN);
    /* A space in front keeps lists of numbers left-aligned. */
    report_cell(report, " %s", all);
}

static void parameter_table(const ReportScope *scope) {
    static const char *const columns[] = {"parameter", "values"};
    Report *report = scope->report;
    report_table(report, columns, 2);
    const char *names[STORE_PARAMETERS_MAX];
    size_t count = runs_names(scope->runs, names);
    for (size_t i = 0; i < count; i++) {
        report_row(report);
        report_cell(report, "%s", names[i]);
        list_values(report, runs_key(scope->runs, names[i], scope->arena));
    }
    report_row(report);
    report_cell(report, "repeats");
    list_values(report, runs_key(scope->runs, "repeat", scope->arena));
    report_table_end(report);
}

static void failure_table(Report *report, const Runs *runs) {
    static const char *const columns[] = {"run", "grid", "parameters", "error"};
    bool any = false;
    for (size_t i = 0; i < runs->count; i++) {
        const StoreRun *run = &runs->items[i];
        if (run->state != STORE_FAILED)
            continue;
        if (!any) {
            report_heading(report, 2, "failed", "Failed runs");
            report_table(report, columns, 4);
        }
        any = true;
        report_row(report);
        report_cell(report, "%lld", (long long)run->number);
        report_cell(report, "%s", run->grid);
        report_cell(report, "%s", runs_instance(run, "", &report->arena));
        report_cell(report, "%s", run->error ? run->error : "");
    }
    if (any)
        report_table_end(report);
}

/* The versions or the hosts of the runs, each once. */
static const char *joined(Report *report, RunList list, bool hosts) {
    const char *all = "";
    for (size_t i = 0; i < list.count; i++) {
        const char *value = hosts ? list.items[i]->host : list.items[i]->version;
        bool known = !value || !*value;
        for (size_t j = 0; j < i && !known; j++) {
            const char *other = hosts ? list.items[j]->host : list.items[j]->version;
            known = other && strcmp(other, value) == 0;
        }
        if (!known)
            all = arena_format(&report->arena, "%s%s%s", all, *all ? ", " : "", value);
    }
    return all;
}

/* ---- the page */

static void introduction(Report *report, const ReportSource *source, RunList done) {
    const int64_t *runs = source->counts.runs;
    if (!source->store)
        return;
    report_paragraph(report,
                     "Store %s: %lld runs are done, %lld failed, %lld wait or are running. Those "
                     "that are done took %s in total.",
                     source->store, (long long)runs[STORE_DONE], (long long)runs[STORE_FAILED],
                     (long long)(runs[STORE_WAITING] + runs[STORE_RUNNING]),
                     report_duration(&report->arena, source->counts.seconds));
    report_paragraph(report, "Made by tetropt %s on %s.", joined(report, done, false),
                     joined(report, done, true));
}

static void grid_section(const ReportScope *scope, bool published) {
    Report *report = scope->report;
    report_heading(report, 2, arena_format(scope->arena, "grid-%s", scope->grid),
                   arena_format(scope->arena, "%s: %zu runs of %s", scope->grid, scope->runs.count,
                                scope->command));
    parameter_table(scope);
    if (published)
        published_grid(report, scope->grid, scope->runs);
    if (strcmp(scope->command, "solve") == 0)
        report_solve(scope);
    else if (strcmp(scope->command, "simulate") == 0)
        report_games(scope);
    else if (strcmp(scope->command, "match") == 0)
        report_match(scope);
    else
        report_train(scope);
    report_scaling(scope);
    report_comparisons(scope);
}

static void reading_guide(Report *report) {
    report_heading(report, 2, "reading", "How to read this");
    report_paragraph(
        report,
        "A box holds the middle half of the values, the line in it is the median; "
        "whiskers go to the last value within one and a half box lengths, circles are "
        "beyond. A band around a line goes from the lower to the upper quartile. Error "
        "bars and the intervals in tables are 95 %% bootstrap intervals of the mean (%d "
        "resamples).",
        SAMPLE_RESAMPLES);
    report_paragraph(
        report,
        "p is the probability of a difference at least as large if there were none: two-sided "
        "Mann-Whitney over all runs of two groups (exact for small groups without ties), "
        "corrected after Holm for the number of pairs. A12 is the probability that a run of "
        "the first group is better than one of the second: 0.5 is no difference, from "
        "0.56 small, 0.64 medium, 0.71 large (and the same below 0.5). Friedman's test "
        "looks at the order of the groups on each instance (the other parameters and the "
        "pieces being the same); mean ranks closer than the critical difference of "
        "Nemenyi's test cannot be told apart at 5 %%.");
}

/* The batches of tunings are grids, too; a tuning has one section for all of them. */
static const char batch_prefix[] = "tune ", result_ending[] = " result";

static bool is_batch(const char *grid) {
    return strncmp(grid, batch_prefix, sizeof batch_prefix - 1) == 0;
}

bool report_is_tuning(const char *name) {
    size_t length = strlen(name), ending = sizeof result_ending - 1;
    return is_batch(name) && length > ending && strcmp(name + length - ending, result_ending) == 0;
}

static bool tunings(Report *report, const Runs *runs, Status *status) {
    for (size_t i = 0; i < runs->grid_count; i++) {
        if (report_is_tuning(runs->grids[i].name) &&
            !report_tuning(report, runs->grids[i].text, status))
            return false;
    }
    return true;
}

static size_t list_grids(RunList done, const char **grids) {
    size_t count = 0;
    for (size_t i = 0; i < done.count; i++) {
        bool known = is_batch(done.items[i]->grid);
        for (size_t j = 0; j < count && !known; j++)
            known = strcmp(grids[j], done.items[i]->grid) == 0;
        if (!known)
            grids[count++] = done.items[i]->grid;
    }
    return count;
}

static void navigation(Report *report, const char *const *grids, size_t count) {
    text_add(&report->html, "<nav>");
    for (size_t i = 0; i < count; i++) {
        text_add(&report->html, "<a href=\"#grid-");
        drawing_escape(&report->html, grids[i]);
        text_add(&report->html, "\">");
        drawing_escape(&report->html, grids[i]);
        text_add(&report->html, "</a> \302\267 ");
    }
    text_add(&report->html, "<a href=\"#reading\">how to read this</a></nav>\n");
}

bool report_write(Report *report, const Runs *runs, const ReportSource *source, Status *status) {
    Arena *arena = &report->arena;
    RunList done = runs_done(runs, arena);
    const char **grids = arena_zeroed(arena, done.count + 1, sizeof *grids);
    report->figures = arena_zeroed(arena, REPORT_MAX_FIGURES, sizeof *report->figures);
    if (arena->failed)
        return status_no_memory(status);
    size_t count = list_grids(done, grids);
    ReportScope *scopes = arena_zeroed(arena, count + 1, sizeof *scopes);
    begin_page(report, source);
    introduction(report, source, done);
    navigation(report, grids, count);
    if (source->opening)
        source->opening(report, source->opening_context);
    report_heading(report, 2, "short", "In short");
    for (size_t i = 0; scopes && i < count; i++) {
        scopes[i] = scope_of(report, done, grids[i]);
        report_heading(report, 3, NULL, grids[i]);
        text_add(&report->html, "<ul>\n");
        if (scopes[i].runs.count > 0)
            report_summary(&scopes[i]);
        text_add(&report->html, "</ul>\n");
    }
    for (size_t i = 0; scopes && i < count; i++)
        if (scopes[i].runs.count > 0)
            grid_section(&scopes[i], !source->opening);
    if (!tunings(report, runs, status))
        return false;
    failure_table(report, runs);
    reading_guide(report);
    text_add(&report->html, "</body>\n</html>\n");
    return (!arena->failed && !report->html.failed) || status_no_memory(status);
}
