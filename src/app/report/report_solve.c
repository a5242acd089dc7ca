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

static Curve curve(const ReportScope *scope, RunList runs, CurveOf of) {
    return curve_of(runs, of, CURVE_LOGARITHMIC, scope->arena);
}

static bool best(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return report_curve(curve(scope, group->runs, CURVE_BEST), series);
}

static bool temperature(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return has_points(group->runs, true) &&
           report_curve(curve(scope, group->runs, CURVE_TEMPERATURE), series);
}

/* ---- current beside best */

static double share_at_least(RunList runs, double fitness, Arena *arena) {
    Numbers finals = runs_measures(runs, "fitness", arena);
    size_t above = 0;
    for (size_t i = 0; i < finals.count; i++)
        above += finals.values[i] >= fitness;
    return finals.count ? (double)above / (double)finals.count : 0;
}

static bool current_panel(const ReportScope *scope, PlotPanel *panel) {
    Arena *arena = scope->arena;
    PlotSeries *series = arena_zeroed(arena, 2, sizeof *series);
    PlotRule *rules = arena_zeroed(arena, 2, sizeof *rules);
    if (arena->failed)
        return false;
    series[0] = (PlotSeries){.name = "best so far", .mark = PLOT_LINE};
    series[1] = (PlotSeries){.name = "current", .mark = PLOT_LINE, .style = 1};
    if (!report_curve(curve(scope, scope->runs, CURVE_BEST), &series[0]) ||
        !report_curve(curve(scope, scope->runs, CURVE_CURRENT), &series[1]))
        return false;
    static const double lines[] = {0, -50};
    for (int i = 0; i < 2; i++)
        rules[i] =
            (PlotRule){lines[i], arena_format(arena, "%.0f %% reach %s",
                                              100 * share_at_least(scope->runs, lines[i], arena),
                                              lines[i] == 0 ? "0" : "\u221250")};
    panel->series = series;
    panel->rules = rules;
    panel->series_count = panel->rule_count = 2;
    return true;
}

/* ---- run-time distributions */

/* The share of (run, target) pairs that were reached, over evaluations. Sizes have targets of their
 * own and count alike. */
static bool ecdf(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    enum { PLACES = 160 };
    Arena *arena = scope->arena;
    double most = 2; /* evaluations; an axis has a length */
    for (size_t i = 0; i < scope->runs.count; i++) {
        const StoreRun *run = scope->runs.items[i];
        if (run->point_count > 0)
            most = fmax(most, (double)run->points[run->point_count - 1].evaluation);
    }
    /* 1. The evaluations that the group took to the targets of every size. */
    ReportScope own = *scope;
    own.runs = group->runs;
    double *all = report_numbers(scope, group->runs.count * CURVE_TARGETS);
    double *x = report_numbers(scope, PLACES), *y = report_numbers(scope, PLACES);
    size_t count = 0;
    for (size_t i = 0; !arena->failed && i < report_sizes(scope); i++) {
        double targets[CURVE_TARGETS];
        if (!curve_targets(report_size(scope, i).runs, targets, arena))
            continue;
        Numbers times = curve_times(report_size(&own, i).runs, targets, arena);
        if (times.count > 0)
            memcpy(all + count, times.values, times.count * sizeof *all);
        count += times.count;
    }
    if (arena->failed || count == 0)
        return false;
    /* 2. Their distribution at places that are evenly spread on a logarithmic axis. */
    sample_sort(all, count);
    double first = fmax(1, all[0] < most ? all[0] : 1);
    for (size_t i = 0; i < PLACES; i++) {
        x[i] = first * pow(most / first, (double)i / (PLACES - 1));
        y[i] = 100 * sample_share_up_to(all, count, x[i] * (1 + 1e-12));
    }
    return report_xy(series, PLACES, x, y);
}

/* ---- all of them */

enum { EVOLUTION, ECDF, TEMPERATURE, CURRENT };

static const ReportPlot plots[] = {
    {"evolution", "Best fitness over evaluations", "evaluations", "best fitness",
     REPORT_X_LOG | REPORT_FOCUS, PLOT_LINE, best,
     "Median of the runs with the middle half as a band; a run that has ended keeps its last "
     "value. "
     "A start that would squeeze the rest is not shown."},
    {"ecdf", "How soon targets are reached", "evaluations",
     "targets reached, % of all runs and targets",
     REPORT_X_LOG | REPORT_Y_ZERO | REPORT_PERCENT | REPORT_TOGETHER, PLOT_STEPS, ecdf,
     "Targets are the deciles of the final fitness of all runs with as many pieces, the last being "
     "the best of all. Higher and further left is better."},
    {"temperature", "Temperature", "evaluations", "temperature", REPORT_X_LOG | REPORT_Y_LOG,
     PLOT_LINE, temperature,
     "Median of the runs with the middle half as a band, both axes logarithmic."},
    {"current-and-best", "Simulated annealing: current fitness beside the best", "evaluations",
     "fitness", REPORT_X_LOG | REPORT_FOCUS | REPORT_PLAIN, PLOT_LINE, NULL,
     "Median of all runs with the middle half as a band. The dotted lines are at 0 and \u221250; "
     "beside them the share of the runs that ended there or above."},
};

static void by_key(const ReportScope *scope, const RunKey *key) {
    if (key)
        report_heading(scope->report, 3, NULL, arena_format(scope->arena, "By %s", key->name));
    if (has_points(scope->runs, false))
        report_plot(scope, key, &plots[EVOLUTION]);
    report_boxes(scope, key, runs_measures, "fitness", "Final fitness", "final fitness", 0,
                 "One box per value, over all runs that have it.");
    if (has_points(scope->runs, false))
        report_plot(scope, key, &plots[ECDF]);
    report_boxes(scope, key, runs_measures, "seconds", "Run time", "run time, s", REPORT_Y_LOG,
                 "Wall-clock time of a run, on a logarithmic axis.");
}

void report_solve(const ReportScope *scope) {
    report_single(scope);
    for (size_t i = 0; i < scope->key_count; i++)
        by_key(scope, &scope->keys[i]);
    if (scope->key_count == 0)
        by_key(scope, NULL);
    if (!has_points(scope->runs, true))
        return;
    /* By the parameter that decides the temperature, where one varies. */
    const RunKey *cooling = report_key(scope, "cooling"), *start = report_key(scope, "temperature");
    report_plot(scope,
                cooling ? cooling
                : start ? start
                        : report_main_key(scope),
                &plots[TEMPERATURE]);
    ReportScope annealing = *scope;
    annealing.runs =
        runs_select(scope->runs, (RunFilter){.key = "algorithm", .value = "sa"}, scope->arena);
    report_panels(&annealing, &plots[CURRENT], current_panel);
}
