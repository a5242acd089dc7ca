#include "view/chart.h"

#include "view/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FAINT = 0xe3e6ea,
    AXIS = INK_LIGHT,
    OTHERS = 0xc4c8ce,
    COLOURS = 8,
    LEGEND_WIDTH = 190,
    LEGEND_STEP = 17,
    LEFT = 78,
    TOP = 26,
    BOTTOM = 40
};

static const uint32_t colours[COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                          0xe69f00, 0x56b4e9, 0x000000, 0xa8a000};

/* The part of a chart where the data is, and the range of its axes. */
typedef struct Field {
    cairo_t *cairo;
    const Chart *chart;
    double x, y, width, height;
    double low, high; /* of the values; their logarithms when `logarithmic` */
    double first, last;
    bool logarithmic;
} Field;

static void find_range(Field *field) {
    const Chart *chart = field->chart;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < chart->line_count; k++)
        for (size_t i = 0; i < chart->count; i++)
            if (isfinite(chart->lines[k].values[i])) {
                low = fmin(low, chart->lines[k].values[i]);
                high = fmax(high, chart->lines[k].values[i]);
            }
    if (low > high)
        low = 0, high = 1;
    field->logarithmic = chart->logarithmic && low > 0 && high > 20 * low;
    if (field->logarithmic)
        low = log10(low), high = log10(high);
    double room = high > low ? 0.04 * (high - low) : fmax(fabs(high), 1) * 0.1;
    field->low = low - room;
    field->high = high + room;
    field->first = chart->x[0];
    field->last = chart->x[chart->count - 1];
    if (field->last <= field->first)
        field->last = field->first + 1;
}

static double place_x(const Field *field, double x) {
    return field->x + field->width * (x - field->first) / (field->last - field->first);
}

static double place_y(const Field *field, double value) {
    if (field->logarithmic)
        value = log10(value);
    return field->y + field->height * (field->high - value) / (field->high - field->low);
}

static void text_at(cairo_t *cairo, const char *text, double x, double y, double align) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    cairo_move_to(cairo, x - align * extents.x_advance, y);
    cairo_show_text(cairo, text);
}

/* 1, 2 or 5 times a power of ten, so that there are at most `most` of them in `range`. */
static double tick_step(double range, int most) {
    double power = pow(10, floor(log10(range / most)));
    static const double steps[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (steps[i] * power * most >= range)
            return steps[i] * power;
    return 10 * power;
}

/* 1500000 as 1.5M; what is near 0 beside `step` as 0. */
static void format_tick(double value, double step, char *text, size_t bytes) {
    static const struct {
        double size;
        const char *letter;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    if (fabs(value) < step * 1e-6)
        value = 0;
    for (int i = 0; i < 3; i++)
        if (fabs(value) >= 10 * units[i].size || (fabs(value) >= units[i].size && i < 2)) {
            snprintf(text, bytes, "%.6g%s", value / units[i].size, units[i].letter);
            return;
        }
    snprintf(text, bytes, "%.6g", value);
}

static void grid_line(const Field *field, double value, double step) {
    cairo_t *cairo = field->cairo;
    double y = place_y(field, value);
    char text[32];
    if (y < field->y - 0.5 || y > field->y + field->height + 0.5)
        return;
    panel_color(cairo, FAINT);
    cairo_set_line_width(cairo, 1);
    cairo_move_to(cairo, field->x, y);
    cairo_line_to(cairo, field->x + field->width, y);
    cairo_stroke(cairo);
    format_tick(value, step, text, sizeof text);
    panel_color(cairo, AXIS);
    text_at(cairo, text, field->x - 8, y + 4, 1);
}

static void draw_y_axis(const Field *field) {
    int most = field->height > 140 ? 6 : 4;
    if (!field->logarithmic) {
        double step = tick_step(field->high - field->low, most);
        for (double at = ceil(field->low / step) * step; at <= field->high; at += step)
            grid_line(field, at, step);
        return;
    }
    double decades = field->high - field->low;
    int every = decades > most ? (int)ceil(decades / most) : 1;
    for (int power = (int)floor(field->low); power <= (int)ceil(field->high); power += every) {
        double value = pow(10, power);
        grid_line(field, value, value);
        if (decades > 2.5)
            continue;
        grid_line(field, 2 * value, value);
        grid_line(field, 5 * value, value);
    }
}

static void draw_x_axis(const Field *field) {
    cairo_t *cairo = field->cairo;
    double foot = field->y + field->height, step = tick_step(field->last - field->first, 10);
    step = fmax(step, 1); /* generations are whole */
    panel_color(cairo, AXIS);
    cairo_set_line_width(cairo, 1);
    for (double at = ceil(field->first / step) * step; at <= field->last; at += step) {
        char text[32];
        double x = place_x(field, at);
        format_tick(at, step, text, sizeof text);
        cairo_move_to(cairo, x, foot);
        cairo_line_to(cairo, x, foot + 4);
        cairo_stroke(cairo);
        text_at(cairo, text, x, foot + 16, 0.5);
    }
    text_at(cairo, field->chart->x_title, field->x + field->width / 2, foot + 33, 0.5);
    cairo_move_to(cairo, field->x, field->y);
    cairo_line_to(cairo, field->x, foot);
    cairo_line_to(cairo, field->x + field->width, foot);
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
            double x = place_x(field, field->chart->x[i]), y = place_y(field, line->values[i]);
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
    double x = field->x + field->width + 16, y = field->y + 8;
    int shown = chart->line_count < room ? chart->line_count : room;
    for (int k = 0; k < shown; k++, y += LEGEND_STEP) {
        set_style(cairo, &chart->lines[order[k]], k, room);
        cairo_move_to(cairo, x, y);
        cairo_line_to(cairo, x + 24, y);
        cairo_stroke(cairo);
        panel_color(cairo, INK);
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

void chart_draw(cairo_t *cairo, const Chart *chart, double x, double y, double width,
                double height) {
    Field field = {.cairo = cairo,
                   .chart = chart,
                   .x = x + LEFT,
                   .y = y + TOP,
                   .width = width - LEFT - LEGEND_WIDTH,
                   .height = height - TOP - BOTTOM};
    int room = (int)(field.height / LEGEND_STEP), order[CHART_MAX_LINES];
    room = room < chart->line_count ? room - 1 : room; /* a line for the rest */
    find_range(&field);
    order_lines(chart, room, order);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cairo, 13);
    panel_color(cairo, INK);
    text_at(cairo, chart->title, field.x, y + 14, 0);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 12);
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
