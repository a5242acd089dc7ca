/*
 * plot: finds the extents of the data, lays out panels and legend, and draws all except the series
 * themselves (plot_marks).
 *
 * Lengths are units of the picture, which are pixels at its natural size.
 */
#include "draw/plot.h"

#include "draw/plot_marks.h"
#include "stats/sample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MARGIN 12.0
#define TITLE_FONT 15.0
#define PANEL_FONT 12.5
#define LABEL_FONT 11.5
#define SAMPLE_WIDTH 30.0 /* with the space to its text */
#define LEGEND_GAP 18.0
#define SLANTED_DEGREES (-35.0)

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

static void widen_by(Extent *extent, const double *values, size_t count, bool log) {
    for (size_t i = 0; values && i < count; i++)
        widen(extent, values[i], log);
}

static Axis x_axis(const PlotPanel *panel) {
    if (panel->x.word_count > 0)
        return (Axis){.low = -0.5, .high = (double)panel->x.word_count - 0.5};
    Extent extent = {INFINITY, -INFINITY};
    for (size_t i = 0; i < panel->series_count; i++) {
        const PlotSeries *series = &panel->series[i];
        widen_by(&extent, series->x, series->count, panel->x.log);
        widen_by(&extent, series->x_low, series->count, panel->x.log);
        widen_by(&extent, series->x_high, series->count, panel->x.log);
    }
    Axis axis = axis_for(extent.low, extent.high, panel->x.log, panel->x.zero);
    axis.whole = panel->x.whole;
    /* Lines may begin at the edge; points would be clipped there. */
    if (panel->x.log && panel->series_count > 0 && panel->series[0].mark == PLOT_POINTS)
        axis_add_log_air(&axis);
    return axis;
}

