#include "view/chart_marks.h"

#include <math.h>

#define LINE_WIDTH 1.8
#define MARKER_RADIUS 3.2

static CanvasColor color_of(const ChartSeries *series) {
    return (CanvasColor)(series->style % CANVAS_SERIES_COUNT);
}

static CanvasStyle stroke_of(const ChartSeries *series, double width) {
    return (CanvasStyle){.stroke = color_of(series), .fill = CANVAS_NONE, .width = width};
}

static CanvasStyle marker_of(const ChartSeries *series) {
    return (CanvasStyle){.stroke = CANVAS_PAPER, .fill = color_of(series), .width = 0.6};
}

static double x_of(const ChartFrame *frame, const ChartSeries *series, size_t i) {
    return axis_place(&frame->x, series->x[i]);
}

static double y_of(const ChartFrame *frame, double value) {
    return axis_place(&frame->y, value);
}

/* ---- lines */

static void draw_band(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    for (size_t i = 0; i < series->count; i++)
        canvas_point(canvas, x_of(frame, series, i), y_of(frame, series->high[i]));
    for (size_t i = series->count; i-- > 0;)
        canvas_point(canvas, x_of(frame, series, i), y_of(frame, series->low[i]));
    canvas_finish(canvas, true,
                  (CanvasStyle){.stroke = CANVAS_NONE, .fill = color_of(series), .opacity = 0.14});
}

static void draw_line(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    if (series->low && series->high && series->count > 1)
        draw_band(canvas, series, frame);
    CanvasStyle style = stroke_of(series, LINE_WIDTH);
    style.dash = series->style;
    for (size_t i = 0; i < series->count; i++) {
        double x = x_of(frame, series, i);
        if (series->mark == CHART_STEPS && i > 0)
            canvas_point(canvas, x, y_of(frame, series->y[i - 1]));
        canvas_point(canvas, x, y_of(frame, series->y[i]));
    }
    canvas_finish(canvas, false, style);
    /* A marker every so often, at places that differ from series to series. */
    size_t every = series->count > 16 ? series->count / 6 : 1;
    size_t first = series->count > 16 ? every / 2 + (size_t)series->style * every / 8 : 0;
    for (size_t i = first; i < series->count; i += every)
        canvas_marker(canvas, series->style,
                      (CanvasPoint){x_of(frame, series, i), y_of(frame, series->y[i])},
                      MARKER_RADIUS, marker_of(series));
}

/* ---- bars, points and boxes */

static void draw_error(Canvas *canvas, double x, double low, double high, double half,
                       CanvasStyle style) {
    canvas_line(canvas, x, low, x, high, style);
    canvas_line(canvas, x - half, low, x + half, low, style);
    canvas_line(canvas, x - half, high, x + half, high, style);
}

static void draw_points(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    for (size_t i = 0; i < series->count; i++) {
        double x = x_of(frame, series, i);
        if (series->low && series->high)
            draw_error(canvas, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]), 4,
                       stroke_of(series, 1.2));
        canvas_marker(canvas, series->style, (CanvasPoint){x, y_of(frame, series->y[i])},
                      series->count > 60 ? 2.4 : 4, marker_of(series));
    }
}

/* The middle and the width of number `index` of those that stand side by side at place x. */
static double slot(const ChartFrame *frame, double x, double most, double *width) {
    double unit = fabs(axis_place(&frame->x, 1) - axis_place(&frame->x, 0));
    double all = fmin(unit * 0.8, most * frame->of);
    *width = all / frame->of;
    return axis_place(&frame->x, x) - all / 2 + *width * (frame->index + 0.5);
}

static void draw_bars(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    double zero = y_of(frame, 0), width;
    for (size_t i = 0; i < series->count; i++) {
        double x = slot(frame, series->x[i], 56, &width), y = y_of(frame, series->y[i]);
        canvas_rectangle(
            canvas, x - width * 0.44, fmin(y, zero), width * 0.88, fabs(zero - y),
            (CanvasStyle){
                .stroke = color_of(series), .fill = color_of(series), .opacity = 0.75, .width = 1});
        if (series->low && series->high)
            draw_error(canvas, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]),
                       fmin(5, width * 0.25),
                       (CanvasStyle){.stroke = CANVAS_INK, .fill = CANVAS_NONE, .width = 1.2});
    }
}

static void draw_box(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame,
                     const ChartBox *box, double x, double half) {
    CanvasStyle line = stroke_of(series, 1.3), body = line;
    double lower = y_of(frame, box->lower), upper = y_of(frame, box->upper);
    body.fill = color_of(series);
    body.opacity = 0.22;
    canvas_line(canvas, x, lower, x, y_of(frame, box->low), line);
    canvas_line(canvas, x, upper, x, y_of(frame, box->high), line);
    canvas_line(canvas, x - half / 2, y_of(frame, box->low), x + half / 2, y_of(frame, box->low),
                line);
    canvas_line(canvas, x - half / 2, y_of(frame, box->high), x + half / 2, y_of(frame, box->high),
                line);
    canvas_rectangle(canvas, x - half, fmin(lower, upper), 2 * half, fabs(lower - upper), body);
    double median = y_of(frame, box->median);
    canvas_line(canvas, x - half, median, x + half, median,
                (CanvasStyle){.stroke = CANVAS_INK, .fill = CANVAS_NONE, .width = 2});
    for (size_t i = 0; i < box->count; i++)
        if (i < box->first || i > box->last)
            canvas->kind->circle(canvas, (CanvasPoint){x, y_of(frame, box->sorted[i])}, 2.2, line);
}

static void draw_boxes(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    for (size_t i = 0; i < series->count; i++) {
        double width, x = slot(frame, series->x[i], 48, &width);
        if (series->boxes[i].count > 0)
            draw_box(canvas, series, frame, &series->boxes[i], x, width * 0.38);
    }
}

void chart_draw_series(Canvas *canvas, const ChartSeries *series, const ChartFrame *frame) {
    switch (series->mark) {
    case CHART_LINE:
    case CHART_STEPS:
        draw_line(canvas, series, frame);
        break;
    case CHART_POINTS:
        draw_points(canvas, series, frame);
        break;
    case CHART_BARS:
        draw_bars(canvas, series, frame);
        break;
    case CHART_BOXES:
        draw_boxes(canvas, series, frame);
        break;
    }
}

void chart_draw_sample(Canvas *canvas, const ChartSeries *series, double x, double y) {
    bool line = series->mark == CHART_LINE || series->mark == CHART_STEPS;
    if (line) {
        CanvasStyle style = stroke_of(series, LINE_WIDTH);
        style.dash = series->style;
        canvas_line(canvas, x, y, x + 24, y, style);
    }
    if (line || series->mark == CHART_POINTS)
        canvas_marker(canvas, series->style, (CanvasPoint){x + 12, y}, 3.6, marker_of(series));
    else
        canvas_rectangle(canvas, x + 4, y - 5.5, 16, 11,
                         (CanvasStyle){.stroke = color_of(series),
                                       .fill = color_of(series),
                                       .opacity = series->mark == CHART_BARS ? 0.75 : 0.22,
                                       .width = 1});
}
