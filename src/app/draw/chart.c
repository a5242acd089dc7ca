#include "draw/chart.h"

#include "draw/axis.h"
#include "draw/panel.h"

#include <math.h>
#include <stdio.h>

enum {
    FAINT = 0xe3e6ea,
    AXIS = PANEL_INK_LIGHT,
    OTHERS = 0xc4c8ce,
    COLOURS = 8,
    LEGEND_WIDTH = 190,
    LEGEND_STEP = 17,
    LEFT = 78,
    TOP = 26,
    BOTTOM = 40,
    LOG_FROM = 20 /* below so many times the least a plain axis shows it as well */
};

static const uint32_t colours[COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                          0xe69f00, 0x56b4e9, 0x000000, 0xa8a000};

/* The part of a chart where the data is: between the places of its axes. */
typedef struct Field {
    cairo_t *cairo;
    const Chart *chart;
    Axis x, y;
} Field;

static Axis value_axis(const Chart *chart) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < chart->line_count; k++)
        for (size_t i = 0; i < chart->count; i++)
            if (isfinite(chart->lines[k].values[i])) {
                low = fmin(low, chart->lines[k].values[i]);
                high = fmax(high, chart->lines[k].values[i]);
            }
    bool log = chart->logarithmic && low > 0 && high > LOG_FROM * low;
    Axis axis = axis_for(low, high, log, false);
    if (log)
        axis_add_log_air(&axis);
    return axis;
}

/* From edge to edge: lines may begin and end there. */
static Axis x_axis(const Chart *chart) {
    Axis axis = {.low = chart->x[0], .high = chart->x[chart->count - 1], .whole = true};
    if (axis.high <= axis.low)
        axis.high = axis.low + 1;
    return axis;
}

static void text_at(cairo_t *cairo, const char *text, double x, double y, double align) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    cairo_move_to(cairo, x - align * extents.x_advance, y);
    cairo_show_text(cairo, text);
}

static void stroke_line(cairo_t *cairo, double x1, double y1, double x2, double y2) {
    cairo_move_to(cairo, x1, y1);
    cairo_line_to(cairo, x2, y2);
    cairo_stroke(cairo);
}

static void draw_y_axis(const Field *field) {
    cairo_t *cairo = field->cairo;
    AxisTicks ticks;
    axis_ticks(&field->y, field->y.from - field->y.to > 140 ? 6 : 4, &ticks);
    cairo_set_line_width(cairo, 1);
    for (int i = 0; i < ticks.count; i++) {
        double y = axis_place(&field->y, ticks.values[i]);
        panel_color(cairo, FAINT);
        stroke_line(cairo, field->x.from, y, field->x.to, y);
        panel_color(cairo, AXIS);
        text_at(cairo, ticks.labels[i], field->x.from - 8, y + 4, 1);
    }
}

static void draw_x_axis(const Field *field) {
    cairo_t *cairo = field->cairo;
    double foot = field->y.from;
    AxisTicks ticks;
    axis_ticks(&field->x, 10, &ticks);
    panel_color(cairo, AXIS);
    cairo_set_line_width(cairo, 1);
    for (int i = 0; i < ticks.count; i++) {
        double x = axis_place(&field->x, ticks.values[i]);
        stroke_line(cairo, x, foot, x, foot + 4);
        text_at(cairo, ticks.labels[i], x, foot + 16, 0.5);
    }
    text_at(cairo, field->chart->x_title, (field->x.from + field->x.to) / 2, foot + 33, 0.5);
    cairo_move_to(cairo, field->x.from, field->y.to);
    cairo_line_to(cairo, field->x.from, foot);
    cairo_line_to(cairo, field->x.to, foot);
    cairo_stroke(cairo);
}

/* How line number `rank` of the legend looks; those that have no room there are grey. */
static void set_style(cairo_t *cairo, const ChartLine *line, int rank, int room) {
    static const double dashes[3][4] = {{0}, {7, 4}, {2, 3}};
    bool other = rank >= room;
    panel_color(cairo, other ? OTHERS : colours[rank % COLOURS]);
    cairo_set_line_width(cairo, other ? 0.8 : 1.6 * line->strength);
    cairo_set_dash(cairo, dashes[rank / COLOURS % 3], other || rank < COLOURS ? 0 : 2, 0);
}

