/*
 * report_single: single runs of `solve` over their generations or steps, as published: best and
 * current fitness, and the temperature.
 *
 * A median over runs hides the jumps of an annealing and the plateaus of a population. The run that
 * is shown has the median final fitness of its panel, so that it is neither lucky nor unlucky.
 * Stores of version 1.0 have no generations; then there is nothing to draw.
 */
#include "report/report_page.h"

#include <math.h>
#include <stdlib.h>

static bool has_generations(const StoreRun *run) {
    return run->point_count > 1 && isfinite(run->points[0].generation);
}

typedef struct Ranked {
    double fitness;
    const StoreRun *run;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *one = a, *two = b;
    if (one->fitness != two->fitness)
        return one->fitness < two->fitness ? -1 : 1;
    return one->run->number < two->run->number ? -1 : one->run->number > two->run->number;
}

/* The run with the median final fitness; NULL: none has generations. */
static const StoreRun *median_run(RunList runs, Arena *arena) {
    Ranked *ranked = arena_zeroed(arena, runs.count, sizeof *ranked);
    size_t count = 0;
    for (size_t i = 0; ranked && i < runs.count; i++)
        if (has_generations(runs.items[i]) && isfinite(runs_measure(runs.items[i], "fitness")))
            ranked[count++] = (Ranked){runs_measure(runs.items[i], "fitness"), runs.items[i]};
    if (count == 0)
        return NULL;
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    return ranked[count / 2].run;
}

/* Leaves out the start where it would squeeze the rest: what comes before a hundredth of the way.
 */
static void leave_out_start(const StoreRun *run, PlotAxis *y) {
    double last = run->points[run->point_count - 1].generation, low = INFINITY, all = INFINITY;
    double high = run->points[run->point_count - 1].best;
    for (size_t i = 0; i < run->point_count; i++) {
        const StorePoint *point = &run->points[i];
        all = fmin(all, point->current);
        if (point->generation >= last / 100)
            low = fmin(low, point->current);
    }
    if (low < high && high - all > 2 * (high - low)) {
        y->low = low - 0.1 * (high - low);
        y->high = high + 0.05 * (high - low);
    }
}

static bool single_panel(const ReportScope *scope, PlotPanel *panel) {
    Arena *arena = scope->arena;
    const StoreRun *run = median_run(scope->runs, arena);
    if (!run)
        return false;
    PlotSeries *series = arena_zeroed(arena, 2, sizeof *series);
    double *x = report_numbers(scope, run->point_count);
    double *best = report_numbers(scope, run->point_count);
    double *current = report_numbers(scope, run->point_count);
    if (arena->failed)
        return false;
    for (size_t i = 0; i < run->point_count; i++) {
        x[i] = run->points[i].generation;
        best[i] = isfinite(run->points[i].best) ? run->points[i].best : NAN;
        current[i] = isfinite(run->points[i].current) ? run->points[i].current : NAN;
    }
    series[0] = (PlotSeries){.name = "current", .mark = PLOT_LINE, .style = 1};
    series[1] = (PlotSeries){.name = "best so far", .mark = PLOT_LINE};
    report_xy(&series[0], run->point_count, x, current);
    report_xy(&series[1], run->point_count, x, best);
    leave_out_start(run, &panel->y);
    panel->series = series;
    panel->series_count = 2;
    return true;
}

/* The temperature of the longest run of a group. */
static bool temperature(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    const StoreRun *run = NULL;
    for (size_t i = 0; i < group->runs.count; i++) {
        const StoreRun *other = group->runs.items[i];
        if (has_generations(other) && (!run || other->points[other->point_count - 1].generation >
                                                   run->points[run->point_count - 1].generation))
            run = other;
    }
    double *x = run ? report_numbers(scope, run->point_count) : NULL;
    double *y = run ? report_numbers(scope, run->point_count) : NULL;
    size_t count = 0;
    for (size_t i = 0; x && y && i < run->point_count; i++)
        if (run->points[i].temperature > 0) {
            x[count] = run->points[i].generation;
            y[count++] = run->points[i].temperature;
        }
    return count > 1 && report_xy(series, count, x, y);
}

enum { SINGLE, TEMPERATURE };

static const ReportPlot plots[] = {
    {"single-run", "One run: best and current fitness", "generation or step", "fitness",
     REPORT_PLAIN, PLOT_LINE, NULL,
     "The run with the median final fitness, over its generations (ga, hybrid, abc) or steps (sa, "
     "hill). Of sa and hill every accepted change is logged, so that its jumps are seen; a long "
     "log is thinned, but keeps every improvement. A start that would squeeze the rest is not "
     "shown."},
    {"temperature-over-generations", "Temperature over generations or steps", "generation or step",
     "temperature", REPORT_Y_LOG, PLOT_LINE, temperature,
     "The longest run of each value, on a logarithmic axis."},
};

void report_single(const ReportScope *scope) {
    static const char *const keys[] = {"population", "cooling"};
    report_panels(scope, &plots[SINGLE], single_panel);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (report_key(scope, keys[i]))
            report_plot(scope, report_key(scope, keys[i]), &plots[TEMPERATURE]);
}
