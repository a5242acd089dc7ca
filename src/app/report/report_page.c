/*
 * report_page: HTML with everything escaped, and plots of groups of runs.
 *
 * What a report consists of lives in the report's arena until the report is released. Without
 * memory parts are left out; report_write then fails.
 */
#include "report/report_page.h"

#include "base/units.h"

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
    /* Text is left-aligned. */
    static const char number[] = "<td class=\"n\">", word[] = "<td          >";
    if (report->html.failed || report->html.length < start + sizeof number)
        return;
    char *cell = report->html.data + start;
    unsigned char first = (unsigned char)cell[sizeof number - 1];
    if (!isdigit(first) && first != '-' && first != 0xe2 && first != '<')
        memcpy(cell, word, sizeof word - 1);
}

void report_cell_number(Report *report, double value) {
    report_cell(report, "%s", report_number(&report->arena, value));
}

void report_cell_range(Report *report, double low, double high) {
    report_cell(report, "%s to %s", report_number(&report->arena, low),
                report_number(&report->arena, high));
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
    return arena_format(arena, "%s", units_time(seconds).text);
}

const char *report_p(Arena *arena, double p) {
    if (isnan(p))
        return "-";
    return p < 0.001 ? "p < 0.001" : arena_format(arena, "p = %.2g", p);
}

/* ---- groups of runs */

/* The keys by which players or algorithms are told apart. */
static const char *const main_keys[] = {"agent", "algorithm", "method"};
enum { MAIN_KEYS = sizeof main_keys / sizeof *main_keys };

static ReportGroups group_of_all(const ReportScope *scope) {
    const char *who = "all runs";
    for (size_t i = 0; scope->runs.count > 0 && i < MAIN_KEYS; i++) {
        const char *value = runs_value(scope->runs.items[0], main_keys[i], scope->arena);
        who = value ? value : who;
    }
    ReportGroup *one = arena_zeroed(scope->arena, 1, sizeof *one);
    if (!one || scope->runs.count == 0)
        return (ReportGroups){0};
    *one = (ReportGroup){.name = who, .value = who, .runs = scope->runs};
    return (ReportGroups){.items = one, .count = 1, .values = 1};
}

ReportGroups report_groups(const ReportScope *scope, const RunKey *key, size_t most) {
    if (!key)
        return group_of_all(scope);
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
            .runs = runs_select(scope->runs, filter, scope->arena)};
        if (group.runs.count > 0)
            groups.items[groups.count++] = group;
    }
    return groups;
}

const RunKey *report_key(const ReportScope *scope, const char *name) {
    for (size_t i = 0; i < scope->key_count; i++)
        if (strcmp(scope->keys[i].name, name) == 0)
            return &scope->keys[i];
    return NULL;
}

const RunKey *report_main_key(const ReportScope *scope) {
    for (size_t i = 0; i < MAIN_KEYS; i++)
        if (report_key(scope, main_keys[i]))
            return report_key(scope, main_keys[i]);
    return scope->key_count > 0 ? &scope->keys[0] : NULL;
}

size_t report_sizes(const ReportScope *scope) {
    size_t sizes = scope->sizes.count;
    return sizes < 2 ? 1 : sizes < REPORT_PANELS ? sizes : REPORT_PANELS;
}

static const char *size_at(const ReportScope *scope, size_t i) {
    return scope->sizes.values[i * (scope->sizes.count - 1) / (report_sizes(scope) - 1)];
}

ReportScope report_size(const ReportScope *scope, size_t i) {
    ReportScope part = *scope;
    if (scope->sizes.count > 1) {
        RunFilter filter = {.key = scope->sizes.name, .value = size_at(scope, i)};
        part.runs = runs_select(scope->runs, filter, scope->arena);
    }
    return part;
}

/* ---- plots */

double *report_numbers(const ReportScope *scope, size_t count) {
    return arena_zeroed(scope->arena, count, sizeof(double));
}

Numbers report_games_of(RunList runs, const char *member, Arena *arena) {
    return runs_games(runs, member, 0, arena);
}

bool report_xy(PlotSeries *series, size_t count, const double *x, const double *y) {
    series->count = count;
    series->x = x;
    series->y = y;
    return true;
}

bool report_curve(Curve curve, PlotSeries *series) {
    report_xy(series, curve.count, curve.x, curve.median);
    series->low = curve.lower;
    series->high = curve.upper;
    return curve.count > 0;
}

Sample report_sample(Numbers numbers) {
    if (numbers.count > 0)
        return sample_of(numbers.values, numbers.count);
    return (Sample){.mean = NAN, .low = NAN, .high = NAN, .median = NAN};
}

/* The first steps of a search are far below the rest and would squeeze it. Shows the part above the
 * lowest quartile after a third of the (logarithmic) way. */
static void focus(PlotPanel *panel) {
    double low = INFINITY, high = -INFINITY, all = INFINITY;
    for (size_t i = 0; i < panel->series_count; i++) {
        const PlotSeries *series = &panel->series[i];
        for (size_t j = 0; j < series->count; j++) {
            all = fmin(all, series->low[j]);
            high = fmax(high, series->high[j]);
            if (j >= series->count / 3)
                low = fmin(low, series->low[j]);
        }
    }
    if (low < high && high - all > 2 * (high - low)) {
        panel->y.low = low - 0.1 * (high - low);
        panel->y.high = high;
    }
}

