/* nectar: one walk over the columns measures what all kinds are made of. */
#include "player/nectar.h"

NectarView nectar_look(const Columns *columns, NectarLowest lowest) {
    NectarView view = {0};
    int width = columns->width, height = columns->height, least = BOARD_MAX_ROWS;
    int64_t open = 0, open_cells = 0;
    for (int x = 0; x < width; x++) {
        uint64_t column = columns->column[x];
        uint64_t left = x > 0 ? columns->column[x - 1] : UINT64_MAX;
        uint64_t right = x + 1 < width ? columns->column[x + 1] : UINT64_MAX;
        int top = columns_height(column);
        view.highest = top > view.highest ? top : view.highest;
        least = top < least ? top : least;
        view.covered += top - __builtin_popcountll(column);
        /* The floor is filled; above the column nothing is. */
        view.trapped +=
            __builtin_popcountll(~column & left & right & (column << 1 | 1) & column >> 1);
        if (top < height) {
            open += height * (height + 1) / 2 - top * (top + 1) / 2;
            open_cells += height - top;
        }
    }
    uint64_t full = columns_full_rows(columns);
    view.full = __builtin_popcountll(full);
    view.lowest = lowest == LOWEST_COLUMN ? least : __builtin_ctzll(~full);
    view.open = (double)open / (width * (height * (height + 1) / 2));
    view.open_cells = (double)open_cells / (width * height);
    return view;
}

const NectarWeights nectar_default_weights = {
    .span = 1, .trapped = 3, .covered = 2, .rows = 1000, .height = 1};

double nectar_of(NectarKind kind, const NectarWeights *weights, const NectarView *view,
                 int64_t removed) {
    double rows = (double)(removed + view->full), skyline = (1 + rows) * view->open;
    switch (kind) {
    case NECTAR_SKYLINE_1:
        return view->open_cells;
    case NECTAR_SKYLINE_2:
        return view->open;
    case NECTAR_SKYLINE:
        return skyline;
    case NECTAR_HYBRID:
        return skyline * (1 + rows) /
               (weights->published_hybrid ? 1 + weights->covered * (1 + view->covered)
                                          : 1 + view->covered);
    case NECTAR_WEIGHTS:
    case NECTAR_JUDGED:
        break;
    }
    double against = weights->span * (view->highest - view->lowest) +
                     weights->trapped * view->trapped + weights->covered * view->covered +
                     weights->height * view->highest;
    return against > 0 ? (1 + weights->rows * rows) / against : 0;
}
