/* report_games: the figures of a grid of `simulate`. */
#include "report/report_page.h"

#include <math.h>
#include <string.h>

/* ---- how many rows at once */

static void clears_figure(const ReportScope *scope, ReportGroups groups) {
    static const char *const words[] = {"singles", "doubles", "triples", "tetrises"};
    static const double places[] = {0, 1, 2, 3};
    Arena *arena = scope->arena;
    PlotSeries *series = arena_zeroed(arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++) {
        double *means = arena_zeroed(arena, 12, sizeof *means);
        bool known = means != NULL;
        for (int j = 0; known && j < 4; j++) {
            Numbers games = runs_games(groups.items[i].runs, "clears", j, arena);
            known = games.count > 0;
            if (!known)
                break;
            Sample sample = sample_of(games.values, games.count);
            means[j] = sample.mean;
            means[4 + j] = sample.low;
            means[8 + j] = sample.high;
        }
        if (known)
            series[count++] = (PlotSeries){.name = groups.items[i].name,
                                           .mark = PLOT_BARS,
                                           .style = (int)i,
                                           .count = 4,
                                           .x = places,
                                           .y = means,
                                           .low = means + 4,
                                           .high = means + 8};
    }
    PlotPanel panel = {.x = {.words = words, .word_count = 4},
                       .y = {.title = "locks a game", .zero = true},
                       .series = series,
                       .series_count = count};
    report_one_panel(
        scope, "clears", "Rows removed at once", panel,
        "How often a piece removed one, two, three or four rows: the mean of the games with "
        "its 95 % interval.");
}

/* ---- one game a point */

/* Games beyond this many would only blacken the paper; every k-th is taken. */
enum { POINTS_MOST = 400 };

static size_t thin(Numbers *numbers) {
    size_t every = (numbers->count + POINTS_MOST - 1) / POINTS_MOST, kept = 0;
    for (size_t i = 0; every > 1 && i < numbers->count; i += every)
        numbers->values[kept++] = numbers->values[i];
    if (every > 1)
        numbers->count = kept;
    return every;
}

static void level_figure(const ReportScope *scope, ReportGroups groups) {
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    size_t count = 0, every = 1;
    for (size_t i = 0; series && i < groups.count; i++) {
        Numbers level = runs_games(groups.items[i].runs, "level", 0, scope->arena);
        Numbers score = runs_games(groups.items[i].runs, "score", 0, scope->arena);
        if (level.count == 0 || level.count != score.count)
            continue;
        size_t step = thin(&score);
        thin(&level); /* has as many */
        every = step > every ? step : every;
        series[count++] = (PlotSeries){.name = groups.items[i].name,
                                       .mark = PLOT_POINTS,
                                       .style = (int)i,
                                       .count = score.count,
                                       .x = level.values,
                                       .y = score.values};
    }
    PlotPanel panel = {.x = {.title = "level at the end", .whole = true},
                       .y = {.title = "score, points", .zero = true},
                       .series = series,
                       .series_count = count};
    report_one_panel(scope, "level-score", "Level against score", panel,
                     every > 1 ? "A point is a game; of many games an even part is drawn."
                               : "A point is a game.");
}

static void score_boxes(const ReportScope *scope, const RunKey *key, const char *member,
                        const char *title, const char *axis) {
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_BOXES);
    Arena *arena = scope->arena;
    PlotBox *boxes = arena_zeroed(arena, groups.count, sizeof *boxes);
    double *x = arena_zeroed(arena, groups.count, sizeof *x);
    const char **words = arena_zeroed(arena, groups.count, sizeof *words);
    PlotSeries *series = arena_zeroed(arena, 1, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; !arena->failed && i < groups.count; i++) {
        Numbers games = runs_games(groups.items[i].runs, member, 0, arena);
        if (games.count == 0)
            continue;
        sample_sort(games.values, games.count);
        boxes[count] = plot_box_of(games.values, games.count);
        words[count] = groups.items[i].value;
        x[count] = (double)count;
        count++;
    }
    if (arena->failed || count == 0)
        return;
    *series = (PlotSeries){.mark = PLOT_BOXES, .count = count, .x = x, .boxes = boxes};
    PlotPanel panel = {.x = {.title = key ? key->name : NULL, .words = words, .word_count = count},
                       .y = {.title = axis},
                       .series = series,
                       .series_count = 1};
    report_one_panel(scope, arena_format(arena, "%s-by-%s", member, key ? key->name : "all"),
                     key ? arena_format(arena, "%s by %s", title, key->name) : title, panel,
                     "All games of the runs with that value.");
}

/* ---- one group a point */

typedef struct GroupPoint {
    double x, y, low, high; /* NaN x: not known */
} GroupPoint;

