/* report_train: the figures of a grid of `train`. */
#include "report/report_page.h"

static bool best(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return report_curve(curve_of(group->runs, CURVE_BEST, CURVE_EVEN, scope->arena), series);
}

static bool mean(const ReportScope *scope, const ReportGroup *group, PlotSeries *series) {
    return report_curve(curve_of(group->runs, CURVE_CURRENT, CURVE_EVEN, scope->arena), series);
}

enum { BEST, MEAN };

static const ReportPlot plots[] = {
    {"training-best", "Best candidate of a generation", "generation", "score of the candidates",
     REPORT_X_WHOLE, PLOT_LINE, best,
     "Median of the trainings with the middle half as a band. The best of many candidates looks "
     "better than it is: compare the scores on seeds that training never saw."},
    {"training-mean", "Mean candidate of a generation", "generation", "score of the candidates",
     REPORT_X_WHOLE, PLOT_LINE, mean, "Median of the trainings with the middle half as a band."},
};

void report_train(const ReportScope *scope) {
    for (size_t i = 0; i < scope->key_count || i == 0; i++) {
        const RunKey *key = scope->key_count > 0 ? &scope->keys[i] : NULL;
        report_plot(scope, key, &plots[BEST]);
        report_plot(scope, key, &plots[MEAN]);
        report_boxes(scope, key, runs_measures, "held_out",
                     "Score on seeds that training never saw", "held-out score", 0,
                     "One value per training.");
    }
}
