/* report_common: the parts of every grid's section: scaling with threads, comparison by every key,
 * and the sentences of the summary. */
#include "base/json.h"
#include "draw/rank_diagram.h"
#include "report/report_page.h"
#include "stats/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scaling */

/* Work per second: evaluations of solve, pieces of simulate. */
static double rate_of(const StoreRun *run) {
    double pieces = runs_measure(run, "pieces_per_second");
    double evaluations = runs_measure(run, "evaluations");
    return isfinite(pieces) ? pieces : run->seconds > 0 ? evaluations / run->seconds : NAN;
}

static double median_rate(RunList runs, Arena *arena) {
    Numbers rates = {.values = arena_zeroed(arena, runs.count, sizeof(double))};
    for (size_t i = 0; rates.values && i < runs.count; i++)
        if (isfinite(rate_of(runs.items[i])))
            rates.values[rates.count++] = rate_of(runs.items[i]);
    return report_sample(rates).median;
}

/* Measured and ideal speed, as multiples of that of the group with the fewest threads. */
static bool scaling_panel(const ReportScope *scope, PlotPanel *panel) {
    enum { THREADS_MOST = 64 }; /* places on the axis */
    Arena *arena = scope->arena;
    RunKey threads = runs_key(scope->runs, "threads", arena);
    ReportGroups groups = report_groups(scope, &threads, THREADS_MOST);
    PlotSeries *series = arena_zeroed(arena, 2, sizeof *series);
    double *x = report_numbers(scope, 3 * groups.count);
    if (arena->failed || groups.count < 2)
        return false;
    double *y = x + groups.count, *ideal = y + groups.count;
    double first = median_rate(groups.items[0].runs, arena);
    for (size_t i = 0; i < groups.count; i++) {
        x[i] = strtod(groups.items[i].value, NULL);
        y[i] = median_rate(groups.items[i].runs, arena) / first;
        ideal[i] = x[i] / x[0];
        if (!isfinite(y[i]))
            return false;
    }
    PlotSeries line = {.mark = PLOT_LINE, .count = groups.count, .x = x};
    series[0] = series[1] = line;
    series[0].name = "measured", series[0].y = y;
    series[1].name = "ideal", series[1].y = ideal, series[1].style = 7;
    panel->y.title = arena_format(arena, "speed, multiples of %s thread%s", groups.items[0].value,
                                  x[0] == 1 ? "" : "s");
    panel->series = series;
    panel->series_count = 2;
    return true;
}

void report_scaling(const ReportScope *scope) {
    static const ReportPlot plots[] = {
        {"scaling", "Scaling with threads", "threads", NULL,
         REPORT_X_ZERO | REPORT_X_WHOLE | REPORT_Y_ZERO | REPORT_PLAIN | REPORT_TOGETHER, PLOT_LINE,
         NULL, "Work per second, the median of the runs, against that with the fewest threads."},
    };
    if (report_key(scope, "threads")) /* a result may name threads without a parameter */
        report_panels(scope, &plots[0], scaling_panel);
}

/* ---- comparison */

static void group_table(const ReportScope *scope, const Comparison *comparison) {
    const char *columns[] = {comparison->key, "runs",          "median", "quartiles",
                             "mean",          "95 % interval", "least",  "most"};
    Report *report = scope->report;
    report_table(report, columns, 8);
    for (size_t i = 0; i < comparison->group_count; i++) {
        const CompareGroup *group = &comparison->groups[i];
        const Sample *sample = &group->sample;
        report_row(report);
        report_cell(report, " %s", group->name);
        report_cell(report, "%zu", sample->count);
        report_cell_number(report, sample->median);
        report_cell_range(report, sample->lower, sample->upper);
        report_cell_number(report, sample->mean);
        report_cell_range(report, sample->low, sample->high);
        report_cell_number(report, sample->minimum);
        report_cell_number(report, sample->maximum);
    }
    report_table_end(report);
}

/* With many values the pairs would fill pages. */
enum { PAIRS_MOST = 28 };

