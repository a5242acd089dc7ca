/*
 * judge_body: one instance of judge_lanes. A template: the includer defines TARGET, the function
 * attribute that allows the instructions, JUDGE(kind), the names of its functions, and LANES_AVX2
 * where there is AVX2.
 *
 * A lane holds a column of the board as 32 bits, so the board and the piece must stay below row
 * LANES_ROWS; higher boards and placements that clear lines are left to the kind's `measure`. All
 * features are integers (the mean height is divided at the end), and the weighted sums are made in
 * the order of the features, so the values have the same bits as those of evaluator_judge.
 */
#include "eval/judge_lanes.h"
#include "eval/lanes.h"
#include "eval/local_kind.h"
#include "eval/placement_kind.h"
#include "eval/stack_kind.h"

enum {
    LANES_ROWS = 30, /* of a board */
    LANES_UPRIGHT_ROWS = 4
};

typedef int32_t LanesHalf __attribute__((vector_size(2 * LANES)));
typedef double LanesHalfReal __attribute__((vector_size(4 * LANES)));

/* In halves, which fit registers: compilers take wider vectors apart number by number. */
typedef struct LanesReal {
    LanesHalfReal half[2];
} LanesReal;

/* What the features are counted from: placements of one piece that clear no line. */
typedef struct LanesMove {
    const Columns *before;
    Piece piece, hold;
    unsigned wells;                 /* before the placement; only for the kind `placement` */
    Lanes columns[BOARD_MAX_WIDTH]; /* after the placement */
    Lanes low;                      /* the lowest row of the piece */
} LanesMove;

/* Counts the features into `values`. */
typedef void LanesMeasure(const Evaluator *evaluator, const LanesMove *move, LanesReal *values);

INLINE LanesReal lanes_real(Lanes v) {
    LanesHalf half[2];
    memcpy(half, &v, sizeof v);
    return (LanesReal){{__builtin_convertvector(half[0], LanesHalfReal),
                        __builtin_convertvector(half[1], LanesHalfReal)}};
}

INLINE LanesReal lanes_real_splat(double value) {
    const LanesHalfReal half = (LanesHalfReal){0} + value;
    return (LanesReal){{half, half}};
}

INLINE LanesReal lanes_divided(Lanes v, int divisor) {
    LanesReal real = lanes_real(v);
    return (LanesReal){{real.half[0] / (double)divisor, real.half[1] / (double)divisor}};
}

/* Places the pieces; the lanes behind the last of `count` repeat it. Returns the full rows. */
INLINE Lanes lanes_place(LanesMove *move, const Placement *placements, int count) {
    /* The cells of the pieces; a shape may reach four columns beyond the board, with none. */
    uint32_t low[LANES], cells[BOARD_MAX_WIDTH + 4][LANES];
    int width = move->before->width;
    memset(cells, 0, (size_t)(width + 4) * sizeof *cells);
    for (int i = 0; i < LANES; i++) {
        const Placement *at = &placements[i < count ? i : count - 1];
        const Shape *shape = &piece_shapes[at->piece][at->rotation];
        int left = at->x + shape->min_x;
        low[i] = (uint32_t)(at->y + shape->min_y);
        for (int k = 0; k < 4; k++)
            cells[left + k][i] = (uint32_t)shape->column[k] << low[i];
    }
    memcpy(&move->low, low, sizeof low);
    Lanes full = ~(Lanes){0};
    for (int x = 0; x < width; x++) {
        Lanes placed;
        memcpy(&placed, cells[x], sizeof placed);
        move->columns[x] = placed | (uint32_t)move->before->column[x];
        full &= move->columns[x];
    }
    return full;
}

/* The weighted sum of the features in `which`, in their order. */
INLINE void lanes_add_up(const Evaluator *evaluator, const LanesReal *features, uint64_t which,
                         double sums[LANES]) {
    LanesReal sum = lanes_real_splat(0);
    which &= ((uint64_t)1 << evaluator->kind->count) - 1;
    for (; which; which &= which - 1) {
        int i = __builtin_ctzll(which);
        sum.half[0] += evaluator->weights[i] * features[i].half[0];
        sum.half[1] += evaluator->weights[i] * features[i].half[1];
    }
    memcpy(sums, &sum, sizeof sum);
}

