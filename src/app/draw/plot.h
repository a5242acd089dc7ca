/*
 * plot: panels of lines, points, boxes and bars with axes, titles and a legend outside of the data.
 *
 * A plot is a plain description that points to the caller's numbers; drawing it twice gives the
 * same picture. Series differ in colour, dashes and markers, so that they can be told apart without
 * colours.
 */
#ifndef TETROPT_DRAW_PLOT_H
#define TETROPT_DRAW_PLOT_H

#include "draw/drawing.h"

typedef enum PlotMark {
    PLOT_LINE,   /* with markers here and there, and a band where low and high are given */
    PLOT_STEPS,  /* horizontal to the next point, then vertical */
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

enum { PLOT_FAINT = -1 }; /* a thin grey line: one of many that are not told apart */

typedef struct PlotSeries {
    const char *name; /* NULL: not in the legend */
    PlotMark mark;
    int style; /* number of its colour, dash and marker, or PLOT_FAINT */
    size_t count;
    const double *x, *y;          /* y of a line may be NaN: a gap */
    const double *low, *high;     /* may be NULL */
    const double *x_low, *x_high; /* of points, likewise */
    const PlotBox *boxes;         /* instead of y */
} PlotSeries;

typedef struct PlotAxis {
    const char *title;        /* with the unit */
    const char *const *words; /* names of places 0, 1, .. instead of numbers */
    size_t word_count;
    double low, high; /* the part to show; equal: all of the data */
    bool log, zero;   /* zero: begins there */
    bool whole;       /* ticks are integers */
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
    double height; /* of the data; 0: by the number of columns */
} PlotPanel;

typedef struct Plot {
    const char *title;
    const PlotPanel *panels;
    size_t panel_count;
    int columns;        /* of panels */
    double width;       /* 0: PLOT_WIDTH */
    bool legend_beside; /* every panel has its own at its right; else one for all above them */
} Plot;

enum { PLOT_WIDTH = 720, PLOT_LEGEND_ROW = 19 /* the height of a line of the legend */ };

/* The plot as a page; it points to `plot`. */
DrawingPage plot_page(const Plot *plot);

/* The DrawingDraw of such a page, whose data is a `const Plot *`. */
void plot_draw(Drawing *drawing, const void *plot);

/* The numbers of a `const Plot *` as CSV: panel,series,x,y,low,high,least,most,values, where low
 * and high are quartiles of a band or box, or the ends of an error bar, and the next three are of
 * boxes only. A plot with error bars along x has two more columns, x_low,x_high. */
void plot_csv(const void *plot, Text *csv);

#endif
