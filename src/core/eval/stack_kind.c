/* stack_kind: each feature with its definition, then three walks over the columns. */
#include "eval/stack_kind.h"

#include "eval/judge_lanes.h"

static const char *const names[STACK_FEATURES] = {
    [STACK_ONE] = "one",                       /* 1 for a single */
    [STACK_TWO] = "two",                       /* 1 when two were */
    [STACK_THREE] = "three",                   /* 1 when three were */
    [STACK_FOUR] = "four",                     /* 1 when four were */
    [STACK_I_SPENT] = "i_spent",               /* 1 for an I that did not remove four rows */
    [STACK_HOLES] = "holes",                   /* empty cells under a filled one */
    [STACK_HOLE_DEPTH] = "hole_depth",         /* filled cells above the lowest hole of a column */
    [STACK_HOLE_ROWS] = "hole_rows",           /* rows with a hole */
    [STACK_ROW_CHANGES] = "row_changes",       /* filled to empty and back along the stack's rows */
    [STACK_UNEVEN] = "uneven",                 /* sum of the steps between columns */
    [STACK_UNEVEN_SQUARED] = "uneven_squared", /* of their squares */
    [STACK_WELLS] = "wells",                   /* per column lower than both sides: 1 + 2 + ... */
    [STACK_DEEP_WELLS] = "deep_wells",         /* those of depth 3 and more: only I fits */
    [STACK_SHAFT_HEIGHT] = "shaft_height",     /* of the last column */
    [STACK_READY] = "ready",           /* rows, up to 4, that only lack the shaft, from its floor */
    [STACK_READY_MORE] = "ready_more", /* those above four */
    [STACK_HEIGHT] = "height",         /* mean of the stack's columns */
    [STACK_DANGER] = "danger",         /* the square of the rows above half the board's height */
    [STACK_FITS] = "fits",             /* how many of the six other pieces than I fit somewhere */
    [STACK_HOLD_I] = "hold_i",         /* 1 when I is held */
};

/* How many of OSZTJL find a place on the stack where they leave no gap. `steps[d + 2]` has bit x
 * when column x + 1 is d rows higher than column x. */
static int fitting_pieces(const unsigned *steps) {
    unsigned down2 = steps[0], down = steps[1], flat = steps[2], up = steps[3], up2 = steps[4];
    unsigned o = flat;
    unsigned s = down | (flat & up >> 1);
    unsigned z = up | (down & flat >> 1);
    unsigned t = up | down | (flat & flat >> 1);
    unsigned j = flat | up2 | (flat & down >> 1);
    unsigned l = flat | down2 | (up & flat >> 1);
    return (o != 0) + (s != 0) + (z != 0) + (t != 0) + (j != 0) + (l != 0);
}

static int clamped(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* The surface of the stack: its steps and its wells. */
static void measure_surface(const int *heights, int width, double *values) {
    enum { WALL = 100 }; /* higher than any column */
    unsigned steps[5] = {0};
    int uneven = 0, squared = 0, wells = 0, deep = 0, left = WALL;
    for (int x = 0; x < width; x++) {
        int right = x + 1 < width ? heights[x + 1] : WALL, step = right - heights[x];
        if (x + 1 < width) {
            uneven += step < 0 ? -step : step;
            squared += step * step;
            if (step >= -2 && step <= 2)
                steps[step + 2] |= 1u << x;
        }
        int depth = (left < right ? left : right) - heights[x];
        if (depth > 0) {
            wells += depth * (depth + 1) / 2;
            deep += depth >= 3;
        }
        left = heights[x];
    }
    values[STACK_UNEVEN] = uneven;
    values[STACK_UNEVEN_SQUARED] = squared;
    values[STACK_WELLS] = wells;
    values[STACK_DEEP_WELLS] = deep;
    values[STACK_FITS] = fitting_pieces(steps);
}

/* Holes, heights and the shaft. */
static void measure_board(const Columns *columns, double *values) {
    int width = columns->width - 1, heights[BOARD_MAX_WIDTH], highest = 0, sum = 0;
    int holes = 0, depth = 0, changes = 0;
    uint64_t hole_rows = 0, full = UINT64_MAX, left = UINT64_MAX;
    for (int x = 0; x <= width; x++) {
        uint64_t column = columns->column[x];
        heights[x] = columns_height(column);
        highest = heights[x] > highest ? heights[x] : highest;
        uint64_t gaps = columns_holes(column);
        hole_rows |= gaps;
        holes += __builtin_popcountll(gaps);
        depth += __builtin_popcountll(column & (column + 1));
    }
    uint64_t rows = ((uint64_t)1 << highest) - 1;
    for (int x = 0; x < width; x++) {
        uint64_t column = columns->column[x];
        changes += __builtin_popcountll((left ^ column) & rows);
        full &= column;
        sum += heights[x];
        left = column;
    }
    changes += __builtin_popcountll(~left & rows);
    int ready = __builtin_ctzll(~(full >> heights[width]));
    int danger = clamped(highest - columns->height / 2, 0, BOARD_MAX_ROWS);
    values[STACK_HOLES] = holes;
    values[STACK_HOLE_DEPTH] = depth;
    values[STACK_HOLE_ROWS] = __builtin_popcountll(hole_rows);
    values[STACK_ROW_CHANGES] = changes;
    values[STACK_SHAFT_HEIGHT] = heights[width];
    values[STACK_READY] = clamped(ready, 0, 4);
    values[STACK_READY_MORE] = clamped(ready - 4, 0, BOARD_MAX_ROWS);
    values[STACK_HEIGHT] = (double)sum / width;
    values[STACK_DANGER] = danger * danger;
    measure_surface(heights, width, values);
}

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    (void)evaluator;
    Placement at = move->placement;
    *after = *move->before;
    int lines = columns_lock(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    for (int i = STACK_ONE; i <= STACK_FOUR; i++)
        values[i] = lines == i + 1;
    values[STACK_I_SPENT] = at.piece == PIECE_I && lines < 4;
    values[STACK_HOLD_I] = move->hold == PIECE_I;
    measure_board(after, values);
}

const EvaluatorKind stack_kind = {
    .name = "stack",
    .summary = "a stack beside an open last column, for tetrises",
    .count = STACK_FEATURES,
    .moves = (1u << STACK_HOLES) - 1,
    .names = names,
    .measure = measure,
    .judge_all = JUDGE_BY_LEVEL(stack),
};
