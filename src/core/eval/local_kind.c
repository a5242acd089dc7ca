/* local_kind: a few sums over the column heights. */
#include "eval/local_kind.h"

#include "eval/judge_lanes.h"

#include <stdlib.h>

static const char *const names[LOCAL_FEATURES] = {"lines", "holes", "unevenness", "mean_height",
                                                  "height_range"};

/* Everything but the lines, on a board; returns the highest column. */
static int measure_board(const Columns *columns, double *values) {
    int cells = 0, filled = 0, unevenness = 0, highest = 0;
    int last = columns_height(columns->column[0]);
    for (int x = 0; x < columns->width; x++) {
        int height = columns_height(columns->column[x]);
        unevenness += abs(height - last);
        cells += height;
        filled += __builtin_popcountll(columns->column[x]);
        highest = height > highest ? height : highest;
        last = height;
    }
    values[LOCAL_HOLES] = cells - filled;
    values[LOCAL_UNEVENNESS] = unevenness;
    values[LOCAL_MEAN_HEIGHT] = (double)cells / columns->width;
    return highest;
}

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    (void)evaluator;
    Placement at = move->placement;
    *after = *move->before;
    values[LOCAL_LINES] = columns_lock(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    measure_board(after, values);
}

static void measure_published(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                              double *values) {
    (void)evaluator;
    Placement at = move->placement;
    *after = *move->before;
    columns_fill(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    int highest = measure_board(after, values);
    uint64_t full = columns_full_rows(after);
    if (full) {
        double holes = values[LOCAL_HOLES];
        columns_remove_rows(after, full);
        highest = measure_board(after, values);
        values[LOCAL_HOLES] = holes;
    }
    values[LOCAL_LINES] = __builtin_popcountll(full);
    values[LOCAL_HEIGHT_RANGE] = highest - values[LOCAL_MEAN_HEIGHT];
}

const EvaluatorKind local_kind = {
    .name = "local",
    .summary = "lines cleared, holes, bumpiness and mean height",
    .count = LOCAL_HEIGHT_RANGE,
    .moves = 1u << LOCAL_LINES,
    .names = names,
    .measure = measure,
    .judge_all = JUDGE_BY_LEVEL(local),
};

const EvaluatorKind local_published_kind = {
    .name = "local-published",
    .summary = "as local, but holes before lines are cleared; highest column minus mean height",
    .count = LOCAL_FEATURES,
    .moves = 1u << LOCAL_LINES,
    .names = names,
    .measure = measure_published,
    .judge_all = JUDGE_BY_LEVEL(local),
};
