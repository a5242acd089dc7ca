/* report_solve: the figures of a grid of `solve`. */
#include "report/report_page.h"

#include <math.h>
#include <string.h>

static bool has_points(RunList runs, bool temperature) {
    for (size_t i = 0; i < runs.count; i++)
        for (size_t j = 0; j < runs.items[i]->point_count; j++)
            if (!temperature || runs.items[i]->points[j].temperature > 0)
                return true;
    return false;
}

/* ---- curves by the groups of a key */

/* The first steps of a search are far below everything else; what they need of the axis would be
 * missing where it matters. Shows what lies above the lowest quartile after a third of the
 * (logarithmic) way. */
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

static bool curve_panel(const ReportScope *scope, const RunKey *key, CurveOf of, size_t number,
                        PlotPanel *panel) {
    ReportGroups groups = report_groups(scope, key, report_panel_runs(scope, number), REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++) {
        if (of == CURVE_TEMPERATURE && !has_points(groups.items[i].runs, true))
            continue;
        Curve curve = curve_of(groups.items[i].runs, of, CURVE_LOGARITHMIC, scope->arena);
        if (curve.count > 0)
            series[count++] = report_curve(&curve, groups.items[i].name, i);
    }
    *panel = (PlotPanel){.title = report_panel_title(scope, number),
                         .x = {.title = "evaluations", .log = true},
                         .series = series,
                         .series_count = count};
    return count > 0;
}

static void curves(const ReportScope *scope, const RunKey *key, CurveOf of, const char *name,
                   const char *title, const char *axis, const char *caption) {
    size_t panels = report_panels(scope);
    Plot plot = {.title = title, .columns = panels > 2 ? 3 : (int)panels};
    PlotPanel *all = arena_zeroed(scope->arena, panels, sizeof *all);
    for (size_t i = 0; all && i < panels; i++) {
        PlotPanel panel;
        if (!curve_panel(scope, key, of, i, &panel))
            continue;
        panel.y = (PlotAxis){.title = axis, .log = of == CURVE_TEMPERATURE};
        if (of == CURVE_BEST)
            focus(&panel);
        all[plot.panel_count++] = panel;
    }
    plot.panels = all;
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_LINES);
    report_plot(scope, arena_format(scope->arena, "%s-by-%s", name, key ? key->name : "all"), plot,
                arena_format(scope->arena, "%s%s", caption, report_left_out(scope, key, groups)));
}

/* ---- current beside best */

static double share_at_least(RunList runs, double fitness, Arena *arena) {
    Numbers finals = runs_measures(runs, "fitness", arena);
    size_t above = 0;
    for (size_t i = 0; i < finals.count; i++)
        above += finals.values[i] >= fitness;
    return finals.count ? (double)above / (double)finals.count : 0;
}

static bool current_panel(const ReportScope *scope, size_t number, PlotPanel *panel) {
    RunList runs = report_panel_runs(scope, number);
    Arena *arena = scope->arena;
    Curve best = curve_of(runs, CURVE_BEST, CURVE_LOGARITHMIC, arena);
    Curve current = curve_of(runs, CURVE_CURRENT, CURVE_LOGARITHMIC, arena);
    PlotSeries *series = arena_zeroed(arena, 2, sizeof *series);
    PlotRule *rules = arena_zeroed(arena, 2, sizeof *rules);
    if (arena->failed || best.count == 0)
        return false;
    series[0] = report_curve(&best, "best so far", 0);
    series[1] = report_curve(&current, "current", 1);
    static const double lines[] = {0, -50};
    for (int i = 0; i < 2; i++)
        rules[i] = (PlotRule){lines[i], arena_format(arena, "%.0f %% reach %s",
                                                     100 * share_at_least(runs, lines[i], arena),
                                                     lines[i] == 0 ? "0" : "\u221250")};
    *panel = (PlotPanel){.title = report_panel_title(scope, number),
                         .x = {.title = "evaluations", .log = true},
                         .y = {.title = "fitness"},
                         .series = series,
                         .series_count = 2,
                         .rules = rules,
                         .rule_count = 2};
    focus(panel);
    return true;
}

static void current_figure(const ReportScope *all_runs) {
    ReportScope only = *all_runs, *scope = &only;
    only.runs = runs_select(only.runs, (RunFilter){.key = "algorithm", .value = "sa"}, only.arena);
    size_t panels = report_panels(scope);
    Plot plot = {.title = "Simulated annealing: current fitness beside the best",
                 .columns = panels > 2 ? 3 : (int)panels};
    PlotPanel *all = arena_zeroed(scope->arena, panels, sizeof *all);
    for (size_t i = 0; all && i < panels; i++)
        plot.panel_count += current_panel(scope, i, &all[plot.panel_count]);
    plot.panels = all;
    report_plot(scope, "current-and-best", plot,
                "Median of all runs with the middle half as a band. The dotted lines are at 0 and "
                "\u221250; beside them how many of the runs ended there or above.");
}

/* ---- run-time distributions */

