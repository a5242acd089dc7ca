/*
 * plot_marks: draws the series of a plot inside their panel, and the samples of the legend. The
 * caller clips what lies outside of the panel.
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

/* Whether marks of this kind stand side by side at one place. */
static inline bool plot_side_by_side(PlotMark mark) {
    return mark == PLOT_BARS || mark == PLOT_BOXES;
}

/* Draws one series by its mark. */
void plot_draw_series(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame);

/* The sample of a series, 24 wide, centred on y. */
void plot_draw_sample(Drawing *drawing, const PlotSeries *series, double x, double y);

#endif
