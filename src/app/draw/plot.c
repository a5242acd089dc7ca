#include "draw/plot.h"

#include "draw/plot_marks.h"
#include "stats/sample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Everything is in units of the picture, which are pixels at its natural size. */
#define MARGIN 12.0
#define TITLE_FONT 15.0
#define PANEL_FONT 12.5
#define LABEL_FONT 11.5
#define LEGEND_ROW 19.0
#define SAMPLE_WIDTH 30.0 /* with the space to its text */
#define LEGEND_GAP 18.0
#define TURNED_DEGREES (-35.0)

static const DrawingFont tick_font = {.size = LABEL_FONT, .color = DRAWING_SOFT};

/* ---- boxes */

PlotBox plot_box_of(const double *sorted, size_t count) {
    PlotBox box = {.sorted = sorted, .count = count, .last = count - 1};
    double *const parts[] = {&box.lower, &box.median, &box.upper};
    for (int i = 0; i < 3; i++)
        *parts[i] = sample_quantile(sorted, count, (i + 1) / 4.0);
    double reach = 1.5 * (box.upper - box.lower);
    while (sorted[box.first] < box.lower - reach)
        box.first++;
    while (sorted[box.last] > box.upper + reach)
        box.last--;
    box.low = sorted[box.first];
    box.high = sorted[box.last];
    return box;
}

/* ---- extents */

typedef struct Extent {
    double low, high;
} Extent;