/* As evaluator_judge_all, with a kind's LanesMeasure. */
INLINE void lanes_judge_all(const Evaluator *evaluator, const EvaluatorTurn *turn,
                            const Placement *placements, int count, EvaluatorValue *values,
                            LanesMeasure *measure) {
    const EvaluatorKind *kind = evaluator->kind;
    if (count == 0)
        return;
    LanesMove move; /* columns and low are set for every eight */
    move.before = turn->before;
    move.piece = (Piece)placements[0].piece;
    move.hold = turn->hold;
    move.wells = kind == &placement_kind ? placement_wells(turn->before, evaluator->well_depth) : 0;
    bool low = columns_highest(turn->before) + LANES_UPRIGHT_ROWS <= LANES_ROWS;
    for (int first = 0; first < count; first += LANES) {
        int lanes = count - first < LANES ? count - first : LANES;
        Lanes full = lanes_splat(1);
        double moves[LANES], boards[LANES];
        if (low) {
            full = lanes_place(&move, placements + first, lanes);
            LanesReal features[EVALUATOR_MAX];
            measure(evaluator, &move, features);
            lanes_add_up(evaluator, features, kind->moves, moves);
            lanes_add_up(evaluator, features, ~kind->moves, boards);
        }
        for (int i = 0; i < lanes; i++) {
            Columns after;
            EvaluatorMove one = {turn->before, placements[first + i], turn->hold};
            values[first + i] = full[i] ? evaluator_judge(evaluator, &one, &after)
                                        : (EvaluatorValue){moves[i], boards[i]};
        }
    }
}

/* As stack_kind.c. `heights` has the columns of the stack. */
INLINE void measure_stack_surface(const Lanes *heights, int width, LanesReal *values) {
    /* A step as a bit; steps of more than two rows are all the same. */
    enum { DOWN_2 = 1, DOWN = 2, FLAT = 4, UP = 8, UP_2 = 16, STEEP = 5 };
    const Lanes none = {0}, wall = lanes_splat(100);
    Lanes uneven = none, squared = none, wells = none, deep = none, left = wall;
    Lanes last = none, last_flat = none; /* the step before, and whether it was flat */
    Lanes any = none, after_flat = none, before_flat = none;
    for (int x = 0; x < width; x++) {
        Lanes right = wall;
        if (x + 1 < width) {
            right = heights[x + 1];
            Lanes step = right - heights[x];
            uneven += lanes_absolute(step);
            squared += step * step;
            Lanes bit = lanes_bit(lanes_smaller((step + 2) & 0xff, lanes_splat(STEEP)));
            Lanes flat = (Lanes)(bit == FLAT);
            any |= bit;
            after_flat |= bit & last_flat;
            before_flat |= last & flat;
            last = bit;
            last_flat = flat;
        }
        Lanes depth = lanes_not_negative(lanes_smaller(left, right) - heights[x]);
        wells += depth * (depth + 1) >> 1;
        deep -= (Lanes)((LanesSigned)depth >= 3);
        left = heights[x];
    }
    /* The pieces OSZTJL, as fitting_pieces; a comparison that holds is -1. */
    Lanes fits = (Lanes)((any & FLAT) != 0) + (Lanes)(((any & DOWN) | (after_flat & UP)) != 0) +
                 (Lanes)(((any & UP) | (before_flat & DOWN)) != 0) +
                 (Lanes)(((any & (UP | DOWN)) | (after_flat & FLAT)) != 0) +
                 (Lanes)(((any & (FLAT | UP_2)) | (after_flat & DOWN)) != 0) +
                 (Lanes)(((any & (FLAT | DOWN_2)) | (before_flat & UP)) != 0);
    values[STACK_UNEVEN] = lanes_real(uneven);
    values[STACK_UNEVEN_SQUARED] = lanes_real(squared);
    values[STACK_WELLS] = lanes_real(wells);
    values[STACK_DEEP_WELLS] = lanes_real(deep);
    values[STACK_FITS] = lanes_real(-fits);
}

INLINE void measure_stack(const Evaluator *evaluator, const LanesMove *move, LanesReal *values) {
    (void)evaluator;
    const Lanes none = {0};
    int width = move->before->width - 1;
    Lanes heights[BOARD_MAX_WIDTH], holes = none, depth = none, changes = none, sum = none;
    Lanes hole_rows = none, rows = none, full = ~none, left = ~none;
    for (int x = 0; x <= width; x++) {
        heights[x] = lanes_height(move->columns[x]);
        Lanes column = move->columns[x], below = lanes_below(heights[x]), gaps = below & ~column;
        rows |= below;
        hole_rows |= gaps;
        holes += lanes_bits(gaps);
        depth += lanes_bits(column & (column + 1));
    }
    for (int x = 0; x < width; x++) {
        changes += lanes_bits((left ^ move->columns[x]) & rows);
        left = move->columns[x];
        full &= left;
        sum += heights[x];
    }
    changes += lanes_bits(~left & rows);
    Lanes complete = full >> heights[width];
    Lanes ready = lanes_bit_number(~complete & (complete + 1));
    Lanes danger =
        lanes_not_negative(lanes_bit_number(rows + 1) - (uint32_t)(move->before->height / 2));
    for (int i = STACK_ONE; i <= STACK_FOUR; i++)
        values[i] = lanes_real_splat(0);
    values[STACK_I_SPENT] = lanes_real_splat(move->piece == PIECE_I);
    values[STACK_HOLD_I] = lanes_real_splat(move->hold == PIECE_I);
    values[STACK_HOLES] = lanes_real(lanes_sum(holes));
    values[STACK_HOLE_DEPTH] = lanes_real(lanes_sum(depth));
    values[STACK_HOLE_ROWS] = lanes_real(lanes_count(hole_rows));
    values[STACK_ROW_CHANGES] = lanes_real(lanes_sum(changes));
    values[STACK_SHAFT_HEIGHT] = lanes_real(heights[width]);
    values[STACK_READY] = lanes_real(lanes_smaller(ready, lanes_splat(4)));
    values[STACK_READY_MORE] = lanes_real(lanes_not_negative(ready - 4));
    values[STACK_HEIGHT] = lanes_divided(sum, width);
    values[STACK_DANGER] = lanes_real(danger * danger);
    measure_stack_surface(heights, width, values);
}

