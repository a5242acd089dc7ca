/* train_plot: a training over its generations as a plot: score, points per piece, weights. */
#ifndef TETROPT_DRAW_TRAIN_PLOT_H
#define TETROPT_DRAW_TRAIN_PLOT_H

#include "base/status.h"
#include "train/trainer.h"

typedef struct TrainPlot {
    const char *title;
    const char *measure; /* what scores count */
    const TrainRow *rows;
    size_t count;             /* at least 1 */
    const char *const *names; /* of the weights */
    int weights;
    uint64_t hidden; /* bit i: weight i is not drawn (it was pinned) */
} TrainPlot;

/* Writes the plot to a file, in the format that the ending of its name asks for. */
bool train_plot_write(const TrainPlot *plot, const char *path, Status *status);

#endif