/* The share of (run, target) pairs that were reached, over evaluations. Sizes have targets of their
 * own and count alike. */
static bool ecdf_series(const ReportScope *scope, const RunKey *key, const ReportGroup *group,
                        size_t style, double most, PlotSeries *series) {
    enum { PLACES = 160 };
    Arena *arena = scope->arena;
    double *all = NULL, *x = arena_zeroed(arena, PLACES, sizeof *x),
           *y = arena_zeroed(arena, PLACES, sizeof *y);
    size_t count = 0;
    for (size_t i = 0; i < report_panels(scope); i++) {
        double targets[CURVE_TARGETS];
        RunList size = report_panel_runs(scope, i);
        if (!curve_targets(size, targets, arena))
            continue;
        RunFilter filter = {.key = key ? key->name : NULL, .value = group->value};
        Numbers times = curve_times(runs_select(size, filter, arena), targets, arena);
        double *more = arena_zeroed(arena, count + times.count, sizeof *more);
        if (arena->failed)
            return false;
        if (count > 0)
            memcpy(more, all, count * sizeof *more);
        memcpy(more + count, times.values, times.count * sizeof *more);
        all = more;
        count += times.count;
    }
    if (arena->failed || count == 0)
        return false;
    sample_sort(all, count);
    double first = fmax(1, all[0] < most ? all[0] : 1);
    for (size_t i = 0; i < PLACES; i++) {
        x[i] = first * pow(most / first, (double)i / (PLACES - 1));
        y[i] = 100 * sample_share_up_to(all, count, x[i] * (1 + 1e-12));
    }
    *series = (PlotSeries){.name = group->name,
                           .mark = PLOT_STEPS,
                           .style = (int)style,
                           .count = PLACES,
                           .x = x,
                           .y = y};
    return true;
}

static void ecdf_figure(const ReportScope *scope, const RunKey *key) {
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    double most = 2; /* evaluations; an axis has a length */
    for (size_t i = 0; i < scope->runs.count; i++)
        if (scope->runs.items[i]->point_count > 0) {
            const StoreRun *run = scope->runs.items[i];
            most = fmax(most, (double)run->points[run->point_count - 1].evaluation);
        }
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++)
        count += ecdf_series(scope, key, &groups.items[i], i, most, &series[count]);
    PlotPanel panel = {.x = {.title = "evaluations", .log = true},
                       .y = {.title = "targets reached, % of all runs and targets",
                             .zero = true,
                             .low = 0,
                             .high = 100},
                       .series = series,
                       .series_count = count};
    const char *title = "How soon targets are reached";
    report_one_panel(
        scope, arena_format(scope->arena, "ecdf-by-%s", key ? key->name : "all"),
        key ? arena_format(scope->arena, "%s, by %s", title, key->name) : title, panel,
        arena_format(
            scope->arena,
            "Targets are the deciles of the final fitness of all runs with as many pieces, "
            "the last being the best of all. Higher and further left is better.%s",
            report_left_out(scope, key, groups)));
}

/* ---- all of them */

static void by_key(const ReportScope *scope, const RunKey *key) {
    Arena *arena = scope->arena;
    const char *by = key ? arena_format(arena, " by %s", key->name) : "";
    if (key)
        report_heading(scope->report, 3, NULL, arena_format(arena, "By %s", key->name));
    if (has_points(scope->runs, false))
        curves(scope, key, CURVE_BEST, "evolution",
               arena_format(arena, "Best fitness over evaluations%s", by), "best fitness",
               "Median of the runs with the middle half as a band; a run that has ended keeps its "
               "last value. Where the start would squeeze the rest it is cut off.");
    report_boxes(scope, key, "fitness", arena_format(arena, "Final fitness%s", by), "final fitness",
                 false, "One box for each value, over all runs that have it.");
    if (has_points(scope->runs, false))
        ecdf_figure(scope, key);
    report_boxes(scope, key, "seconds", arena_format(arena, "Run time%s", by), "run time, s", true,
                 "Seconds of a run by the clock, on a logarithmic axis.");
}

/* By what decides it, where that varies. */
static void temperature_figure(const ReportScope *scope) {
    static const char *const names[] = {"cooling", "temperature"};
    const RunKey *key = report_main_key(scope);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < scope->key_count; j++)
            if (strcmp(scope->keys[j].name, names[1 - i]) == 0)
                key = &scope->keys[j];
    curves(scope, key, CURVE_TEMPERATURE, "temperature",
           key ? arena_format(scope->arena, "Temperature by %s", key->name) : "Temperature",
           "temperature",
           "Median of the runs with the middle half as a band, both axes logarithmic.");
}

void report_solve(const ReportScope *scope) {
    for (size_t i = 0; i < scope->key_count; i++)
        by_key(scope, &scope->keys[i]);
    if (scope->key_count == 0)
        by_key(scope, NULL);
    if (has_points(scope->runs, true)) {
        temperature_figure(scope);
        current_figure(scope);
    }
}
