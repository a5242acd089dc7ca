/*
 * train_plot: the rows of a training as panels below each other, each with its own legend: score,
 * pieces allowed (where they grow), points per piece, weights.
 *
 * Weights are listed in the order of their last values, as they stand at the right edge. Of more
 * weights than the legend has lines, those with the smallest last values are thin grey lines.
 */
#include "draw/train_plot.h"

#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1000, SCORE_HEIGHT = 190, RATE_HEIGHT = 125, WEIGHTS_HEIGHT = 330, PANELS = 4 };
enum { MAX_NAMED = WEIGHTS_HEIGHT / PLOT_LEGEND_ROW };

/* The columns of numbers; those of the weights follow. */
enum { GENERATION, BEST, MEAN, ALLOWED, RATE, COLUMNS };

#define LOG_RATIO 20 /* scores that differ by less are shown as well by a linear axis */

/* A line through a column. */
static PlotSeries line(const TrainPlot *plot, double *columns, int column, const char *name,
                       int style) {
    return (PlotSeries){.name = name,
                        .mark = PLOT_LINE,
                        .style = style,
                        .count = plot->count,
                        .x = columns,
                        .y = columns + (size_t)column * plot->count};
}

static bool wants_log(const PlotSeries *series, size_t count) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < series[i].count; j++)
            if (isfinite(series[i].y[j])) {
                low = fmin(low, series[i].y[j]);
                high = fmax(high, series[i].y[j]);
            }
    return low > 0 && high > LOG_RATIO * low;
}

static double last_of(const PlotSeries *series) {
    return series->y[series->count - 1];
}

static int by_column(const PlotSeries *a, const PlotSeries *b) {
    return (a->y > b->y) - (a->y < b->y);
}

static int by_size(const void *a, const void *b) {
    double x = fabs(last_of(a)), y = fabs(last_of(b));
    return x != y ? (x < y) - (x > y) : by_column(a, b);
}

static int by_value(const void *a, const void *b) {
    double x = last_of(a), y = last_of(b);
    return x != y ? (x < y) - (x > y) : by_column(a, b);
}

/* Sorts the weights and gives them their styles; `rest` is for the name of those left over. */
static void style_weights(PlotSeries *series, size_t count, char *rest, size_t bytes) {
    size_t named = count <= MAX_NAMED ? count : MAX_NAMED - 1;
    qsort(series, count, sizeof *series, by_size);
    qsort(series, named, sizeof *series, by_value);
    for (size_t i = 0; i < named; i++)
        series[i].style = (int)i;
    for (size_t i = named; i < count; i++) {
        series[i].style = PLOT_FAINT;
        series[i].name = i == named ? rest : NULL;
    }
    snprintf(rest, bytes, "%zu smaller ones", count - named);
}

static double *new_columns(const TrainPlot *plot, bool *points) {
    size_t count = plot->count;
    double *columns = calloc((COLUMNS + (size_t)plot->weights) * count, sizeof *columns);
    *points = false;
    for (size_t i = 0; i < count; i++)
        *points |= isfinite(plot->rows[i].points_per_piece);
    for (size_t i = 0; columns && i < count; i++) {
        const TrainRow *row = &plot->rows[i];
        columns[GENERATION * count + i] = (double)row->generation;
        columns[BEST * count + i] = row->best;
        columns[MEAN * count + i] = row->mean;
        columns[ALLOWED * count + i] = (double)row->pieces_allowed;
        columns[RATE * count + i] = *points ? row->points_per_piece : row->lines_per_piece;
        for (int k = 0; k < plot->weights; k++)
            columns[(size_t)(COLUMNS + k) * count + i] = row->weights[k];
    }
    return columns;
}

/* True when the limit of pieces grew. */
static bool limit_grows(const TrainPlot *plot) {
    return plot->rows[0].pieces_allowed != plot->rows[plot->count - 1].pieces_allowed;
}

bool train_plot_write(const TrainPlot *plot, const char *path, Status *status) {
    enum { LINES = COLUMNS - BEST }; /* before those of the weights */
    bool points;
    double *columns = new_columns(plot, &points);
    PlotSeries *series = calloc(LINES + (size_t)plot->weights, sizeof *series);
    if (!columns || !series) {
        free(columns);
        free(series);
        return status_no_memory(status);
    }
    PlotSeries *score = series, *allowed = series + 2, *rate = series + 3,
               *weights = series + LINES;
    score[0] = line(plot, columns, BEST, "best of the generation", 0);
    score[1] = line(plot, columns, MEAN, "mean", 1);
    *allowed = line(plot, columns, ALLOWED, "limit of a game", 0);
    allowed->mark = PLOT_STEPS;
    *rate = line(plot, columns, RATE, "best of the generation", 0);
    size_t shown = 0, count = 0;
    for (int k = 0; k < plot->weights; k++)
        if (!(plot->hidden >> k & 1))
            weights[shown++] = line(plot, columns, COLUMNS + k, plot->names[k], 0);
    char rest[40], title[96];
    style_weights(weights, shown, rest, sizeof rest);
    snprintf(title, sizeof title, "%s of the candidates, on the seeds of their generation",
             plot->measure);
    PlotPanel panels[PANELS];
    panels[count++] = (PlotPanel){.title = title,
                                  .y = {.log = wants_log(score, 2)},
                                  .series = score,
                                  .series_count = 2,
                                  .height = SCORE_HEIGHT};
    if (limit_grows(plot))
        panels[count++] = (PlotPanel){.title = "pieces allowed",
                                      .y = {.log = wants_log(allowed, 1)},
                                      .series = allowed,
                                      .series_count = 1,
                                      .height = RATE_HEIGHT};
    panels[count++] = (PlotPanel){.title = points ? "points per piece" : "lines per piece",
                                  .series = rate,
                                  .series_count = 1,
                                  .height = RATE_HEIGHT};
    panels[count++] = (PlotPanel){
        .title = "weights", .series = weights, .series_count = shown, .height = WEIGHTS_HEIGHT};
    for (size_t i = 0; i < count; i++)
        panels[i].x = (PlotAxis){.title = "generation", .whole = true};
    Plot all = {.title = plot->title,
                .panels = panels,
                .panel_count = count,
                .width = WIDTH,
                .legend_beside = true};
    DrawingPage page = plot_page(&all);
    bool ok = drawing_write(&page, path, status);
    free(columns);
    free(series);
    return ok;
}
