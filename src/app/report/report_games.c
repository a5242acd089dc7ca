/* report_games: the table and the figures of a grid of `simulate`. */
#include "report/report_page.h"

#include <math.h>
#include <stdlib.h>

static double variation(RunList runs, const char *member, Arena *arena) {
    Numbers games = runs_games(runs, member, 0, arena);
    if (games.count < 2)
        return NAN;
    Sample sample = sample_of(games.values, games.count);
    return sample_variation(&sample);
}

/* Sets y, low and high of place `i` of `count` to statistics that lie one after the other. */
static void set_numbers(double *numbers, size_t count, size_t i, double y, double low,
                        double high) {
    numbers[i] = y;
    numbers[count + i] = low;
    numbers[2 * count + i] = high;
}

static void set_series(PlotSeries *series, size_t count, const double *x, const double *numbers) {
    report_xy(series, count, x, numbers);
    series->low = numbers + count;
    series->high = numbers + 2 * count;
}

/* ---- the games of all agents */

/* How often 1, 2, 3 and 4 lines were cleared at once, with the deviation of the games. */
static bool clears(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    static const double places[] = {0, 1, 2, 3};
    double *means = report_numbers(scope, 12);
    for (int i = 0; means && i < 4; i++) {
        Numbers games = runs_games(group->runs, "clears", i, scope->arena);
        if (games.count == 0)
            return false;
        Sample sample = sample_of(games.values, games.count);
        set_numbers(means, 4, (size_t)i, sample.mean, fmax(sample.mean - sample.deviation, 0),
                    sample.mean + sample.deviation);
    }
    if (means)
        set_series(series, 4, places, means);
    return means != NULL;
}

/* More games than this would only blacken the paper; every k-th is taken. */
enum { POINTS_MOST = 400 };

static void thin(Numbers *numbers) {
    size_t every = (numbers->count + POINTS_MOST - 1) / POINTS_MOST, kept = 0;
    for (size_t i = 0; i < numbers->count; i += every)
        numbers->values[kept++] = numbers->values[i];
    numbers->count = kept;
}

static bool levels(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    Numbers level = runs_games(group->runs, "level", 0, scope->arena);
    Numbers score = runs_games(group->runs, "score", 0, scope->arena);
    if (level.count == 0 || level.count != score.count)
        return false;
    thin(&score);
    thin(&level);
    return report_xy(series, score.count, level.values, score.values);
}

/* The mean of y against that of x, one point per group, with the standard deviations of both. */
static bool means(const ReportScope *scope, Sample x, Sample y, PlotSeries *series) {
    double *point = report_numbers(scope, 6);
    if (!point || !isfinite(x.mean) || !isfinite(y.mean))
        return false;
    set_numbers(point, 1, 0, y.mean, y.mean - y.deviation, y.mean + y.deviation);
    double low = x.mean - x.deviation;
    /* A logarithmic axis has no 0. */
    set_numbers(point + 3, 1, 0, x.mean, low > 0 ? low : x.minimum, x.mean + x.deviation);
    set_series(series, 1, &point[3], point);
    series->x_low = &point[4];
    series->x_high = &point[5];
    return true;
}

static bool decisions(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return means(scope, report_sample(runs_measures(group->runs, "decision_us", scope->arena)),
                 report_sample(runs_games(group->runs, "score", 0, scope->arena)), series);
}

static bool mean_levels(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return means(scope, report_sample(runs_games(group->runs, "level", 0, scope->arena)),
                 report_sample(runs_games(group->runs, "score", 0, scope->arena)), series);
}

/* ---- boxes by parameter, for every game */

static Numbers lines_per_piece(RunList runs, const char *member, Arena *arena) {
    (void)member;
    Numbers lines = runs_games(runs, "lines", 0, arena),
            pieces = runs_games(runs, "pieces", 0, arena);
    size_t count = 0;
    for (size_t i = 0; i < lines.count && i < pieces.count; i++)
        if (pieces.values[i] > 0)
            lines.values[count++] = lines.values[i] / pieces.values[i];
    lines.count = count;
    return lines;
}

