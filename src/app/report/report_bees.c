/* report_bees: what is asked of bee colonies in particular: how many seeds a good game takes, and
 * what a larger colony costs. */
#include "report/report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the best game after the first k seeds, k = 1, 2, ... */
static bool best_series(const ReportScope *scope, const ReportGroup *group, size_t style,
                        PlotSeries *series) {
    Numbers rows = runs_games(group->runs, "lines", 0, scope->arena);
    if (rows.count == 0)
        rows = runs_measures(group->runs, "lines", scope->arena);
    double *x = arena_zeroed(scope->arena, rows.count, sizeof *x);
    if (!x || rows.count < 2)
        return false;
    for (size_t i = 0; i < rows.count; i++) {
        x[i] = (double)i + 1;
        rows.values[i] = i > 0 ? fmax(rows.values[i], rows.values[i - 1]) : rows.values[i];
    }
    *series = (PlotSeries){.name = group->name,
                           .mark = PLOT_STEPS,
                           .style = (int)style,
                           .count = rows.count,
                           .x = x,
                           .y = rows.values};
    return true;
}

static void seeds_figure(const ReportScope *scope, RunList bees, const RunKey *key) {
    ReportGroups groups = report_groups(scope, key, bees, REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++)
        count += best_series(scope, &groups.items[i], i, &series[count]);
    PlotPanel panel = {.x = {.title = "seeds tried", .whole = true},
                       .y = {.title = "rows of the best game", .zero = true},
                       .series = series,
                       .series_count = count};
    report_one_panel(
        scope, arena_format(scope->arena, "bees-seeds-by-%s", key ? key->name : "all"),
        arena_format(scope->arena, "Best rows against seeds tried%s%s", key ? ", by " : "",
                     key ? key->name : ""),
        panel,
        arena_format(scope->arena,
                     "The best game so far when seeds are tried one after the other, in the order "
                     "of the runs.%s",
                     report_left_out(scope, key, groups)));
}

static const RunKey *key_named(const ReportScope *scope, const char *name) {
    for (size_t i = 0; i < scope->key_count; i++)
        if (strcmp(scope->keys[i].name, name) == 0)
            return &scope->keys[i];
    return NULL;
}

/* Median time of a run against the size of the colony, a line for each value of another key. */
static void time_figure(const ReportScope *scope, RunList bees, const RunKey *sizes,
                        const RunKey *key) {
    ReportGroups groups = report_groups(scope, key, bees, REPORT_LINES);
    Arena *arena = scope->arena;
    PlotSeries *series = arena_zeroed(arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; !arena->failed && i < groups.count; i++) {
        ReportGroups by_size = report_groups(scope, sizes, groups.items[i].runs, 64);
        double *numbers = arena_zeroed(arena, 4 * by_size.count, sizeof *numbers);
        for (size_t j = 0; numbers && j < by_size.count; j++) {
            Numbers times = runs_measures(by_size.items[j].runs, "seconds", arena);
            if (times.count == 0)
                return;
            Sample sample = sample_of(times.values, times.count);
            numbers[j] = strtod(by_size.items[j].value, NULL);
            numbers[by_size.count + j] = sample.median;
            numbers[2 * by_size.count + j] = sample.lower;
            numbers[3 * by_size.count + j] = sample.upper;
        }
        if (numbers)
            series[count++] = (PlotSeries){.name = groups.items[i].name,
                                           .mark = PLOT_LINE,
                                           .style = (int)i,
                                           .count = by_size.count,
                                           .x = numbers,
                                           .y = numbers + by_size.count,
                                           .low = numbers + 2 * by_size.count,
                                           .high = numbers + 3 * by_size.count};
    }
    PlotPanel panel = {.x = {.title = "bees in the colony", .zero = true, .whole = true},
                       .y = {.title = "time of a run, s", .zero = true},
                       .series = series,
                       .series_count = count};
    if (!arena->failed)
        report_one_panel(scope, "bees-time", "Time against colony size", panel,
                         "Median of the runs with the middle half as a band.");
}

void report_bees(const ReportScope *scope) {
    RunList bees =
        runs_select(scope->runs, (RunFilter){.key = "agent", .value = "bees"}, scope->arena);
    if (bees.count == 0)
        return;
    const RunKey *sizes = key_named(scope, "bees"), *nectar = key_named(scope, "nectar");
    if (sizes)
        seeds_figure(scope, bees, sizes);
    if (nectar || !sizes)
        seeds_figure(scope, bees, nectar);
    if (sizes && sizes->numeric)
        time_figure(scope, bees, sizes, nectar);
}
