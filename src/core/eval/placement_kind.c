/* placement_kind: the board before and after the piece, column by column. */
#include "eval/placement_kind.h"

#include "eval/judge_lanes.h"

#include <stdlib.h>

static const char *const names[PLACEMENT_FEATURES] = {
    [PLACEMENT_SUPPORT] = "support", [PLACEMENT_HOLES] = "holes",   [PLACEMENT_HEIGHT] = "height",
    [PLACEMENT_ROWS] = "rows",       [PLACEMENT_WELLS] = "wells",   [PLACEMENT_SMOOTH] = "smooth",
    [PLACEMENT_RIGHT] = "right",     [PLACEMENT_TETRIS] = "tetris",
};

/* What depends on the columns that the piece touches, before any row goes. */
static void measure_piece(const EvaluatorMove *move, const Columns *filled, double *values) {
    const Shape *shape = &piece_shapes[move->placement.piece][move->placement.rotation];
    const Columns *before = move->before;
    int left = move->placement.x + shape->min_x, low = move->placement.y + shape->min_y;
    int support = 0, holes = 0, right = 0;
    for (int i = 0; i <= shape->max_x - shape->min_x; i++) {
        uint64_t old = before->column[left + i];
        uint64_t cells = (uint64_t)shape->column[i] << low;
        support += __builtin_popcountll(cells & (old << 1 | 1));
        uint64_t covered = columns_holes(filled->column[left + i]) & ~columns_holes(old);
        holes += __builtin_popcountll(covered);
        if (left + i == before->width - 1)
            right = __builtin_popcountll(cells);
    }
    values[PLACEMENT_SUPPORT] = support;
    values[PLACEMENT_HOLES] = holes;
    values[PLACEMENT_HEIGHT] = low;
    values[PLACEMENT_RIGHT] = right;
}

/* Bit x: column x is a well. */
static unsigned wells_of(const int *heights, int width, int depth) {
    unsigned wells = 0;
    for (int x = 0; x < width; x++) {
        bool left = x == 0 || heights[x - 1] - heights[x] >= depth;
        bool right = x == width - 1 || heights[x + 1] - heights[x] >= depth;
        wells |= (unsigned)(left && right) << x;
    }
    return wells;
}

static void heights_of(const Columns *columns, int *heights) {
    for (int x = 0; x < columns->width; x++)
        heights[x] = columns_height(columns->column[x]);
}

unsigned placement_wells(const Columns *columns, int depth) {
    int heights[BOARD_MAX_WIDTH];
    heights_of(columns, heights);
    return wells_of(heights, columns->width, depth);
}

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    Placement at = move->placement;
    *after = *move->before;
    columns_fill(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    measure_piece(move, after, values);
    uint64_t full = columns_full_rows(after);
    if (full)
        columns_remove_rows(after, full);
    int rows = __builtin_popcountll(full), heights[BOARD_MAX_WIDTH];
    int width = after->width, smooth = 0;
    heights_of(after, heights);
    for (int x = 1; x < width; x++)
        smooth += abs(heights[x] - heights[x - 1]);
    unsigned wells = wells_of(heights, width, evaluator->well_depth) &
                     ~placement_wells(move->before, evaluator->well_depth);
    values[PLACEMENT_ROWS] = rows;
    values[PLACEMENT_WELLS] = __builtin_popcount(wells);
    values[PLACEMENT_SMOOTH] = smooth;
    values[PLACEMENT_TETRIS] = rows == 4;
}

const EvaluatorKind placement_kind = {
    .name = "placement",
    .summary = "effects of the placement itself: support, new holes, lines, new wells, last column",
    .count = PLACEMENT_FEATURES,
    .moves = ((1u << PLACEMENT_FEATURES) - 1) & ~(1u << PLACEMENT_SMOOTH),
    .names = names,
    .against = 1u << PLACEMENT_HOLES | 1u << PLACEMENT_HEIGHT | 1u << PLACEMENT_WELLS |
               1u << PLACEMENT_SMOOTH | 1u << PLACEMENT_RIGHT,
    .measure = measure,
    .judge_all = JUDGE_BY_LEVEL(placement),
};
