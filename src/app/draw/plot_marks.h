/*
 * plot_marks: the series of a plot inside of their panel, and the samples of the legend. The places
 * are those of the frame; that nothing is drawn outside of the panel is up to the caller, who
 * clips.
 */
#ifndef TETROPT_DRAW_PLOT_MARKS_H
#define TETROPT_DRAW_PLOT_MARKS_H

#include "draw/axis.h"
#include "draw/plot.h"

/* Where a series goes. Bars and boxes stand side by side: this is number `index` of `of`. */
typedef struct PlotFrame {
    Axis x, y;
    int index, of;
} PlotFrame;

/* Draws one series by its mark. */
void plot_draw_series(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame);

/* The sample of a series, 24 wide, centred on y. */
void plot_draw_sample(Drawing *drawing, const PlotSeries *series, double x, double y);

#endif