bool report_series(const ReportScope *scope, const RunKey *key, PlotMark mark, ReportFill *fill,
                   PlotPanel *panel) {
    ReportGroups groups = report_groups(scope, key, REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    for (size_t i = 0; series && i < groups.count; i++) {
        PlotSeries *next = &series[panel->series_count];
        *next = (PlotSeries){.name = groups.items[i].name, .mark = mark, .style = (int)i};
        panel->series_count += fill(scope, &groups.items[i], next);
    }
    panel->series = series;
    return panel->series_count > 0;
}

/* One series of boxes, one per group. */
static bool box_panel(const ReportScope *scope, const RunKey *key, ReportValues *get,
                      const char *member, PlotPanel *panel) {
    Arena *arena = scope->arena;
    ReportGroups groups = report_groups(scope, key, REPORT_BOXES);
    PlotBox *boxes = arena_zeroed(arena, groups.count, sizeof *boxes);
    double *x = report_numbers(scope, groups.count);
    const char **words = arena_zeroed(arena, groups.count, sizeof *words);
    PlotSeries *series = arena_zeroed(arena, 1, sizeof *series);
    bool any = false;
    for (size_t i = 0; !arena->failed && i < groups.count; i++) {
        Numbers values = get(groups.items[i].runs, member, arena);
        x[i] = (double)i;
        words[i] = groups.items[i].value;
        if (arena->failed || values.count == 0)
            continue;
        sample_sort(values.values, values.count);
        boxes[i] = plot_box_of(values.values, values.count);
        any = true;
    }
    if (!any || arena->failed)
        return false;
    *series = (PlotSeries){.mark = PLOT_BOXES, .count = groups.count, .x = x, .boxes = boxes};
    panel->x =
        (PlotAxis){.title = key ? key->name : NULL, .words = words, .word_count = groups.count};
    panel->series = series;
    panel->series_count = 1;
    return true;
}

/* Panels come from `panel` or, where `values` is given, are box plots; else they have series. */
static void add_plot(const ReportScope *scope, const RunKey *key, const ReportPlot *plot,
                     ReportPanel *make, ReportValues *values) {
    Arena *arena = scope->arena;
    const char *name = plot->name, *title = plot->title, *caption = plot->caption;
    int flags = plot->flags;
    /* 1. Names. */
    if (!(flags & REPORT_PLAIN)) {
        name = arena_format(arena, "%s-by-%s", name, key ? key->name : "all");
        title = key ? arena_format(arena, "%s by %s", title, key->name) : title;
    }
    size_t most = values ? REPORT_BOXES : REPORT_LINES;
    if (key && key->count > most)
        caption = arena_format(arena, "%s %s has %zu values; %zu of them are shown.", caption,
                               key->name, key->count, most);
    /* 2. A panel per size. */
    size_t count = flags & REPORT_TOGETHER ? 1 : report_sizes(scope);
    PlotPanel *panels = arena_zeroed(arena, count, sizeof *panels);
    Plot *kept = arena_zeroed(arena, 1, sizeof *kept);
    if (arena->failed)
        return;
    *kept = (Plot){.title = title, .panels = panels, .columns = count > 2 ? 3 : (int)count};
    for (size_t i = 0; i < count; i++) {
        PlotPanel panel = {
            .x = {.title = plot->x,
                  .log = flags & REPORT_X_LOG,
                  .zero = flags & REPORT_X_ZERO,
                  .whole = flags & REPORT_X_WHOLE},
            .y = {.title = plot->y, .log = flags & REPORT_Y_LOG, .zero = flags & REPORT_Y_ZERO}};
        ReportScope part = flags & REPORT_TOGETHER ? *scope : report_size(scope, i);
        if (scope->sizes.count > 1 && !(flags & REPORT_TOGETHER))
            panel.title = arena_format(arena, "%s pieces", size_at(scope, i));
        if (flags & REPORT_PERCENT)
            panel.y.high = 100;
        if (!(make     ? make(&part, &panel)
              : values ? box_panel(&part, key, values, plot->name, &panel)
                       : report_series(&part, key, plot->mark, plot->fill, &panel)))
            continue;
        if (flags & REPORT_FOCUS)
            focus(&panel);
        panels[kept->panel_count++] = panel;
    }
    /* 3. The figure. */
    if (kept->panel_count > 0 && !arena->failed)
        report_figure(scope, (ReportFigure){name, caption, plot_page(kept), plot_csv});
}

void report_plot(const ReportScope *scope, const RunKey *key, const ReportPlot *plot) {
    add_plot(scope, key, plot, NULL, NULL);
}

void report_panels(const ReportScope *scope, const ReportPlot *plot, ReportPanel *panel) {
    add_plot(scope, NULL, plot, panel, NULL);
}

void report_boxes(const ReportScope *scope, const RunKey *key, ReportValues *values,
                  const char *member, const char *title, const char *y, int flags,
                  const char *caption) {
    ReportPlot plot = {member, title, NULL, y, flags, PLOT_BOXES, NULL, caption};
    add_plot(scope, key, &plot, NULL, values);
}
