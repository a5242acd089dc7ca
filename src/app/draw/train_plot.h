/*
 * train_plot: a training over its generations: score, points per piece, weights.
 *
 * A build without cairo has this function too; it fails with a message that says so.
 */
#ifndef TETROPT_DRAW_TRAIN_PLOT_H
#define TETROPT_DRAW_TRAIN_PLOT_H

#include "base/text.h"
#include "draw/picture.h"
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

/* True when this build can draw; else `status` says why not. To be asked before hours are spent. */
bool train_plot_possible(Status *status);

/* Adds the bytes of the file to `bytes`. */
bool train_plot_draw(const TrainPlot *plot, PictureFormat format, Text *bytes, Status *status);

#endif
