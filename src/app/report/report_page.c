#include "report/report_page.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- HTML */

/* Formats into the arena and adds it between two pieces of markup. */
static void add_formatted(Report *report, const char *before, const char *after, const char *format,
                          va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : arena_zeroed(&report->arena, (size_t)length + 1, 1);
    if (!text)
        return;
    vsnprintf(text, (size_t)length + 1, format, arguments);
    text_add(&report->html, before);
    drawing_escape(&report->html, text);
    text_add(&report->html, after);
}

void report_paragraph(Report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_formatted(report, "<p>", "</p>\n", format, arguments);
    va_end(arguments);
}

void report_item(Report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_formatted(report, "<li>", "</li>\n", format, arguments);
    va_end(arguments);
}

void report_heading(Report *report, int level, const char *anchor, const char *string) {
    text_format(&report->html, "<h%d", level);
    if (anchor) {
        text_add(&report->html, " id=\"");
        drawing_escape(&report->html, anchor);
        text_add_char(&report->html, '"');
    }
    text_add_char(&report->html, '>');
    drawing_escape(&report->html, string);
    text_format(&report->html, "</h%d>\n", level);
}

void report_table(Report *report, const char *const *columns, size_t count) {
    text_add(&report->html, "<div class=\"table\"><table>\n<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        text_add(&report->html, "<th>");
        drawing_escape(&report->html, columns[i]);
        text_add(&report->html, "</th>");
    }
    text_add(&report->html, "</tr></thead>\n<tbody>");
}

void report_row(Report *report) {
    text_add(&report->html, report->row_open ? "</tr>\n<tr>" : "\n<tr>");
    report->row_open = true;
}

void report_cell(Report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t start = report->html.length;
    add_formatted(report, "<td class=\"n\">", "</td>", format, arguments);
    va_end(arguments);
    /* Words go to the left. */
    static const char number[] = "<td class=\"n\">", word[] = "<td          >";
    if (report->html.failed || report->html.length < start + sizeof number)
        return;
    char *cell = report->html.data + start;
    unsigned char first = (unsigned char)cell[sizeof number - 1];
    if (!isdigit(first) && first != '-' && first != 0xe2 && first != '<')
        memcpy(cell, word, sizeof word - 1);
}

void report_table_end(Report *report) {
    text_add(&report->html, report->row_open ? "</tr>\n" : "\n");
    report->row_open = false;
    text_add(&report->html, "</tbody></table></div>\n");
}

/* Letters, digits and dashes of `parts`. */
static const char *file_name(Arena *arena, const char *grid, const char *name) {
    const char *joined = arena_format(arena, "%s-%s", grid, name);
    char *clean = arena_zeroed(arena, strlen(joined) + 1, 1);
    size_t length = 0;
    for (size_t i = 0; clean && joined[i]; i++) {
        char c = (char)tolower((unsigned char)joined[i]);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            clean[length++] = c;
        else if (length > 0 && clean[length - 1] != '-')
            clean[length++] = '-';
    }
    return clean ? clean : "";
}

void report_figure(const ReportScope *scope, ReportFigure figure) {
    Report *report = scope->report;
    if (report->figure_count == REPORT_MAX_FIGURES || report->arena.failed)
        return;
    figure.name = file_name(scope->arena, scope->grid, figure.name);
    /* Two grids whose names differ only in signs must not share a file. */
    for (size_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, figure.name) == 0)
            figure.name = arena_format(scope->arena, "%s-%zu", figure.name, report->figure_count);
    report->figures[report->figure_count++] = figure;
    text_format(&report->html, "<figure id=\"%s\">\n", figure.name);
    drawing_svg(&figure.page, DRAWING_IN_PAGE, &report->html);
    text_add(&report->html, "<figcaption>");
    drawing_escape(&report->html, figure.caption);
    text_add(&report->html, "</figcaption></figure>\n");
}

