/* report_train: the figures of a grid of `train`. */
#include "report/report_page.h"

static bool best(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return report_curve(curve_of(group->runs, CURVE_BEST, CURVE_EVEN, scope->arena), series);
}

static bool mean(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return report_curve(curve_of(group->runs, CURVE_CURRENT, CURVE_EVEN, scope->arena), series);
}

void report_train(const ReportScope *scope) {
    for (size_t i = 0; i < scope->key_count || i == 0; i++) {
        ReportPlot plot = {.name = "training-best",
                           .title = "Best candidate of a generation",
                           .caption = "Median of the trainings with the middle half as a band. The "
                                      "best of many candidates looks better than it is: compare "
                                      "the scores on seeds that training never saw.",
                           .key = scope->key_count > 0 ? &scope->keys[i] : NULL,
                           .x = {.title = "generation", .whole = true},
                           .y = {.title = "score of the candidates"},
                           .mark = PLOT_LINE,
                           .fill = best};
        report_plot(scope, plot);
        plot.name = "training-mean";
        plot.title = "Mean candidate of a generation";
        plot.caption = "Median of the trainings with the middle half as a band.";
        plot.fill = mean;
        report_plot(scope, plot);
        report_plot(scope, (ReportPlot){.name = "held_out",
                                        .title = "Score on seeds that training never saw",
                                        .caption = "One value per training.",
                                        .key = plot.key,
                                        .y = {.title = "held-out score"},
                                        .values = runs_measures,
                                        .member = "held_out"});
    }
}
