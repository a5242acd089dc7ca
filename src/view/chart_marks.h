/* chart_marks: the series of a chart inside of their panel, and the samples of the legend. */
#ifndef TETROPT_VIEW_CHART_MARKS_H
#define TETROPT_VIEW_CHART_MARKS_H

#include "view/axis.h"
#include "view/chart.h"

/* Where a series goes. Bars and boxes stand side by side: this is number `index` of `of`. */
typedef struct ChartFrame {
    Axis x, y;
    int index, of;
} ChartFrame;

void chart_draw_series(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame);

/* The sample of a series, 24 wide, centred on y. */
void chart_draw_sample(Canvas *canvas, const ChartSeries *series, double x, double y);

#endif