void report_plot(const ReportScope *scope, const char *name, Plot plot, const char *caption) {
    Plot *kept = arena_zeroed(scope->arena, 1, sizeof *kept);
    if (!kept || plot.panel_count == 0)
        return;
    *kept = plot;
    report_figure(
        scope,
        (ReportFigure){.name = name, .caption = caption, .page = plot_page(kept), .csv = plot_csv});
}

void report_one_panel(const ReportScope *scope, const char *name, const char *title,
                      PlotPanel panel, const char *caption) {
    PlotPanel *kept = arena_zeroed(scope->arena, 1, sizeof *kept);
    if (!kept || panel.series_count == 0)
        return;
    *kept = panel;
    report_plot(scope, name, (Plot){.title = title, .panels = kept, .panel_count = 1}, caption);
}

PlotSeries report_curve(const Curve *curve, const char *name, size_t style) {
    return (PlotSeries){.name = name,
                        .mark = PLOT_LINE,
                        .style = (int)style,
                        .count = curve->count,
                        .x = curve->x,
                        .y = curve->median,
                        .low = curve->lower,
                        .high = curve->upper};
}

/* ---- numbers for people */

const char *report_number(Arena *arena, double value) {
    if (!isfinite(value))
        return "-";
    const char *sign = value < 0 ? "\u2212" : "";
    double size = fabs(value);
    if (size < 9999.5)
        return arena_format(arena, "%s%.4g", sign, size);
    if (size >= 1e15)
        return arena_format(arena, "%s%.3e", sign, size);
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", size);
    size_t length = strlen(digits);
    const char *text = sign;
    for (size_t i = 0, next; i < length; i = next) {
        next = i == 0 && length % 3 ? length % 3 : i + 3;
        text =
            arena_format(arena, "%s%s%.*s", text, i ? "\u202f" : "", (int)(next - i), digits + i);
    }
    return text;
}

const char *report_duration(Arena *arena, double seconds) {
    if (!isfinite(seconds))
        return "-";
    if (seconds < 1)
        return arena_format(arena, "%.3g ms", seconds * 1000);
    if (seconds < 60)
        return arena_format(arena, "%.3g s", seconds);
    long long whole = (long long)(seconds + 0.5);
    if (whole < 3600)
        return arena_format(arena, "%lld min %lld s", whole / 60, whole % 60);
    return arena_format(arena, "%lld h %lld min", whole / 3600, whole / 60 % 60);
}

const char *report_p(Arena *arena, double p) {
    if (isnan(p))
        return "-";
    return p < 0.001 ? "p < 0.001" : arena_format(arena, "p = %.2g", p);
}

/* ---- groups */

/* By what players or algorithms are told apart. */
static const char *const main_keys[] = {"agent", "algorithm", "method"};
enum { MAIN_KEYS = sizeof main_keys / sizeof *main_keys };

ReportGroups report_groups(const ReportScope *scope, const RunKey *key, RunList runs, size_t most) {
    if (!key) {
        const char *who = "all runs";
        for (size_t i = 0; runs.count > 0 && i < MAIN_KEYS; i++) {
            const char *value = runs_value(runs.items[0], main_keys[i], scope->arena);
            who = value ? value : who;
        }
        ReportGroup *one = arena_zeroed(scope->arena, 1, sizeof *one);
        if (!one || runs.count == 0)
            return (ReportGroups){0};
        *one = (ReportGroup){.name = who, .value = who, .runs = runs};
        return (ReportGroups){.items = one, .count = 1, .values = 1};
    }
    size_t count = key->count < most ? key->count : most;
    ReportGroups groups = {.items = arena_zeroed(scope->arena, count, sizeof(ReportGroup)),
                           .values = key->count};
    for (size_t i = 0; groups.items && i < count; i++) {
        size_t at = count > 1 ? i * (key->count - 1) / (count - 1) : 0;
        const char *value = key->values[at];
        RunFilter filter = {.key = key->name, .value = value};
        ReportGroup group = {
            .name = key->numeric ? arena_format(scope->arena, "%s %s", key->name, value) : value,
            .value = value,
            .runs = runs_select(runs, filter, scope->arena)};
        if (group.runs.count > 0)
            groups.items[groups.count++] = group;
    }
    return groups;
}

