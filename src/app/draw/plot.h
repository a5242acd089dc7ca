/*
 * plot: panels of lines, points, boxes and bars on shared terms: axes with titles and ticks, one
 * legend above the panels and outside of the data.
 *
 * A plot is a plain description that points to the numbers of whoever made it; drawing it twice
 * gives the same picture. Series differ in colour and also in dashes and markers, so that they can
 * be told apart without colours.
 */
#ifndef TETROPT_DRAW_PLOT_H
#define TETROPT_DRAW_PLOT_H

#include "draw/drawing.h"

typedef enum PlotMark {
    PLOT_LINE,   /* with markers here and there, and a band where low and high are given */
    PLOT_STEPS,  /* from each point to the right, then up or down */
    PLOT_POINTS, /* with error bars where low and high are given */
    PLOT_BARS,   /* from 0, side by side; error bars likewise */
    PLOT_BOXES
} PlotMark;

/* Median, quartiles, whiskers to the last value within 1.5 times the box, what lies outside. */
typedef struct PlotBox {
    double low, lower, median, upper, high;
    const double *sorted;
    size_t count;       /* of values; 0: there is no box */
    size_t first, last; /* the values from first to last are within the whiskers */
} PlotBox;

/* The box of count >= 1 sorted values, which must stay. */
PlotBox plot_box_of(const double *sorted, size_t count);

typedef struct PlotSeries {
    const char *name; /* NULL: not in the legend */
    PlotMark mark;
    int style; /* number of its colour, dash and marker */
    size_t count;
    const double *x, *y;
    const double *low, *high; /* may be NULL */
    const PlotBox *boxes;     /* instead of y */
} PlotSeries;

typedef struct PlotAxis {
    const char *title;        /* with the unit */
    const char *const *words; /* places 0, 1, .. have names instead of numbers */
    size_t word_count;
    double low, high; /* the part to show; equal: all of the data */
    bool log, zero;   /* zero: begins there */
    bool whole;       /* only whole numbers mean something */
} PlotAxis;

/* A line across the panel; several are given from the top down. */
typedef struct PlotRule {
    double y;
    const char *label; /* to the right of the panel; may be NULL */
} PlotRule;

typedef struct PlotPanel {
    const char *title; /* may be NULL */
    PlotAxis x, y;
    const PlotSeries *series;
    size_t series_count;
    const PlotRule *rules;
    size_t rule_count;
} PlotPanel;

typedef struct Plot {
    const char *title;
    const PlotPanel *panels;
    size_t panel_count;
    int columns; /* of panels */
} Plot;

enum { PLOT_WIDTH = 720 };

/* How high the plot is. */
double plot_height(const Plot *plot);

/* A DrawingDraw for a `const Plot *`. */
void plot_draw(Drawing *drawing, const void *plot);

/* The numbers as CSV: panel,series,x,y,low,high,least,most,values, where low and high are
 * quartiles of a band or box, or the ends of an error bar, and the last three are of boxes only. */
void plot_csv(const Plot *plot, Text *csv);

#endif