static Numbers heights(RunList runs, const char *member, Arena *arena) {
    (void)member;
    return runs_games(runs, "max_height", 0, arena);
}

static const struct {
    const char *member, *title, *axis;
    ReportValues *values;
} boxes[] = {
    {"score", "Score", "score, points", report_games_of},
    {"lines", "Lines", "lines cleared", report_games_of},
    {"lines-per-piece", "Lines per piece", "lines per piece", lines_per_piece},
    {"height", "Height", "highest column of the game, rows", heights},
    {"holes", "Holes", "holes at the end", report_games_of},
};

/* Variation of the score against that of the lines, one point per group. */
static bool consistency(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    double *point = report_numbers(scope, 2);
    if (!point)
        return false;
    point[0] = variation(group->runs, "lines", scope->arena);
    point[1] = variation(group->runs, "score", scope->arena);
    return isfinite(point[0]) && isfinite(point[1]) && report_xy(series, 1, &point[0], &point[1]);
}

/* ---- bee colonies: how many seeds a good game takes, and what a larger colony costs */

/* Lines of the best game after the first k seeds, k = 1, 2, ... */
static bool seeds(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    Numbers lines = runs_games(group->runs, "lines", 0, scope->arena);
    if (lines.count == 0)
        lines = runs_measures(group->runs, "lines", scope->arena);
    double *x = report_numbers(scope, lines.count);
    if (!x || lines.count < 2)
        return false;
    for (size_t i = 0; i < lines.count; i++) {
        x[i] = (double)i + 1;
        lines.values[i] = i > 0 ? fmax(lines.values[i], lines.values[i - 1]) : lines.values[i];
    }
    return report_xy(series, lines.count, x, lines.values);
}

/* Median time of a run against the size of the colony. */
static bool colony_times(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    enum { SIZES_MOST = 64 };
    ReportScope own = *scope;
    own.runs = group->runs;
    ReportGroups sizes = report_groups(&own, report_key(scope, "bees"), SIZES_MOST);
    double *numbers = report_numbers(scope, 3 * sizes.count);
    double *x = report_numbers(scope, sizes.count);
    for (size_t i = 0; numbers && x && i < sizes.count; i++) {
        Numbers times = runs_measures(sizes.items[i].runs, "seconds", scope->arena);
        if (times.count == 0)
            return false;
        Sample sample = sample_of(times.values, times.count);
        set_numbers(numbers, sizes.count, i, sample.median, sample.lower, sample.upper);
        x[i] = strtod(sizes.items[i].value, NULL);
    }
    if (numbers)
        set_series(series, sizes.count, x, numbers);
    return numbers && x && sizes.count > 0;
}

/* The figures. Those from BY_AGENT on are by the main key. */
enum { SEEDS, TIMES, CLEARS, BY_AGENT };

static const ReportPlot plots[] = {
    {"bees-seeds", "Lines of the best game against seeds tried", "seeds tried",
     "lines of the best game", REPORT_X_WHOLE | REPORT_Y_ZERO, PLOT_STEPS, seeds,
     "The best game so far when seeds are tried one after the other, in the order of the runs."},
    {"bees-time", "Time against colony size", "bees in the colony", "time of a run, s",
     REPORT_X_ZERO | REPORT_X_WHOLE | REPORT_Y_ZERO | REPORT_PLAIN, PLOT_LINE, colony_times,
     "Median of the runs with the middle half as a band."},
    {"clears", "Line clears", NULL, "clears per game", REPORT_Y_ZERO | REPORT_PLAIN, PLOT_BARS,
     NULL,
     "How often a piece cleared one, two, three or four lines: mean and standard deviation of the "
     "games."},
    {"level-score", "Level against score", "level at the end", "score, points",
     REPORT_X_WHOLE | REPORT_Y_ZERO | REPORT_PLAIN, PLOT_POINTS, levels, "A point is a game."},
    {"mean-level-score", "Mean level against mean score", "level at the end", "score, points",
     REPORT_PLAIN, PLOT_POINTS, mean_levels,
     "Error bars are the standard deviations of the games."},
    {"score-decision-time", "Score against decision time", "mean CPU time of a decision, \u00b5s",
     "mean score, points", REPORT_X_LOG | REPORT_PLAIN, PLOT_POINTS, decisions,
     "Error bars are the standard deviations, of the games for the score and of the runs for the "
     "time."},
    {"consistency", "Consistency", "coefficient of variation of lines",
     "coefficient of variation of score", REPORT_X_ZERO | REPORT_Y_ZERO | REPORT_PLAIN, PLOT_POINTS,
     consistency,
     "Standard deviation divided by the mean, over games: nearer to the lower left corner is more "
     "consistent."},
};

