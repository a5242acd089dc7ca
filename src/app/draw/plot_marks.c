#include "draw/plot_marks.h"

#include <math.h>

#define LINE_WIDTH 1.8
#define MARKER_RADIUS 3.2

static DrawingColor color_of(const PlotSeries *series) {
    return (DrawingColor)(series->style % DRAWING_SERIES_COUNT);
}

static DrawingStyle stroke_of(const PlotSeries *series, double width) {
    return (DrawingStyle){.stroke = color_of(series), .fill = DRAWING_NONE, .width = width};
}

static DrawingStyle marker_of(const PlotSeries *series) {
    return (DrawingStyle){.stroke = DRAWING_PAPER, .fill = color_of(series), .width = 0.6};
}

static double x_of(const PlotFrame *frame, const PlotSeries *series, size_t i) {
    return axis_place(&frame->x, series->x[i]);
}

static double y_of(const PlotFrame *frame, double value) {
    return axis_place(&frame->y, value);
}

/* ---- lines */

static void draw_band(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    for (size_t i = 0; i < series->count; i++)
        drawing_point(drawing, x_of(frame, series, i), y_of(frame, series->high[i]));
    for (size_t i = series->count; i-- > 0;)
        drawing_point(drawing, x_of(frame, series, i), y_of(frame, series->low[i]));
    drawing_finish(
        drawing, true,
        (DrawingStyle){.stroke = DRAWING_NONE, .fill = color_of(series), .opacity = 0.14});
}

static void draw_line(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    if (series->low && series->high && series->count > 1)
        draw_band(drawing, series, frame);
    DrawingStyle style = stroke_of(series, LINE_WIDTH);
    style.dash = series->style;
    for (size_t i = 0; i < series->count; i++) {
        double x = x_of(frame, series, i);
        if (series->mark == PLOT_STEPS && i > 0)
            drawing_point(drawing, x, y_of(frame, series->y[i - 1]));
        drawing_point(drawing, x, y_of(frame, series->y[i]));
    }
    drawing_finish(drawing, false, style);
    /* A marker every so often, at places that differ from series to series. */
    size_t every = series->count > 16 ? series->count / 6 : 1;
    size_t first = series->count > 16 ? every / 2 + (size_t)series->style * every / 8 : 0;
    for (size_t i = first; i < series->count; i += every)
        drawing_marker(drawing, series->style,
                       (DrawingPoint){x_of(frame, series, i), y_of(frame, series->y[i])},
                       MARKER_RADIUS, marker_of(series));
}

/* ---- bars, points and boxes */

static void draw_error(Drawing *drawing, double x, double low, double high, double half,
                       DrawingStyle style) {
    drawing_line(drawing, x, low, x, high, style);
    drawing_line(drawing, x - half, low, x + half, low, style);
    drawing_line(drawing, x - half, high, x + half, high, style);
}

static void draw_points(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    for (size_t i = 0; i < series->count; i++) {
        double x = x_of(frame, series, i);
        if (series->low && series->high)
            draw_error(drawing, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]), 4,
                       stroke_of(series, 1.2));
        drawing_marker(drawing, series->style, (DrawingPoint){x, y_of(frame, series->y[i])},
                       series->count > 60 ? 2.4 : 4, marker_of(series));
    }
}

/* The middle and the width of number `index` of those that stand side by side at place x. */
static double slot(const PlotFrame *frame, double x, double most, double *width) {
    double unit = fabs(axis_place(&frame->x, 1) - axis_place(&frame->x, 0));
    double all = fmin(unit * 0.8, most * frame->of);
    *width = all / frame->of;
    return axis_place(&frame->x, x) - all / 2 + *width * (frame->index + 0.5);
}

static void draw_bars(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    double zero = y_of(frame, 0), width;
    for (size_t i = 0; i < series->count; i++) {
        double x = slot(frame, series->x[i], 56, &width), y = y_of(frame, series->y[i]);
        drawing_rectangle(
            drawing, x - width * 0.44, fmin(y, zero), width * 0.88, fabs(zero - y),
            (DrawingStyle){
                .stroke = color_of(series), .fill = color_of(series), .opacity = 0.75, .width = 1});
        if (series->low && series->high)
            draw_error(drawing, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]),
                       fmin(5, width * 0.25),
                       (DrawingStyle){.stroke = DRAWING_INK, .fill = DRAWING_NONE, .width = 1.2});
    }
}

static void draw_box(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame,
                     const PlotBox *box, double x, double half) {
    DrawingStyle line = stroke_of(series, 1.3), body = line;
    double lower = y_of(frame, box->lower), upper = y_of(frame, box->upper);
    body.fill = color_of(series);
    body.opacity = 0.22;
    drawing_line(drawing, x, lower, x, y_of(frame, box->low), line);
    drawing_line(drawing, x, upper, x, y_of(frame, box->high), line);
    drawing_line(drawing, x - half / 2, y_of(frame, box->low), x + half / 2, y_of(frame, box->low),
                 line);
    drawing_line(drawing, x - half / 2, y_of(frame, box->high), x + half / 2,
                 y_of(frame, box->high), line);
    drawing_rectangle(drawing, x - half, fmin(lower, upper), 2 * half, fabs(lower - upper), body);
    double median = y_of(frame, box->median);
    drawing_line(drawing, x - half, median, x + half, median,
                 (DrawingStyle){.stroke = DRAWING_INK, .fill = DRAWING_NONE, .width = 2});
    for (size_t i = 0; i < box->count; i++)
        if (i < box->first || i > box->last)
            drawing->kind->circle(drawing, (DrawingPoint){x, y_of(frame, box->sorted[i])}, 2.2,
                                  line);
}

static void draw_boxes(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    for (size_t i = 0; i < series->count; i++) {
        double width, x = slot(frame, series->x[i], 48, &width);
        if (series->boxes[i].count > 0)
            draw_box(drawing, series, frame, &series->boxes[i], x, width * 0.38);
    }
}

void plot_draw_series(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    switch (series->mark) {
    case PLOT_LINE:
    case PLOT_STEPS:
        draw_line(drawing, series, frame);
        break;
    case PLOT_POINTS:
        draw_points(drawing, series, frame);
        break;
    case PLOT_BARS:
        draw_bars(drawing, series, frame);
        break;
    case PLOT_BOXES:
        draw_boxes(drawing, series, frame);
        break;
    }
}

void plot_draw_sample(Drawing *drawing, const PlotSeries *series, double x, double y) {
    bool line = series->mark == PLOT_LINE || series->mark == PLOT_STEPS;
    if (line) {
        DrawingStyle style = stroke_of(series, LINE_WIDTH);
        style.dash = series->style;
        drawing_line(drawing, x, y, x + 24, y, style);
    }
    if (line || series->mark == PLOT_POINTS)
        drawing_marker(drawing, series->style, (DrawingPoint){x + 12, y}, 3.6, marker_of(series));
    else
        drawing_rectangle(drawing, x + 4, y - 5.5, 16, 11,
                          (DrawingStyle){.stroke = color_of(series),
                                         .fill = color_of(series),
                                         .opacity = series->mark == PLOT_BARS ? 0.75 : 0.22,
                                         .width = 1});
}
