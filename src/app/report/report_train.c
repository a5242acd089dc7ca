/* report_train: the figures of a grid of `train`. */
#include "report/report_page.h"

static void training_curve(const ReportScope *scope, const RunKey *key, CurveOf of,
                           const char *name, const char *title, const char *caption) {
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++) {
        Curve curve = curve_of(groups.items[i].runs, of, CURVE_EVEN, scope->arena);
        if (curve.count > 0)
            series[count++] = report_curve(&curve, groups.items[i].name, i);
    }
    PlotPanel panel = {.x = {.title = "generation", .whole = true},
                       .y = {.title = "score of the candidates"},
                       .series = series,
                       .series_count = count};
    report_one_panel(
        scope, arena_format(scope->arena, "%s-by-%s", name, key ? key->name : "all"),
        arena_format(scope->arena, "%s%s%s", title, key ? " by " : "", key ? key->name : ""), panel,
        caption);
}

void report_train(const ReportScope *scope) {
    for (size_t i = 0; i < scope->key_count || i == 0; i++) {
        const RunKey *key = scope->key_count > 0 ? &scope->keys[i] : NULL;
        training_curve(scope, key, CURVE_BEST, "training-best", "Best candidate of a generation",
                       "Median of the trainings with the middle half as a band. The best of many "
                       "candidates looks better than it is: compare the scores on seeds that "
                       "training never saw.");
        training_curve(scope, key, CURVE_CURRENT, "training-mean", "Mean candidate of a generation",
                       "Median of the trainings with the middle half as a band.");
        report_boxes(scope, key, "held_out", "Score on seeds that training never saw",
                     "held-out score", false, "A value a training.");
    }
}
