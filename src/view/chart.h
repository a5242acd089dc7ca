/*
 * chart: panels of lines, points, boxes and bars on shared terms: axes with titles and ticks, one
 * legend above the panels and outside of the data.
 *
 * A chart is a plain description that points to the numbers of whoever made it; drawing it twice
 * gives the same picture. Series differ in colour and also in dashes and markers, so that they can
 * be told apart without colours.
 */
#ifndef TETROPT_VIEW_CHART_H
#define TETROPT_VIEW_CHART_H

#include "view/canvas.h"

typedef enum ChartMark {
    CHART_LINE,   /* with markers here and there, and a band where low and high are given */
    CHART_STEPS,  /* from each point to the right, then up or down */
    CHART_POINTS, /* with error bars where low and high are given */
    CHART_BARS,   /* from 0, side by side; error bars likewise */
    CHART_BOXES
} ChartMark;

/* Median, quartiles, whiskers to the last value within 1.5 times the box, what lies outside. */
typedef struct ChartBox {
    double low, lower, median, upper, high;
    const double *sorted;
    size_t count;       /* of values; 0: there is no box */
    size_t first, last; /* the values from first to last are within the whiskers */
} ChartBox;

/* The box of count >= 1 sorted values, which must stay. */
ChartBox chart_box_of(const double *sorted, size_t count);

typedef struct ChartSeries {
    const char *name; /* NULL: not in the legend */
    ChartMark mark;
    int style; /* number of its colour, dash and marker */
    size_t count;
    const double *x, *y;
    const double *low, *high; /* may be NULL */
    const ChartBox *boxes;    /* instead of y */
} ChartSeries;

typedef struct ChartAxis {
    const char *title;        /* with the unit */
    const char *const *words; /* places 0, 1, .. have names instead of numbers */
    size_t word_count;
    double low, high; /* the part to show; equal: all of the data */
    bool log, zero;   /* zero: begins there */
    bool whole;       /* only whole numbers mean something */
} ChartAxis;

/* A line across the panel; several are given from the top down. */
typedef struct ChartRule {
    double y;
    const char *label; /* to the right of the panel; may be NULL */
} ChartRule;

typedef struct ChartPanel {
    const char *title; /* may be NULL */
    ChartAxis x, y;
    const ChartSeries *series;
    size_t series_count;
    const ChartRule *rules;
    size_t rule_count;
} ChartPanel;

typedef struct Chart {
    const char *title;
    const ChartPanel *panels;
    size_t panel_count;
    int columns; /* of panels */
} Chart;

enum { CHART_WIDTH = 720 };

/* How high the chart is. */
double chart_height(const Chart *chart);

/* A CanvasDraw for a `const Chart *`. */
void chart_draw(Canvas *canvas, const void *chart);

/* The numbers as CSV: panel,series,x,y,low,high,least,most,values, where low and high are
 * quartiles of a band or box, or the ends of an error bar, and the last three are of boxes only. */
void chart_csv(const Chart *chart, Text *csv);

/* One field of CSV, quoted where it has to be. */
void chart_csv_field(const char *string, Text *csv);

#endif
