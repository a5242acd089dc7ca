/* report_train: the figures of a grid of `train`. */
#include "experiment/curves.h"
#include "view/report_page.h"

static void training_curve(const ReportScope *scope, const RunKey *key, CurveOf of,
                           const char *name, const char *title, const char *caption) {
    ReportGroups groups = report_groups(scope, key, scope->runs, REPORT_LINES);
    PlotSeries *series = arena_zeroed(scope->arena, groups.count, sizeof *series);
    PlotPanel *panel = arena_zeroed(scope->arena, 1, sizeof *panel);
    size_t count = 0;
    for (size_t i = 0; series && i < groups.count; i++) {
        Curve curve = curve_of(groups.items[i].runs, of, CURVE_EVEN, scope->arena);
        if (curve.count > 0)
            series[count++] = (PlotSeries){.name = groups.items[i].name,
                                           .mark = PLOT_LINE,
                                           .style = (int)i,
                                           .count = curve.count,
                                           .x = curve.x,
                                           .y = curve.median,
                                           .low = curve.lower,
                                           .high = curve.upper};
    }
    if (!panel || count == 0)
        return;
    *panel = (PlotPanel){.x = {.title = "generation", .whole = true},
                         .y = {.title = "score of the candidates"},
                         .series = series,
                         .series_count = count};
    report_plot(scope, arena_format(scope->arena, "%s-by-%s", name, key ? key->name : "all"),
                (Plot){.title = arena_format(scope->arena, "%s%s%s", title, key ? " by " : "",
                                             key ? key->name : ""),
                       .panels = panel,
                       .panel_count = 1},
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