static void report_bees(const ReportScope *all) {
    ReportScope only = *all, *scope = &only;
    only.runs = runs_select(all->runs, (RunFilter){.key = "agent", .value = "bees"}, all->arena);
    if (scope->runs.count == 0)
        return;
    const RunKey *sizes = report_key(scope, "bees"), *nectar = report_key(scope, "nectar");
    if (sizes)
        report_plot(scope, sizes, &plots[SEEDS]);
    if (nectar || !sizes)
        report_plot(scope, nectar, &plots[SEEDS]);
    if (sizes && sizes->numeric)
        report_plot(scope, nectar, &plots[TIMES]);
}

/* ---- all of them */

static void games_table(const ReportScope *scope, ReportGroups groups) {
    static const char *const columns[] = {
        "",      "games", "mean score",         "95 % interval", "median",
        "lines", "level", "variation of score", "of lines",      "decision, us"};
    Report *report = scope->report;
    Arena *arena = scope->arena;
    report_table(report, columns, 10);
    for (size_t i = 0; i < groups.count; i++) {
        RunList runs = groups.items[i].runs;
        Numbers lines = runs_games(runs, "lines", 0, arena);
        Sample score = report_sample(runs_games(runs, "score", 0, arena));
        report_row(report);
        report_cell(report, " %s", groups.items[i].name);
        report_cell(report, "%zu", lines.count);
        report_cell_number(report, score.mean);
        report_cell_range(report, score.low, score.high);
        report_cell_number(report, score.median);
        report_cell_number(report, report_sample(lines).mean);
        report_cell_number(report, report_sample(runs_games(runs, "level", 0, arena)).mean);
        report_cell_number(report, variation(runs, "score", arena));
        report_cell_number(report, variation(runs, "lines", arena));
        report_cell_number(report, report_sample(runs_measures(runs, "decision_us", arena)).mean);
    }
    report_table_end(report);
}

static bool clears_panel(const ReportScope *scope, PlotPanel *panel) {
    static const char *const words[] = {"singles", "doubles", "triples", "tetrises"};
    panel->x = (PlotAxis){.words = words, .word_count = 4};
    return report_series(scope, report_main_key(scope), PLOT_BARS, clears, panel);
}

void report_games(const ReportScope *scope) {
    const RunKey *main_key = report_main_key(scope);
    ReportGroups groups = report_groups(scope, main_key, REPORT_LINES);
    bool thinned = false;
    for (size_t i = 0; i < groups.count; i++)
        thinned |= runs_games(groups.items[i].runs, "level", 0, scope->arena).count > POINTS_MOST;
    games_table(scope, groups);
    report_panels(scope, &plots[CLEARS], clears_panel);
    for (size_t i = BY_AGENT; i < sizeof plots / sizeof *plots; i++) {
        ReportPlot plot = plots[i];
        if (plot.fill == levels && thinned)
            plot.caption = "A point is a game; of many games an even part is drawn.";
        report_plot(scope, main_key, &plot);
    }
    for (size_t i = 0; i < scope->key_count || i == 0; i++) {
        const RunKey *key = scope->key_count > 0 ? &scope->keys[i] : NULL;
        for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++)
            report_boxes(scope, key, boxes[k].values, boxes[k].member, boxes[k].title,
                         boxes[k].axis, 0, "All games of the runs with that value.");
    }
    report_bees(scope);
}