static Axis y_axis(const PlotPanel *panel) {
    Extent extent = {INFINITY, -INFINITY};
    bool log = panel->y.log;
    for (size_t i = 0; i < panel->series_count; i++) {
        const PlotSeries *series = &panel->series[i];
        for (size_t j = 0; series->boxes && j < series->count; j++)
            widen_by(&extent, series->boxes[j].sorted, series->boxes[j].count, log);
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

/* One panel: the rectangle of the data. */
typedef struct Place {
    double left, top, right, bottom;
    bool slanted; /* the words below do not fit upright */
} Place;

typedef struct Layout {
    double width, legend_top, panels_top, cell_width;
    double below;  /* the ticks or words and the title of an x axis */
    double beside; /* the legend of a panel; 0 where it is above */
    size_t columns, rows;
} Layout;

static double text_width(const char *text) {
    return text ? drawing_text_width(text) * LABEL_FONT : 0;
}

static double widest_word(const PlotAxis *axis) {
    double widest = 0;
    for (size_t i = 0; i < axis->word_count; i++)
        widest = fmax(widest, text_width(axis->words[i]));
    return widest;
}

static double data_height(const PlotPanel *panel, const Layout *layout) {
    return panel->height > 0      ? panel->height
           : layout->columns == 1 ? 280
           : layout->columns == 2 ? 230
                                  : 210;
}

static int y_tick_count(double height) {
    return (int)fmax(3, height / 45);
}

/* Over all panels of a column, so that their data begins at the same place. */
static double widest_tick(const Plot *plot, const Layout *layout, size_t column) {
    double widest = 0;
    for (size_t i = column; i < plot->panel_count; i += layout->columns) {
        AxisTicks ticks;
        Axis axis = y_axis(&plot->panels[i]);
        axis_ticks(&axis, y_tick_count(data_height(&plot->panels[i], layout)), &ticks);
        for (int j = 0; j < ticks.count; j++)
            widest = fmax(widest, text_width(ticks.labels[j]));
    }
    return widest;
}

static double row_height(const Plot *plot, const Layout *layout, size_t row) {
    double highest = 0;
    for (size_t i = row * layout->columns; i < plot->panel_count && i / layout->columns == row; i++)
        highest = fmax(highest, data_height(&plot->panels[i], layout));
    return 22 + highest + layout->below + 10;
}

/* Whether series number `at` of a panel is the first of its name over all panels. */
static bool first_of_name(const Plot *plot, size_t panel, size_t at) {
    const char *name = plot->panels[panel].series[at].name;
    for (size_t i = 0; i <= panel; i++)
        for (size_t j = 0; j < (i < panel ? plot->panels[i].series_count : at); j++) {
            const char *other = plot->panels[i].series[j].name;
            if (other && strcmp(other, name) == 0)
                return false;
        }
    return true;
}

static void draw_entry(Drawing *drawing, const PlotSeries *series, double x, double y) {
    plot_draw_sample(drawing, series, x, y);
    drawing_text(drawing, x + SAMPLE_WIDTH, y + LABEL_FONT * 0.36, series->name,
                 (DrawingFont){.size = LABEL_FONT, .color = PALETTE_TEXT});
}

/* Draws the common legend (or, with NULL, only measures it) and returns its height. */
static double legend_above(Drawing *drawing, const Plot *plot, const Layout *layout) {
    double x = MARGIN, y = layout->legend_top + PLOT_LEGEND_ROW / 2.0;
    bool any = false;
    for (size_t i = 0; i < plot->panel_count && !plot->legend_beside; i++)
        for (size_t j = 0; j < plot->panels[i].series_count; j++) {
            const PlotSeries *series = &plot->panels[i].series[j];
            if (!series->name || !first_of_name(plot, i, j))
                continue;
            double width = SAMPLE_WIDTH + text_width(series->name);
            if (any && x + width > layout->width - MARGIN) {
                x = MARGIN;
                y += PLOT_LEGEND_ROW;
            }
            any = true;
            if (drawing)
                draw_entry(drawing, series, x, y);
            x += width + LEGEND_GAP;
        }
    return any ? y + PLOT_LEGEND_ROW / 2.0 + 4 - layout->legend_top : plot->legend_beside ? 10 : 0;
}

static void legend_beside(Drawing *drawing, const PlotPanel *panel, const Place *place) {
    double y = place->top + 6;
    for (size_t i = 0; i < panel->series_count; i++)
        if (panel->series[i].name) {
            draw_entry(drawing, &panel->series[i], place->right + LEGEND_GAP, y);
            y += PLOT_LEGEND_ROW;
        }
}

static Place place_of(const Plot *plot, const Layout *layout, size_t index) {
    const PlotPanel *panel = &plot->panels[index];
    size_t column = index % layout->columns, row = index / layout->columns;
    double x = MARGIN + (double)column * layout->cell_width;
    Place place = {.top = layout->panels_top + (panel->title ? 22 : 8)};
    for (size_t i = 0; i < row; i++)
        place.top += row_height(plot, layout, i);
    place.bottom = place.top + data_height(panel, layout);
    place.left =
        x + (panel->y.title && column == 0 ? 18 : 4) + widest_tick(plot, layout, column) + 8;
    double labels = 0;
    for (size_t i = 0; i < panel->rule_count; i++)
        labels = fmax(labels, panel->rules[i].label ? text_width(panel->rules[i].label) + 6 : 0);
    place.right = x + layout->cell_width - fmax(10, labels + 12) - layout->beside;
    double slot = (place.right - place.left) / fmax(1, (double)panel->x.word_count);
    place.slanted = panel->x.word_count > 0 && widest_word(&panel->x) > slot - 4;
    return place;
}

static Layout layout_of(const Plot *plot) {
    assert(plot->panel_count > 0);
    Layout layout = {.width = plot->width > 0 ? plot->width : PLOT_WIDTH,
                     .columns = plot->columns > 0 ? (size_t)plot->columns : 1,
                     .legend_top = MARGIN + TITLE_FONT * 1.5};
    if (layout.columns > plot->panel_count)
        layout.columns = plot->panel_count;
    layout.rows = (plot->panel_count + layout.columns - 1) / layout.columns;
    layout.panels_top = layout.legend_top + legend_above(NULL, plot, &layout);
    layout.cell_width = (layout.width - 2 * MARGIN) / (double)layout.columns;
    for (size_t i = 0; i < plot->panel_count; i++) {
        const PlotPanel *panel = &plot->panels[i];
        for (size_t j = 0; plot->legend_beside && j < panel->series_count; j++)
            layout.beside = fmax(layout.beside, SAMPLE_WIDTH + text_width(panel->series[j].name));
        double words = place_of(plot, &layout, i).slanted ? widest_word(&panel->x) * 0.6 + 12 : 18;
        layout.below = fmax(layout.below, words + (panel->x.title ? 18 : 0));
    }
    return layout;
}

DrawingPage plot_page(const Plot *plot) {
    Layout layout = layout_of(plot);
    double height = layout.panels_top + MARGIN / 2;
    for (size_t i = 0; i < layout.rows; i++)
        height += row_height(plot, &layout, i);
    return (DrawingPage){.draw = plot_draw,
                         .data = plot,
                         .width = layout.width,
                         .height = ceil(height),
                         .label = plot->title};
}

/* ---- drawing */

static void draw_tick_label(Drawing *drawing, double x, double y, const char *label,
                            DrawingAnchor anchor, double degrees) {
    drawing_text(
        drawing, x, y, label,
        (DrawingFont){
            .size = LABEL_FONT, .anchor = anchor, .color = PALETTE_SOFT, .degrees = degrees});
}

static void draw_axes(Drawing *drawing, const PlotPanel *panel, const Place *place,
                      const PlotFrame *frame) {
    AxisTicks ticks;
    axis_ticks(&frame->y, y_tick_count(place->bottom - place->top), &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = axis_place(&frame->y, ticks.values[i]);
        drawing_line(drawing, place->left, y, place->right, y,
                     (DrawingStyle){.stroke = PALETTE_LINES});
        draw_tick_label(drawing, place->left - 6, y + LABEL_FONT * 0.36, ticks.labels[i],
                        DRAWING_RIGHT, 0);
    }
    drawing_line(drawing, place->left, place->bottom, place->right, place->bottom,
                 (DrawingStyle){.stroke = PALETTE_SOFT});
    for (size_t i = 0; i < panel->x.word_count; i++) {
        double x = axis_place(&frame->x, (double)i);
        if (place->slanted)
            draw_tick_label(drawing, x + 4, place->bottom + 13, panel->x.words[i], DRAWING_RIGHT,
                            SLANTED_DEGREES);
        else
            draw_tick_label(drawing, x, place->bottom + 16, panel->x.words[i], DRAWING_MIDDLE, 0);
    }
    if (panel->x.word_count > 0)
        return;
    axis_ticks(&frame->x, (int)fmax(2, (place->right - place->left) / 62), &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = axis_place(&frame->x, ticks.values[i]);
        drawing_line(drawing, x, place->bottom, x, place->bottom + 4,
                     (DrawingStyle){.stroke = PALETTE_SOFT});
        draw_tick_label(drawing, x, place->bottom + 16, ticks.labels[i], DRAWING_MIDDLE, 0);
    }
}

static void draw_titles(Drawing *drawing, const PlotPanel *panel, const Place *place, double below,
                        bool first_column) {
    DrawingFont font = {.size = LABEL_FONT, .anchor = DRAWING_MIDDLE, .color = PALETTE_TEXT};
    double middle = (place->left + place->right) / 2;
    if (panel->x.title)
        drawing_text(drawing, middle, place->bottom + below - 4, panel->x.title, font);
    font.degrees = -90;
    if (panel->y.title && first_column)
        drawing_text(drawing, MARGIN + 10, (place->top + place->bottom) / 2, panel->y.title, font);
    if (panel->title)
        drawing_text(drawing, place->left, place->top - 8, panel->title,
                     (DrawingFont){.size = PANEL_FONT, .color = PALETTE_TEXT, .bold = true});
}

static void draw_rules(Drawing *drawing, const PlotPanel *panel, const Place *place,
                       const Axis *axis) {
    double label_y = -INFINITY; /* rules are given from the top; their labels keep apart */
    for (size_t i = 0; i < panel->rule_count; i++) {
        double y = axis_place(axis, panel->rules[i].y);
        label_y = fmax(y + LABEL_FONT * 0.36, label_y + LABEL_FONT * 1.15);
        drawing_line(drawing, place->left, y, place->right, y,
                     (DrawingStyle){.stroke = PALETTE_TEXT, .dash = 2});
        if (panel->rules[i].label)
            drawing_text(drawing, place->right + 5, label_y, panel->rules[i].label,
                         (DrawingFont){.size = LABEL_FONT, .color = PALETTE_TEXT});
    }
}

static void draw_panel(Drawing *drawing, const Plot *plot, const Layout *layout, size_t index) {
    const PlotPanel *panel = &plot->panels[index];
    Place place = place_of(plot, layout, index);
    PlotFrame frame = {.x = x_axis(panel), .y = y_axis(panel)};
    frame.x.from = place.left, frame.x.to = place.right;
    frame.y.from = place.bottom, frame.y.to = place.top;
    draw_axes(drawing, panel, &place, &frame);
    draw_rules(drawing, panel, &place, &frame.y);
    draw_titles(drawing, panel, &place, layout->below, index % layout->columns == 0);
    if (plot->legend_beside)
        legend_beside(drawing, panel, &place);
    /* A marker on the edge stays whole. */
    drawing_clip(drawing, (DrawingPoint){place.left - 5, place.top - 5},
                 place.right - place.left + 10, place.bottom - place.top + 10);
    for (size_t i = 0; i < panel->series_count; i++)
        frame.of += plot_side_by_side(panel->series[i].mark);
    frame.index = frame.of;
    for (size_t i = panel->series_count; i-- > 0;) { /* the first on top */
        frame.index -= plot_side_by_side(panel->series[i].mark);
        plot_draw_series(drawing, &panel->series[i], &frame);
    }
    drawing_unclip(drawing);
}

void plot_draw(Drawing *drawing, const void *data) {
    const Plot *plot = data;
    Layout layout = layout_of(plot);
    drawing_text(drawing, MARGIN, MARGIN + TITLE_FONT, plot->title,
                 (DrawingFont){.size = TITLE_FONT, .color = PALETTE_TEXT, .bold = true});
    legend_above(drawing, plot, &layout);
    for (size_t i = 0; i < plot->panel_count; i++)
        draw_panel(drawing, plot, &layout, i);
}