static void pair_table(const ReportScope *scope, const Comparison *comparison) {
    static const char *const columns[] = {"pair",         "A12",  "effect",
                                          "Mann-Whitney", "Holm", "Wilcoxon over instances, Holm"};
    Report *report = scope->report;
    if (comparison->pair_count > PAIRS_MOST) {
        report_paragraph(report,
                         "%zu pairs are too many to list; `tetropt experiment compare` "
                         "prints them.",
                         comparison->pair_count);
        return;
    }
    report_table(report, columns, 6);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const ComparePair *pair = &comparison->pairs[i];
        report_row(report);
        report_cell(report, " %s \u2013 %s", comparison->groups[pair->first].name,
                    comparison->groups[pair->second].name);
        report_cell(report, "%.3f", pair->a12);
        report_cell(report, "%s", rank_a12_word(pair->a12));
        report_cell(report, "%s", report_p(scope->arena, pair->p));
        report_cell(report, "%s", report_p(scope->arena, pair->p_holm));
        report_cell(report, "%s", report_p(scope->arena, pair->wilcoxon_holm));
    }
    report_table_end(report);
}

static void rank_figure(const ReportScope *scope, const Comparison *comparison) {
    Arena *arena = scope->arena;
    RankDiagram *diagram = arena_zeroed(arena, 1, sizeof *diagram);
    Friedman *friedman = arena_zeroed(arena, 1, sizeof *friedman);
    const char **names = arena_zeroed(arena, comparison->group_count, sizeof *names);
    if (arena->failed)
        return;
    for (size_t i = 0; i < comparison->group_count; i++)
        names[i] = comparison->groups[i].name;
    *friedman = comparison->friedman;
    *diagram = (RankDiagram){.title = arena_format(arena, "Mean ranks by %s", comparison->key),
                             .friedman = friedman,
                             .names = names};
    report_figure(
        scope,
        (ReportFigure){.name = arena_format(arena, "ranks-by-%s", comparison->key),
                       .caption = arena_format(
                           arena,
                           "Over %zu instances. Values under a common bar cannot be told "
                           "apart (Nemenyi, 5 %%). Friedman: chi-square %.3g, %s.",
                           friedman->instances, friedman->chi_square, report_p(arena, friedman->p)),
                       .page = rank_diagram_page(diagram),
                       .csv = rank_diagram_csv});
}

/* False where there is nothing to compare, or no memory. */
static bool compared(const ReportScope *scope, const char *key, Comparison *comparison) {
    Status status = {.code = STATUS_OK};
    if (compare_runs(scope->runs, key, NULL, comparison, scope->arena, &status))
        return true;
    scope->arena->failed |= status.code == STATUS_SYSTEM;
    return false;
}

void report_comparisons(const ReportScope *scope) {
    for (size_t i = 0; i < scope->key_count; i++) {
        Comparison comparison;
        if (!compared(scope, scope->keys[i].name, &comparison))
            continue;
        report_heading(scope->report, 3, NULL,
                       arena_format(scope->arena, "Comparison of %s by %s", comparison.measure,
                                    comparison.key));
        group_table(scope, &comparison);
        pair_table(scope, &comparison);
        if (comparison.has_friedman && comparison.group_count > 2)
            rank_figure(scope, &comparison);
    }
}

/* ---- sentences */

static const char *parameters_of(const ReportScope *scope, const StoreRun *run) {
    const char *text = "";
    for (size_t i = 0; i < run->parameter_count; i++) {
        const StoreParameter *parameter = &run->parameters[i];
        bool varies = report_key(scope, parameter->name) ||
                      (scope->sizes.count > 1 && strcmp(scope->sizes.name, parameter->name) == 0);
        if (varies)
            text = arena_format(scope->arena, "%s%s%s %s", text, *text ? ", " : "", parameter->name,
                                parameter->value);
    }
    return arena_format(scope->arena, "run %lld%s%s", (long long)run->number, *text ? ": " : "",
                        text);
}

static void best_sentence(const ReportScope *scope, const char *measure) {
    const StoreRun *best = NULL;
    for (size_t i = 0; i < scope->runs.count; i++) {
        double value = runs_measure(scope->runs.items[i], measure);
        if (isfinite(value) && (!best || value > runs_measure(best, measure)))
            best = scope->runs.items[i];
    }
    if (best)
        report_item(scope->report, "The best %s of all %zu run%s is %s (%s).", measure,
                    scope->runs.count, scope->runs.count == 1 ? "" : "s",
                    report_number(scope->arena, runs_measure(best, measure)),
                    parameters_of(scope, best));
}

