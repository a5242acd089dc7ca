/*
 * chart: lines over a common x axis, with axes, a grid and a legend beside the data. Only in builds
 * with cairo.
 *
 * Plots (plot.h) are for pages: SVG and PNG whose colours follow the page, with the legend above
 * and eight series at most. A chart is for files of all formats, PDF too, and for some dozen lines;
 * both have the axes of axis.h.
 *
 * Colours are those of Okabe and Ito (2008), which colour-blind people tell apart; from the ninth
 * line on the dashes differ too.
 */
#ifndef TETROPT_DRAW_CHART_H
#define TETROPT_DRAW_CHART_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHART_MAX_LINES = 64 };

typedef struct ChartLine {
    const char *name;
    const double *values; /* NaN: nothing is drawn there */
    double strength;      /* of the line; 1 is usual */
} ChartLine;

typedef struct Chart {
    const char *title;
    const char *x_title;
    const double *x; /* growing whole numbers */
    size_t count;    /* at least 1 */
    ChartLine lines[CHART_MAX_LINES];
    int line_count;
    bool logarithmic; /* wish: taken where all values are positive and far enough apart */
    bool by_end;      /* the legend in the order of the last values; else as they come */
} Chart;

/* Draws into a rectangle. */
void chart_draw(cairo_t *cairo, const Chart *chart, double x, double y, double width,
                double height);

#endif