static void group_points(const ReportScope *scope, ReportGroups groups,
                         GroupPoint (*point)(RunList, Arena *), bool errors, const char *name,
                         const char *title, PlotAxis x_axis, PlotAxis y_axis, const char *caption) {
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++) {
        GroupPoint *kept = arena_zeroed(scope->arena, 1, sizeof *kept);
        if (!kept)
            return;
        *kept = point(groups.items[i].runs, scope->arena);
        if (isfinite(kept->x) && isfinite(kept->y))
            series[count++] = (PlotSeries){.name = groups.items[i].name,
                                           .mark = PLOT_POINTS,
                                           .style = (int)i,
                                           .count = 1,
                                           .x = &kept->x,
                                           .y = &kept->y,
                                           .low = errors ? &kept->low : NULL,
                                           .high = errors ? &kept->high : NULL};
    }
    PlotPanel panel = {.x = x_axis, .y = y_axis, .series = series, .series_count = count};
    report_one_panel(scope, name, title, panel, caption);
}

/* The mean of a summary's decision time over runs, in microseconds, against the score. */
static GroupPoint decision_point(RunList runs, Arena *arena) {
    Numbers games = runs_games(runs, "score", 0, arena);
    Numbers times = runs_measures(runs, "decision_us", arena);
    if (games.count == 0 || times.count == 0)
        return (GroupPoint){.x = NAN};
    Sample score = sample_of(games.values, games.count);
    Sample time = sample_of(times.values, times.count);
    return (GroupPoint){time.mean, score.mean, score.low, score.high};
}

static double variation(RunList runs, const char *member, Arena *arena) {
    Numbers games = runs_games(runs, member, 0, arena);
    if (games.count < 2)
        return NAN;
    Sample sample = sample_of(games.values, games.count);
    return sample_variation(&sample);
}

static GroupPoint consistency_point(RunList runs, Arena *arena) {
    return (GroupPoint){.x = variation(runs, "lines", arena), .y = variation(runs, "score", arena)};
}

static void games_table(const ReportScope *scope, ReportGroups groups) {
    static const char *const columns[] = {
        "",      "games", "mean score",         "95 % interval", "median",
        "lines", "level", "variation of score", "of lines",      "decision, us"};
    Report *report = scope->report;
    Arena *arena = scope->arena;
    report_table(report, columns, 10);
    for (size_t i = 0; i < groups.count; i++) {
        RunList runs = groups.items[i].runs;
        Numbers score = runs_games(runs, "score", 0, arena),
                level = runs_games(runs, "level", 0, arena);
        Numbers lines = runs_games(runs, "lines", 0, arena);
        Numbers time = runs_measures(runs, "decision_us", arena);
        Sample unknown = {.mean = NAN, .low = NAN, .high = NAN, .median = NAN};
        Sample of_score = score.count ? sample_of(score.values, score.count) : unknown;
        Sample of_lines = lines.count ? sample_of(lines.values, lines.count) : unknown;
        Sample of_level = level.count ? sample_of(level.values, level.count) : unknown;
        Sample of_time = time.count ? sample_of(time.values, time.count) : unknown;
        report_row(report);
        report_cell(report, " %s", groups.items[i].name);
        report_cell(report, "%zu", lines.count);
        report_cell(report, "%s", report_number(arena, of_score.mean));
        report_cell(report, "%s to %s", report_number(arena, of_score.low),
                    report_number(arena, of_score.high));
        report_cell(report, "%s", report_number(arena, of_score.median));
        report_cell(report, "%s", report_number(arena, of_lines.mean));
        report_cell(report, "%s", report_number(arena, of_level.mean));
        report_cell(report, "%s", report_number(arena, variation(runs, "score", arena)));
        report_cell(report, "%s", report_number(arena, variation(runs, "lines", arena)));
        report_cell(report, "%s", report_number(arena, of_time.mean));
    }
    report_table_end(report);
}

void report_games(const ReportScope *scope) {
    const RunKey *key = report_main_key(scope);
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_LINES);
    games_table(scope, groups);
    clears_figure(scope, groups);
    level_figure(scope, groups);
    for (size_t i = 0; i < scope->key_count || i == 0; i++) {
        const RunKey *by = scope->key_count > 0 ? &scope->keys[i] : NULL;
        score_boxes(scope, by, "score", "Score", "score, points");
        score_boxes(scope, by, "lines", "Lines", "rows removed");
    }
    group_points(scope, groups, decision_point, true, "score-decision-time",
                 "Score against decision time",
                 (PlotAxis){.title = "mean time of a decision, \u00b5s", .log = true},
                 (PlotAxis){.title = "mean score, points"},
                 "Error bars are the 95 % interval of the mean score.");
    group_points(scope, groups, consistency_point, false, "consistency", "Consistency",
                 (PlotAxis){.title = "coefficient of variation of lines", .zero = true},
                 (PlotAxis){.title = "coefficient of variation of score", .zero = true},
                 "Standard deviation divided by the mean, over games: nearer to the lower left "
                 "corner is more consistent.");
    report_bees(scope);
}