/* As placement_kind.c. */
INLINE void measure_placement(const Evaluator *evaluator, const LanesMove *move,
                              LanesReal *values) {
    const Columns *before = move->before;
    const Lanes none = {0}, wall = lanes_splat(100);
    int width = before->width;
    Lanes support = none, holes = none, smooth = none, well_count = none;
    Lanes heights[BOARD_MAX_WIDTH], cells = none;
    for (int x = 0; x < width; x++) {
        uint32_t old = (uint32_t)before->column[x];
        heights[x] = lanes_height(move->columns[x]);
        Lanes column = move->columns[x], below = lanes_below(heights[x]);
        cells = column & ~old;
        support += lanes_bits(cells & (old << 1 | 1));
        holes += lanes_bits(below & ~column & ~(uint32_t)columns_holes(old));
    }
    for (int x = 0; x < width; x++) {
        Lanes left = x > 0 ? heights[x - 1] : wall, right = x + 1 < width ? heights[x + 1] : wall;
        if (x > 0)
            smooth += lanes_absolute(heights[x] - left);
        Lanes depth = lanes_smaller(left, right) - heights[x];
        if (!(move->wells >> x & 1))
            well_count -= (Lanes)((LanesSigned)depth >= evaluator->well_depth);
    }
    values[PLACEMENT_SUPPORT] = lanes_real(lanes_sum(support));
    values[PLACEMENT_HOLES] = lanes_real(lanes_sum(holes));
    values[PLACEMENT_HEIGHT] = lanes_real(move->low);
    values[PLACEMENT_RIGHT] = lanes_real(lanes_count(cells));
    values[PLACEMENT_ROWS] = values[PLACEMENT_TETRIS] = lanes_real_splat(0);
    values[PLACEMENT_WELLS] = lanes_real(well_count);
    values[PLACEMENT_SMOOTH] = lanes_real(smooth);
}

/* As local_kind.c, both kinds: they differ where lines are cleared. */
INLINE void measure_local(const Evaluator *evaluator, const LanesMove *move, LanesReal *values) {
    (void)evaluator;
    const Lanes none = {0};
    Lanes cells = none, holes = none, unevenness = none, rows = none, last = none;
    int width = move->before->width;
    for (int x = 0; x < width; x++) {
        Lanes height = lanes_height(move->columns[x]), below = lanes_below(height);
        if (x > 0)
            unevenness += lanes_absolute(height - last);
        cells += height;
        holes += lanes_bits(below & ~move->columns[x]);
        rows |= below;
        last = height;
    }
    values[LOCAL_LINES] = lanes_real_splat(0);
    values[LOCAL_HOLES] = lanes_real(lanes_sum(holes));
    values[LOCAL_UNEVENNESS] = lanes_real(unevenness);
    values[LOCAL_MEAN_HEIGHT] = lanes_divided(cells, width);
    LanesReal mean = values[LOCAL_MEAN_HEIGHT], highest = lanes_real(lanes_bit_number(rows + 1));
    values[LOCAL_HEIGHT_RANGE] =
        (LanesReal){{highest.half[0] - mean.half[0], highest.half[1] - mean.half[1]}};
}

#define JUDGE_ALL(kind_)                                                                           \
    TARGET void JUDGE(kind_)(const Evaluator *evaluator, const EvaluatorTurn *turn,                \
                             const Placement *placements, int count, EvaluatorValue *values) {     \
        lanes_judge_all(evaluator, turn, placements, count, values, measure_##kind_);              \
    }

JUDGE_ALL(stack)
JUDGE_ALL(placement)
JUDGE_ALL(local)