static void draw_line(const Field *field, const ChartLine *line) {
    cairo_t *cairo = field->cairo;
    bool open = false;
    for (size_t i = 0; i < field->chart->count; i++) {
        bool there = isfinite(line->values[i]);
        if (there) {
            double x = axis_place(&field->x, field->chart->x[i]);
            double y = axis_place(&field->y, line->values[i]);
            if (open)
                cairo_line_to(cairo, x, y);
            else { /* a dot, when it stays alone */
                cairo_move_to(cairo, x, y);
                cairo_line_to(cairo, x, y);
            }
        }
        open = there;
    }
    cairo_stroke(cairo);
}

/* The numbers of the lines in the order of the legend. With more lines than room those with the
 * largest last values come in, the small ones are left out. */
static void order_lines(const Chart *chart, int room, int *order) {
    const size_t last = chart->count - 1;
    for (int pass = 0; pass < 2; pass++) {
        int count = pass == 0 || chart->line_count < room ? chart->line_count : room;
        for (int k = 0; k < count; k++) {
            int line = pass == 0 ? k : order[k], at = k;
            double value = chart->lines[line].values[last];
            for (; at > 0; at--) {
                double before = chart->lines[order[at - 1]].values[last];
                bool later = pass == 0 ? chart->line_count > room && fabs(value) > fabs(before)
                                       : chart->by_end && value > before;
                if (!later)
                    break;
                order[at] = order[at - 1];
            }
            order[at] = line;
        }
    }
}

static void draw_legend(const Field *field, const int *order, int room) {
    cairo_t *cairo = field->cairo;
    const Chart *chart = field->chart;
    double x = field->x.to + 16, y = field->y.to + 8;
    int shown = chart->line_count < room ? chart->line_count : room;
    for (int k = 0; k < shown; k++, y += LEGEND_STEP) {
        set_style(cairo, &chart->lines[order[k]], k, room);
        stroke_line(cairo, x, y, x + 24, y);
        panel_color(cairo, PANEL_INK);
        text_at(cairo, chart->lines[order[k]].name, x + 32, y + 4, 0);
    }
    cairo_set_dash(cairo, NULL, 0, 0);
    if (shown == chart->line_count)
        return;
    char text[40];
    snprintf(text, sizeof text, "%d smaller ones", chart->line_count - shown);
    panel_color(cairo, AXIS);
    text_at(cairo, text, x + 32, y + 4, 0);
}

static void set_font(cairo_t *cairo, cairo_font_weight_t weight, double size) {
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(cairo, size);
}

void chart_draw(cairo_t *cairo, const Chart *chart, double x, double y, double width,
                double height) {
    Field field = {.cairo = cairo, .chart = chart, .x = x_axis(chart), .y = value_axis(chart)};
    field.x.from = x + LEFT, field.x.to = x + width - LEGEND_WIDTH;
    field.y.from = y + height - BOTTOM, field.y.to = y + TOP;
    int room = (int)((field.y.from - field.y.to) / LEGEND_STEP), order[CHART_MAX_LINES];
    room = room < chart->line_count ? room - 1 : room; /* a line for the rest */
    order_lines(chart, room, order);
    set_font(cairo, CAIRO_FONT_WEIGHT_BOLD, 13);
    panel_color(cairo, PANEL_INK);
    text_at(cairo, chart->title, field.x.from, y + 14, 0);
    set_font(cairo, CAIRO_FONT_WEIGHT_NORMAL, 12);
    draw_y_axis(&field);
    draw_x_axis(&field);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (int k = chart->line_count - 1; k >= 0; k--) { /* the first on top */
        set_style(cairo, &chart->lines[order[k]], k, room);
        draw_line(&field, &chart->lines[order[k]]);
    }
    draw_legend(&field, order, room);
}
