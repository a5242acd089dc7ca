/* features: each column as a word; counts of bits are counts of cells. */
#include "eval/features.h"

const char *const feature_names[FEATURE_COUNT] = {
    [FEATURE_LANDING_HEIGHT] = "landing_height",
    [FEATURE_ERODED_CELLS] = "eroded_cells",
    [FEATURE_ROW_TRANSITIONS] = "row_transitions",
    [FEATURE_COLUMN_TRANSITIONS] = "column_transitions",
    [FEATURE_HOLES] = "holes",
    [FEATURE_WELLS] = "wells",
    [FEATURE_HOLE_DEPTH] = "hole_depth",
    [FEATURE_ROWS_WITH_HOLES] = "rows_with_holes",
    [FEATURE_DIVERSITY] = "diversity",
    [FEATURE_ROWS_REMOVED] = "rows_removed",
};

const char *const feature_meanings[FEATURE_COUNT] = {
    [FEATURE_LANDING_HEIGHT] = "the middle of the piece as it lands, in rows above the floor row",
    [FEATURE_ERODED_CELLS] = "lines cleared times the cells of the piece in them",
    [FEATURE_ROW_TRANSITIONS] = "changes between filled and empty along the rows, walls filled",
    [FEATURE_COLUMN_TRANSITIONS] = "changes along the columns, floor filled, above the board empty",
    [FEATURE_HOLES] = "empty cells with a filled one above",
    [FEATURE_WELLS] = "for every empty cell between two filled ones, 1 + the empty cells below it",
    [FEATURE_HOLE_DEPTH] = "filled cells above the lowest empty cell of each column",
    [FEATURE_ROWS_WITH_HOLES] = "rows that hold at least one hole",
    [FEATURE_DIVERSITY] = "distinct steps between neighbouring column heights within -2..2",
    [FEATURE_ROWS_REMOVED] = "rows removed",
};

static uint64_t rows_below(int count) {
    return ((uint64_t)1 << count) - 1;
}

/* The runs of empty cells that end, upwards, at the cells of `column` whose two sides are filled.
 * Step k counts those with k more empty cells below; nothing is empty under the floor. */
static int wells_of_column(uint64_t column, uint64_t sides) {
    int runs = 0;
    uint64_t empty = ~column;
    for (uint64_t cells = empty & sides; cells; cells &= empty) {
        runs += __builtin_popcountll(cells);
        empty <<= 1;
    }
    return runs;
}

void features_of_board(const Columns *columns, Features *features) {
    *features = (Features){{0}};
    int *values = features->values;
    int highest = columns_highest(columns), last = columns->width - 1;
    uint64_t rows = rows_below(highest > columns->height ? highest : columns->height);
    uint64_t hole_rows = 0, left = UINT64_MAX;
    unsigned steps = 0; /* bit 2 + d: neighbours that differ by d */
    for (int x = 0; x <= last; x++) {
        uint64_t column = columns->column[x];
        uint64_t right = x < last ? columns->column[x + 1] : UINT64_MAX;
        int height = columns_height(column);
        uint64_t holes = columns_holes(column);
        hole_rows |= holes;
        values[FEATURE_ROW_TRANSITIONS] += __builtin_popcountll((left ^ column) & rows);
        values[FEATURE_COLUMN_TRANSITIONS] += __builtin_popcountll(column ^ (column << 1 | 1));
        values[FEATURE_HOLES] += __builtin_popcountll(holes);
        values[FEATURE_WELLS] += wells_of_column(column, left & right);
        values[FEATURE_HOLE_DEPTH] += __builtin_popcountll(column & (column + 1));
        if (x < last) {
            int step = columns_height(right) - height;
            steps |= step >= -2 && step <= 2 ? 1u << (step + 2) : 0;
        }
        left = column;
    }
    values[FEATURE_ROW_TRANSITIONS] += __builtin_popcountll(~left & rows);
    values[FEATURE_ROWS_WITH_HOLES] = __builtin_popcountll(hole_rows);
    values[FEATURE_DIVERSITY] = __builtin_popcount(steps);
}

void features_of_placement(Columns *columns, Placement placement, Features *features) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    int low = placement.y + shape->min_y;
    columns_fill(columns, (Piece)placement.piece, (Rotation)placement.rotation, placement.x,
                 placement.y);
    uint64_t full = columns_full_rows(columns);
    int cells = 0;
    if (full) {
        for (int i = 0; i < 4; i++)
            cells += (int)(full >> (placement.y + shape->cells[i].y) & 1);
        columns_remove_rows(columns, full);
    }
    features_of_board(columns, features);
    int removed = __builtin_popcountll(full);
    features->values[FEATURE_LANDING_HEIGHT] = 2 * low + shape->max_y - shape->min_y;
    features->values[FEATURE_ERODED_CELLS] = removed * cells;
    features->values[FEATURE_ROWS_REMOVED] = removed;
}