static void share_sentence(const ReportScope *scope) {
    Numbers finals = runs_measures(scope->runs, "fitness", scope->arena);
    size_t zero = 0, fifty = 0, perfect = 0;
    for (size_t i = 0; i < finals.count; i++) {
        zero += finals.values[i] >= 0;
        fifty += finals.values[i] >= -50;
    }
    for (size_t i = 0; i < scope->runs.count; i++)
        perfect += json_is_true(json_get(scope->runs.items[i]->result, "perfect_clear"));
    if (finals.count > 0)
        report_item(
            scope->report,
            "%.0f %% of the runs ended at fitness \u221250 or above, %.0f %% at 0 or above; "
            "%s cleared the board completely.",
            100.0 * (double)fifty / (double)finals.count,
            100.0 * (double)zero / (double)finals.count,
            perfect ? arena_format(scope->arena, "%zu", perfect) : "none");
}

/* The next best median after the best. */
static size_t second_best(const Comparison *comparison, size_t best) {
    size_t second = best == 0 ? 1 : 0;
    for (size_t i = 0; i < comparison->group_count; i++) {
        double gain =
            comparison->groups[i].sample.median - comparison->groups[second].sample.median;
        if (i != best && (comparison->larger_is_better ? gain > 0 : gain < 0))
            second = i;
    }
    return second;
}

static void key_sentence(const ReportScope *scope, const RunKey *key) {
    Comparison comparison;
    Arena *arena = scope->arena;
    if (!compared(scope, key->name, &comparison))
        return;
    size_t best = compare_best(&comparison), second = second_best(&comparison, best);
    const ComparePair *pair = compare_pair(&comparison, best, second);
    double a12 = pair->first == best ? pair->a12 : 1 - pair->a12;
    const CompareGroup *one = &comparison.groups[best], *two = &comparison.groups[second];
    const char *verdict =
        pair->p_holm < 0.05
            ? arena_format(arena,
                           "the difference is significant (%s after Holm) and %s: one of the "
                           "first beats one of the second in %.0f of 100 pairs",
                           report_p(arena, pair->p_holm), rank_a12_word(a12), 100 * a12)
            : arena_format(arena, "over all runs the two cannot be told apart (%s after Holm)",
                           report_p(arena, pair->p_holm));
    report_item(scope->report, "By %s, %s has the best median %s, %s, before %s with %s; %s.",
                key->name, one->name, comparison.measure, report_number(arena, one->sample.median),
                two->name, report_number(arena, two->sample.median), verdict);
    if (!comparison.has_friedman)
        return;
    int order[FRIEDMAN_MAX_METHODS];
    FriedmanGroup bars[FRIEDMAN_MAX_METHODS];
    friedman_groups(&comparison.friedman, order, bars);
    report_item(
        scope->report,
        "Instance by instance (%zu of them), %s ranks best by %s, with a mean rank of %.2f; "
        "the ranks differ %s (Friedman, %s).",
        comparison.instances, comparison.groups[order[0]].name, key->name,
        comparison.friedman.mean_ranks[order[0]],
        comparison.friedman.p < 0.05 ? "significantly" : "no more than at random",
        report_p(arena, comparison.friedman.p));
}

static void consistency_sentence(const ReportScope *scope) {
    ReportGroups groups = report_groups(scope, report_main_key(scope), REPORT_BOXES);
    const char *steadiest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < groups.count; i++) {
        Numbers games = runs_games(groups.items[i].runs, "score", 0, scope->arena);
        if (games.count < 2)
            continue;
        Sample sample = sample_of(games.values, games.count);
        double variation = sample_variation(&sample);
        if (variation < least) {
            least = variation;
            steadiest = groups.items[i].name;
        }
    }
    if (steadiest && groups.count > 1)
        report_item(scope->report,
                    "Most consistent is %s: its score varies by %.0f %% of the mean from game to "
                    "game.",
                    steadiest, 100 * least);
}

void report_summary(const ReportScope *scope) {
    Numbers times = runs_measures(scope->runs, "seconds", scope->arena);
    if (times.count > 0) {
        Sample sample = sample_of(times.values, times.count);
        report_item(scope->report, "%zu run%s of %s, %s each in the median, %s at most.",
                    scope->runs.count, scope->runs.count == 1 ? "" : "s", scope->command,
                    report_duration(scope->arena, sample.median),
                    report_duration(scope->arena, sample.maximum));
    }
    best_sentence(scope, runs_default_measure(scope->runs));
    if (strcmp(scope->command, "solve") == 0)
        share_sentence(scope);
    for (size_t i = 0; i < scope->key_count; i++)
        key_sentence(scope, &scope->keys[i]);
    if (strcmp(scope->command, "simulate") == 0)
        consistency_sentence(scope);
}
