/* plot_marks: lines with bands, points and bars with error bars, box plots. */
#include "draw/plot_marks.h"

#include <math.h>

#define LINE_WIDTH 1.8
#define MARKER_RADIUS 3.2

static PaletteColor color_of(const PlotSeries *series) {
    if (series->style == PLOT_FAINT)
        return PALETTE_GHOST;
    return PALETTE_SERIES + (unsigned)series->style % PALETTE_SERIES_COUNT;
}

static DrawingStyle line_of(const PlotSeries *series) {
    if (series->style == PLOT_FAINT)
        return (DrawingStyle){.stroke = PALETTE_GHOST, .width = 0.6};
    return (DrawingStyle){.stroke = color_of(series), .width = LINE_WIDTH, .dash = series->style};
}

/* A filled shape with a line around it. */
static DrawingStyle body_of(const PlotSeries *series, double opacity, double width) {
    PaletteColor color = color_of(series);
    return (DrawingStyle){.stroke = color, .fill = color, .opacity = opacity, .width = width};
}

static void draw_marker(Drawing *drawing, const PlotSeries *series, double x, double y,
                        double radius) {
    /* From the ninth series on, colours come again, with other markers. */
    int shape = series->style + series->style / PALETTE_SERIES_COUNT;
    if (series->style != PLOT_FAINT)
        drawing_marker(
            drawing, shape, (DrawingPoint){x, y}, radius,
            (DrawingStyle){.stroke = PALETTE_CARD, .fill = color_of(series), .width = 0.6});
}

static double x_of(const PlotFrame *frame, const PlotSeries *series, size_t i) {
    return axis_place(&frame->x, series->x[i]);
}

static double y_of(const PlotFrame *frame, double value) {
    return axis_place(&frame->y, value);
}

static bool has_range(const PlotSeries *series) {
    return series->low && series->high;
}

static void draw_line(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    size_t count = series->count;
    if (has_range(series) && count > 1) {
        for (size_t i = 0; i < count; i++)
            drawing_line_to(drawing, x_of(frame, series, i), y_of(frame, series->high[i]));
        for (size_t i = count; i-- > 0;)
            drawing_line_to(drawing, x_of(frame, series, i), y_of(frame, series->low[i]));
        drawing_close(drawing);
        drawing_paint(drawing, (DrawingStyle){.fill = color_of(series), .opacity = 0.14});
    }
    bool open = false;
    for (size_t i = 0; i < count; i++) {
        double x = x_of(frame, series, i), y = y_of(frame, series->y[i]);
        if (open && series->mark == PLOT_STEPS && !isnan(y))
            drawing_line_to(drawing, x, y_of(frame, series->y[i - 1]));
        if (open && !isnan(y))
            drawing_line_to(drawing, x, y);
        else if (!isnan(y))
            drawing_move(drawing, x, y);
        open = !isnan(y);
    }
    drawing_paint(drawing, line_of(series));
    /* A few markers, at places that differ from series to series. */
    size_t every = count > 16 ? count / 6 : 1;
    size_t first = count > 16 ? every / 2 + (size_t)series->style % 8 * every / 8 : 0;
    for (size_t i = first; i < count; i += every)
        if (!isnan(series->y[i]))
            draw_marker(drawing, series, x_of(frame, series, i), y_of(frame, series->y[i]),
                        MARKER_RADIUS);
}

static void draw_error(Drawing *drawing, double x, double low, double high, double half,
                       DrawingStyle style) {
    drawing_line(drawing, x, low, x, high, style);
    drawing_line(drawing, x - half, low, x + half, low, style);
    drawing_line(drawing, x - half, high, x + half, high, style);
}

/* The same along x. */
static void draw_x_error(Drawing *drawing, double y, double low, double high, double half,
                         DrawingStyle style) {
    drawing_line(drawing, low, y, high, y, style);
    drawing_line(drawing, low, y - half, low, y + half, style);
    drawing_line(drawing, high, y - half, high, y + half, style);
}

static void draw_points(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    DrawingStyle style = {.stroke = color_of(series), .width = 1.2};
    for (size_t i = 0; i < series->count; i++) {
        double x = x_of(frame, series, i), y = y_of(frame, series->y[i]);
        if (has_range(series))
            draw_error(drawing, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]), 4,
                       style);
        if (series->x_low && series->x_high)
            draw_x_error(drawing, y, axis_place(&frame->x, series->x_low[i]),
                         axis_place(&frame->x, series->x_high[i]), 4, style);
        draw_marker(drawing, series, x, y, series->count > 60 ? 2.4 : 4);
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
        drawing_rectangle(drawing, x - width * 0.44, fmin(y, zero), width * 0.88, fabs(zero - y),
                          body_of(series, 0.75, 1));
        if (has_range(series))
            draw_error(drawing, x, y_of(frame, series->low[i]), y_of(frame, series->high[i]),
                       fmin(5, width * 0.25), (DrawingStyle){.stroke = PALETTE_TEXT, .width = 1.2});
    }
}

static void draw_box(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame,
                     const PlotBox *box, double x, double half) {
    DrawingStyle line = {.stroke = color_of(series), .width = 1.3};
    double lower = y_of(frame, box->lower), upper = y_of(frame, box->upper);
    /* A quartile between values may lie beyond the whisker. */
    double low = y_of(frame, fmin(box->low, box->lower));
    double high = y_of(frame, fmax(box->high, box->upper));
    drawing_line(drawing, x, lower, x, low, line);
    drawing_line(drawing, x, upper, x, high, line);
    drawing_line(drawing, x - half / 2, low, x + half / 2, low, line);
    drawing_line(drawing, x - half / 2, high, x + half / 2, high, line);
    drawing_rectangle(drawing, x - half, fmin(lower, upper), 2 * half, fabs(lower - upper),
                      body_of(series, 0.22, 1.3));
    double median = y_of(frame, box->median);
    drawing_line(drawing, x - half, median, x + half, median,
                 (DrawingStyle){.stroke = PALETTE_TEXT, .width = 2});
    for (size_t i = 0; i < box->count; i++)
        if (i < box->first || i > box->last)
            drawing_circle(drawing, (DrawingPoint){x, y_of(frame, box->sorted[i])}, 2.2, line);
}

static void draw_boxes(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    for (size_t i = 0; i < series->count; i++) {
        double width, x = slot(frame, series->x[i], 48, &width);
        if (series->boxes[i].count > 0)
            draw_box(drawing, series, frame, &series->boxes[i], x, width * 0.38);
    }
}

void plot_draw_series(Drawing *drawing, const PlotSeries *series, const PlotFrame *frame) {
    static void (*const draw[])(Drawing *, const PlotSeries *,
                                const PlotFrame *) = {[PLOT_LINE] = draw_line,
                                                      [PLOT_STEPS] = draw_line,
                                                      [PLOT_POINTS] = draw_points,
                                                      [PLOT_BARS] = draw_bars,
                                                      [PLOT_BOXES] = draw_boxes};
    draw[series->mark](drawing, series, frame);
}

void plot_draw_sample(Drawing *drawing, const PlotSeries *series, double x, double y) {
    if (plot_side_by_side(series->mark)) {
        drawing_rectangle(drawing, x + 4, y - 5.5, 16, 11,
                          body_of(series, series->mark == PLOT_BARS ? 0.75 : 0.22, 1));
        return;
    }
    if (series->mark != PLOT_POINTS)
        drawing_line(drawing, x, y, x + 24, y, line_of(series));
    draw_marker(drawing, series, x + 12, y, 3.6);
}
