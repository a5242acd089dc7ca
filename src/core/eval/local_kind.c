/* local_kind: four sums over the column heights. */
#include "eval/local_kind.h"

#include <stdlib.h>

static const char *const names[] = {"lines", "holes", "unevenness", "mean_height"};

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    (void)evaluator;
    Placement at = move->placement;
    *after = *move->before;
    values[0] = columns_lock(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    int cells = 0, filled = 0, unevenness = 0, last = columns_height(after->column[0]);
    for (int x = 0; x < after->width; x++) {
        int height = columns_height(after->column[x]);
        unevenness += abs(height - last);
        cells += height;
        filled += __builtin_popcountll(after->column[x]);
        last = height;
    }
    values[1] = cells - filled;
    values[2] = unevenness;
    values[3] = (double)cells / after->width;
}

const EvaluatorKind local_kind = {
    .name = "local",
    .summary = "rows removed, holes, unevenness and mean height",
    .count = 4,
    .moves = 1u << 0,
    .names = names,
    .measure = measure,
};