size_t report_panels(const ReportScope *scope) {
    size_t sizes = scope->sizes.count;
    return sizes < 2 ? 1 : sizes < REPORT_PANELS ? sizes : REPORT_PANELS;
}

static const char *size_at(const ReportScope *scope, size_t i) {
    size_t panels = report_panels(scope);
    return scope->sizes.values[i * (scope->sizes.count - 1) / (panels - 1)];
}

RunList report_panel_runs(const ReportScope *scope, size_t i) {
    if (scope->sizes.count < 2)
        return scope->runs;
    RunFilter filter = {.key = scope->sizes.name, .value = size_at(scope, i)};
    return runs_select(scope->runs, filter, scope->arena);
}

const char *report_panel_title(const ReportScope *scope, size_t i) {
    if (scope->sizes.count < 2)
        return NULL;
    return arena_format(scope->arena, "%s pieces", size_at(scope, i));
}

const RunKey *report_main_key(const ReportScope *scope) {
    for (size_t i = 0; i < MAIN_KEYS; i++)
        for (size_t j = 0; j < scope->key_count; j++)
            if (strcmp(scope->keys[j].name, main_keys[i]) == 0)
                return &scope->keys[j];
    return scope->key_count > 0 ? &scope->keys[0] : NULL;
}

const char *report_left_out(const ReportScope *scope, const RunKey *key, ReportGroups groups) {
    if (!key || groups.values <= groups.count)
        return "";
    return arena_format(scope->arena, " %s has %zu values; %zu of them are shown.", key->name,
                        groups.values, groups.count);
}

static bool box_panel(const ReportScope *scope, const RunKey *key, const char *measure,
                      size_t number, PlotPanel *panel) {
    ReportGroups groups = report_groups(scope, key, report_panel_runs(scope, number), REPORT_BOXES);
    Arena *arena = scope->arena;
    PlotBox *boxes = arena_zeroed(arena, groups.count, sizeof *boxes);
    double *x = arena_zeroed(arena, groups.count, sizeof *x);
    const char **words = arena_zeroed(arena, groups.count, sizeof *words);
    PlotSeries *series = arena_zeroed(arena, 1, sizeof *series);
    if (arena->failed || groups.count == 0)
        return false;
    bool any = false;
    for (size_t i = 0; i < groups.count; i++) {
        Numbers values = runs_measures(groups.items[i].runs, measure, arena);
        x[i] = (double)i;
        words[i] = groups.items[i].value;
        if (values.count == 0)
            continue;
        sample_sort(values.values, values.count);
        boxes[i] = plot_box_of(values.values, values.count);
        any = true;
    }
    *series = (PlotSeries){.mark = PLOT_BOXES, .count = groups.count, .x = x, .boxes = boxes};
    *panel = (PlotPanel){
        .title = report_panel_title(scope, number),
        .x = {.title = key ? key->name : NULL, .words = words, .word_count = groups.count},
        .series = series,
        .series_count = 1};
    return any;
}

void report_boxes(const ReportScope *scope, const RunKey *key, const char *measure,
                  const char *title, const char *axis, bool log, const char *caption) {
    size_t panels = report_panels(scope);
    Plot plot = {.title = title, .columns = panels > 2 ? 3 : (int)panels};
    PlotPanel *all = arena_zeroed(scope->arena, panels, sizeof *all);
    for (size_t i = 0; all && i < panels; i++) {
        PlotPanel panel;
        if (!box_panel(scope, key, measure, i, &panel))
            continue;
        panel.y = (PlotAxis){.title = axis, .log = log};
        all[plot.panel_count++] = panel;
    }
    plot.panels = all;
    report_plot(scope, arena_format(scope->arena, "%s-by-%s", measure, key ? key->name : "all"),
                plot, caption);
}
