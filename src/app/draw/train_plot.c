#include "draw/train_plot.h"

#ifndef TETROPT_CAIRO

bool train_plot_possible(Status *status) {
    return status_fail(status, STATUS_INPUT, "this tetropt was built without cairo");
}

bool train_plot_draw(const TrainPlot *plot, PictureFormat format, Text *bytes, Status *status) {
    (void)plot, (void)format, (void)bytes;
    return train_plot_possible(status);
}

#else

#include "draw/canvas.h"
#include "draw/chart.h"
#include "draw/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 1000,
    MARGIN = 18,
    HEADING = 34,
    SCORE_HEIGHT = 250,
    RATE_HEIGHT = 190,
    WEIGHTS_HEIGHT = 390,
    CHART_WIDTH = WIDTH - 2 * MARGIN
};

/* The columns of numbers; those of the weights follow. */
enum { GENERATION, BEST, MEAN, RATE, COLUMNS };

/* The rows as columns. */
typedef struct Table {
    const TrainPlot *plot;
    double *columns; /* COLUMNS + weights of them, plot->count each */
    bool points;     /* the rate is points per piece; else lines per piece */
} Table;

static double *column(const Table *table, int index) {
    return table->columns + (size_t)index * table->plot->count;
}

static void fill(Table *table) {
    const TrainPlot *plot = table->plot;
    for (size_t i = 0; i < plot->count; i++)
        table->points |= isfinite(plot->rows[i].points_per_piece);
    for (size_t i = 0; i < plot->count; i++) {
        const TrainRow *row = &plot->rows[i];
        column(table, GENERATION)[i] = (double)row->generation;
        column(table, BEST)[i] = row->best;
        column(table, MEAN)[i] = row->mean;
        column(table, RATE)[i] = table->points ? row->points_per_piece : row->lines_per_piece;
        for (int k = 0; k < plot->weights; k++)
            column(table, COLUMNS + k)[i] = row->weights[k];
    }
}

static Chart new_chart(const Table *table, const char *title) {
    return (Chart){.title = title,
                   .x_title = "generation",
                   .x = column(table, GENERATION),
                   .count = table->plot->count};
}

static void draw_heading(cairo_t *cairo, const char *title) {
    panel_color(cairo, 0xffffff);
    cairo_paint(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cairo, 16);
    panel_color(cairo, PANEL_INK);
    cairo_move_to(cairo, MARGIN, MARGIN + 14);
    cairo_show_text(cairo, title);
}

static void draw_scores(cairo_t *cairo, const Table *table, double y) {
    char title[96];
    snprintf(title, sizeof title, "%s of the candidates, on the seeds of their generation",
             table->plot->measure);
    Chart chart = new_chart(table, title);
    chart.lines[0] = (ChartLine){"best of the generation", column(table, BEST), 1};
    chart.lines[1] = (ChartLine){"mean", column(table, MEAN), 1.3};
    chart.line_count = 2;
    chart.logarithmic = true;
    chart_draw(cairo, &chart, MARGIN, y, CHART_WIDTH, SCORE_HEIGHT);
}

static void draw_rate(cairo_t *cairo, const Table *table, double y) {
    Chart chart = new_chart(table, table->points ? "points per piece" : "lines per piece");
    chart.lines[0] = (ChartLine){"best of the generation", column(table, RATE), 1};
    chart.line_count = 1;
    chart_draw(cairo, &chart, MARGIN, y, CHART_WIDTH, RATE_HEIGHT);
}

static void draw_weights(cairo_t *cairo, const Table *table, double y) {
    const TrainPlot *plot = table->plot;
    Chart chart = new_chart(table, "weights");
    for (int k = 0; k < plot->weights; k++)
        if (!(plot->hidden >> k & 1))
            chart.lines[chart.line_count++] =
                (ChartLine){plot->names[k], column(table, COLUMNS + k), 1};
    chart.by_end = true;
    chart_draw(cairo, &chart, MARGIN, y, CHART_WIDTH, WEIGHTS_HEIGHT);
}

static void draw(cairo_t *cairo, const void *data) {
    const Table *table = data;
    draw_heading(cairo, table->plot->title);
    draw_scores(cairo, table, MARGIN + HEADING);
    draw_rate(cairo, table, MARGIN + HEADING + SCORE_HEIGHT);
    draw_weights(cairo, table, MARGIN + HEADING + SCORE_HEIGHT + RATE_HEIGHT);
}

bool train_plot_possible(Status *status) {
    (void)status;
    return true;
}

bool train_plot_draw(const TrainPlot *plot, PictureFormat format, Text *bytes, Status *status) {
    Table table = {
        .plot = plot,
        .columns = calloc((COLUMNS + (size_t)plot->weights) * plot->count, sizeof *table.columns)};
    if (!table.columns)
        return status_no_memory(status);
    fill(&table);
    double height = 2 * MARGIN + HEADING + SCORE_HEIGHT + RATE_HEIGHT + WEIGHTS_HEIGHT;
    bool ok = canvas_render(WIDTH, height, format, draw, &table, bytes, status);
    free(table.columns);
    return ok;
}

#endif