static void widen(Extent *extent, double value, bool log) {
    if (!isfinite(value) || (log && value <= 0))
        return;
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

static void widen_by_boxes(Extent *extent, const PlotSeries *series, bool log) {
    for (size_t i = 0; i < series->count; i++) {
        const PlotBox *box = &series->boxes[i];
        if (box->count == 0)
            continue;
        widen(extent, box->sorted[0], log);
        widen(extent, box->sorted[box->count - 1], log);
    }
}

static void widen_by(Extent *extent, const double *values, size_t count, bool log) {
    for (size_t i = 0; values && i < count; i++)
        widen(extent, values[i], log);
}

static Axis x_axis(const PlotPanel *panel) {
    if (panel->x.word_count > 0)
        return (Axis){.low = -0.5, .high = (double)panel->x.word_count - 0.5};
    Extent extent = {INFINITY, -INFINITY};
    for (size_t i = 0; i < panel->series_count; i++)
        widen_by(&extent, panel->series[i].x, panel->series[i].count, panel->x.log);
    Axis axis = axis_for(extent.low, extent.high, panel->x.log, panel->x.zero);
    axis.whole = panel->x.whole;
    /* Lines may begin at the edge; points are cut there. */
    if (panel->x.log && panel->series_count > 0 && panel->series[0].mark == PLOT_POINTS)
        axis_add_log_air(&axis);
    return axis;
}

static Axis y_axis(const PlotPanel *panel) {
    Extent extent = {INFINITY, -INFINITY};
    bool log = panel->y.log;
    for (size_t i = 0; i < panel->series_count; i++) {
        const PlotSeries *series = &panel->series[i];
        if (series->boxes)
            widen_by_boxes(&extent, series, log);
        widen_by(&extent, series->y, series->count, log);
        widen_by(&extent, series->low, series->count, log);
        widen_by(&extent, series->high, series->count, log);
    }
    if (panel->y.low < panel->y.high)
        extent = (Extent){panel->y.low, panel->y.high};
    for (size_t i = 0; i < panel->rule_count; i++)
        widen(&extent, panel->rules[i].y, log);
    Axis axis = axis_for(extent.low, extent.high, log, panel->y.zero);
    axis.whole = panel->y.whole;
    if (log)
        axis_add_log_air(&axis);
    return axis;
}

/* ---- layout */

/* One panel: the rectangle of the data and what stands around it. */
typedef struct Place {
    double left, top, right, bottom;
    bool turned; /* the words below do not fit upright */
} Place;

typedef struct Layout {
    double legend_top, panels_top;
    double cell_width, cell_height, plot_height, below;
    int columns;
} Layout;

static double widest_word(const PlotAxis *axis) {
    double widest = 0;
    for (size_t i = 0; i < axis->word_count; i++)
        widest = fmax(widest, drawing_text_width(axis->words[i]) * LABEL_FONT);
    return widest;
}

static double widest_rule(const PlotPanel *panel) {
    double widest = 0;
    for (size_t i = 0; i < panel->rule_count; i++)
        if (panel->rules[i].label)
            widest = fmax(widest, drawing_text_width(panel->rules[i].label) * LABEL_FONT + 6);
    return widest;
}

static double widest_tick(const PlotPanel *panel, double height) {
    AxisTicks ticks;
    Axis axis = y_axis(panel);
    double widest = 0;
    axis_ticks(&axis, (int)fmax(3, height / 45), &ticks);
    for (int i = 0; i < ticks.count; i++)
        widest = fmax(widest, drawing_text_width(ticks.labels[i]) * LABEL_FONT);
    return widest;
}

/* The series of the legend: a name counts once over all panels. Returns whether number `at` of all
 * series, panel by panel, is the first of its name. */
static bool first_of_name(const Plot *plot, size_t panel, size_t at) {
    const char *name = plot->panels[panel].series[at].name;
    if (!name)
        return false;
    for (size_t i = 0; i <= panel; i++)
        for (size_t j = 0; j < (i < panel ? plot->panels[i].series_count : at); j++) {
            const char *other = plot->panels[i].series[j].name;
            if (other && strcmp(other, name) == 0)
                return false;
        }
    return true;
}

/* Draws the legend (or, with NULL, only measures) and returns its height. */
static double legend(Drawing *drawing, const Plot *plot, double top) {
    double x = MARGIN, y = top + LEGEND_ROW / 2;
    bool any = false;
    for (size_t i = 0; i < plot->panel_count; i++) {
        for (size_t j = 0; j < plot->panels[i].series_count; j++) {
            const PlotSeries *series = &plot->panels[i].series[j];
            if (!first_of_name(plot, i, j))
                continue;
            double width = SAMPLE_WIDTH + drawing_text_width(series->name) * LABEL_FONT;
            if (any && x + width > PLOT_WIDTH - MARGIN) {
                x = MARGIN;
                y += LEGEND_ROW;
            }
            any = true;
            if (drawing) {
                plot_draw_sample(drawing, series, x, y);
                drawing_text(drawing, x + SAMPLE_WIDTH, y + LABEL_FONT * 0.36, series->name,
                             (DrawingFont){.size = LABEL_FONT, .color = DRAWING_INK});
            }
            x += width + LEGEND_GAP;
        }
    }
    return any ? y + LEGEND_ROW / 2 + 4 - top : 0;
}

static Place place_of(const Plot *plot, const Layout *layout, size_t index) {
    const PlotPanel *panel = &plot->panels[index];
    size_t column = index % (size_t)layout->columns, row = index / (size_t)layout->columns;
    double x = MARGIN + (double)column * layout->cell_width;
    bool titled = panel->y.title && column == 0;
    Place place = {.top = layout->panels_top + (double)row * layout->cell_height +
                          (panel->title ? 22 : 8)};
    place.left = x + (titled ? 18 : 4) + widest_tick(panel, layout->plot_height) + 8;
    place.right = x + layout->cell_width - fmax(10, widest_rule(panel) + 12);
    place.bottom = place.top + layout->plot_height;
    double slot = (place.right - place.left) / fmax(1, (double)panel->x.word_count);
    place.turned = panel->x.word_count > 0 && widest_word(&panel->x) > slot - 4;
    return place;
}

static Layout layout_of(const Plot *plot) {
    Layout layout = {.columns = plot->columns > 0 ? plot->columns : 1};
    assert(plot->panel_count > 0);
    if ((size_t)layout.columns > plot->panel_count)
        layout.columns = (int)plot->panel_count;
    layout.legend_top = MARGIN + TITLE_FONT * 1.5;
    layout.panels_top = layout.legend_top + legend(NULL, plot, layout.legend_top);
    layout.cell_width = (PLOT_WIDTH - 2 * MARGIN) / layout.columns;
    layout.plot_height = layout.columns == 1 ? 280 : layout.columns == 2 ? 230 : 210;
    for (size_t i = 0; i < plot->panel_count; i++) {
        Place place = place_of(plot, &layout, i);
        double words = place.turned ? widest_word(&plot->panels[i].x) * 0.6 + 12 : 18;
        layout.below = fmax(layout.below, words + (plot->panels[i].x.title ? 18 : 0));
    }
    layout.cell_height = 22 + layout.plot_height + layout.below + 10;
    return layout;
}

double plot_height(const Plot *plot) {
    Layout layout = layout_of(plot);
    size_t columns = (size_t)layout.columns, rows = (plot->panel_count + columns - 1) / columns;
    return ceil(layout.panels_top + (double)rows * layout.cell_height + MARGIN / 2);
}

/* ---- drawing */

static void draw_y_ticks(Drawing *drawing, const Place *place, const Axis *axis) {
    AxisTicks ticks;
    axis_ticks(axis, (int)fmax(3, (place->bottom - place->top) / 45), &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = axis_place(axis, ticks.values[i]);
        drawing_line(drawing, place->left, y, place->right, y,
                     (DrawingStyle){.stroke = DRAWING_GRID, .width = 1});
        DrawingFont font = tick_font;
        font.anchor = DRAWING_RIGHT;
        drawing_text(drawing, place->left - 6, y + LABEL_FONT * 0.36, ticks.labels[i], font);
    }
}

static void draw_x_ticks(Drawing *drawing, const Place *place, const Axis *axis) {
    AxisTicks ticks;
    axis_ticks(axis, (int)fmax(2, (place->right - place->left) / 62), &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = axis_place(axis, ticks.values[i]);
        drawing_line(drawing, x, place->bottom, x, place->bottom + 4,
                     (DrawingStyle){.stroke = DRAWING_SOFT, .width = 1});
        DrawingFont font = tick_font;
        font.anchor = DRAWING_MIDDLE;
        drawing_text(drawing, x, place->bottom + 16, ticks.labels[i], font);
    }
}

static void draw_words(Drawing *drawing, const Place *place, const Axis *axis,
                       const PlotAxis *plot_axis) {
    for (size_t i = 0; i < plot_axis->word_count; i++) {
        double x = axis_place(axis, (double)i);
        DrawingFont font = tick_font;
        font.anchor = place->turned ? DRAWING_RIGHT : DRAWING_MIDDLE;
        font.degrees = place->turned ? TURNED_DEGREES : 0;
        drawing_text(drawing, place->turned ? x + 4 : x, place->bottom + (place->turned ? 13 : 16),
                     plot_axis->words[i], font);
    }
}

static void draw_titles(Drawing *drawing, const PlotPanel *panel, const Place *place,
                        const Layout *layout, bool first_column) {
    DrawingFont font = {.size = LABEL_FONT, .anchor = DRAWING_MIDDLE, .color = DRAWING_INK};
    double middle = (place->left + place->right) / 2;
    if (panel->x.title)
        drawing_text(drawing, middle, place->bottom + layout->below - 4, panel->x.title, font);
    if (panel->y.title && first_column) {
        font.degrees = -90;
        drawing_text(drawing, MARGIN + 10, (place->top + place->bottom) / 2, panel->y.title, font);
    }
    if (panel->title)
        drawing_text(drawing, place->left, place->top - 8, panel->title,
                     (DrawingFont){.size = PANEL_FONT, .color = DRAWING_INK, .bold = true});
}

static void draw_rules(Drawing *drawing, const PlotPanel *panel, const Place *place,
                       const Axis *axis) {
    double label_y = -INFINITY; /* rules are given from the top; their labels keep apart */
    for (size_t i = 0; i < panel->rule_count; i++) {
        double y = axis_place(axis, panel->rules[i].y);
        label_y = fmax(y + LABEL_FONT * 0.36, label_y + LABEL_FONT * 1.15);
        drawing_line(drawing, place->left, y, place->right, y,
                     (DrawingStyle){.stroke = DRAWING_INK, .width = 1, .dash = 2});
        if (panel->rules[i].label)
            drawing_text(drawing, place->right + 5, label_y, panel->rules[i].label,
                         (DrawingFont){.size = LABEL_FONT, .color = DRAWING_INK});
    }
}

static void draw_all_series(Drawing *drawing, const PlotPanel *panel, PlotFrame frame) {
    for (size_t i = 0; i < panel->series_count; i++) {
        PlotMark mark = panel->series[i].mark;
        frame.of += mark == PLOT_BARS || mark == PLOT_BOXES;
    }
    for (size_t i = 0; i < panel->series_count; i++) {
        plot_draw_series(drawing, &panel->series[i], &frame);
        PlotMark mark = panel->series[i].mark;
        frame.index += mark == PLOT_BARS || mark == PLOT_BOXES;
    }
}

static void draw_panel(Drawing *drawing, const Plot *plot, const Layout *layout, size_t index) {
    const PlotPanel *panel = &plot->panels[index];
    Place place = place_of(plot, layout, index);
    PlotFrame frame = {.x = x_axis(panel), .y = y_axis(panel)};
    frame.x.from = place.left, frame.x.to = place.right;
    frame.y.from = place.bottom, frame.y.to = place.top;
    draw_y_ticks(drawing, &place, &frame.y);
    drawing_line(drawing, place.left, place.bottom, place.right, place.bottom,
                 (DrawingStyle){.stroke = DRAWING_SOFT, .width = 1});
    if (panel->x.word_count > 0)
        draw_words(drawing, &place, &frame.x, &panel->x);
    else
        draw_x_ticks(drawing, &place, &frame.x);
    draw_rules(drawing, panel, &place, &frame.y);
    draw_titles(drawing, panel, &place, layout, index % (size_t)layout->columns == 0);
    /* A marker on the edge stays whole. */
    DrawingPoint corner = {place.left - 5, place.top - 5};
    drawing->kind->clip(drawing, corner, place.right - place.left + 10,
                        place.bottom - place.top + 10);
    draw_all_series(drawing, panel, frame);
    drawing->kind->unclip(drawing);
}

void plot_draw(Drawing *drawing, const void *data) {
    const Plot *plot = data;
    Layout layout = layout_of(plot);
    drawing_text(drawing, MARGIN, MARGIN + TITLE_FONT, plot->title,
                 (DrawingFont){.size = TITLE_FONT, .color = DRAWING_INK, .bold = true});
    legend(drawing, plot, layout.legend_top);
    for (size_t i = 0; i < plot->panel_count; i++)
        draw_panel(drawing, plot, &layout, i);
}
