/*
 * drop_lanes: the fast kernel of the drop player, written once over a layer of lanes and compiled
 * for each processor by the file that includes it (drop_avx512.c, drop_avx2.c).
 *
 * Sixteen lanes of 32 bits. A board is one vector, lane x holding column x with its floor as bit 0
 * and row y as bit y + 1; lanes beyond the width are walls, all ones. For one rotation lane x is
 * the placement whose leftmost cell is in column x, and everything is computed for all of them at
 * once: landing rows by a maximum, cells by variable shifts.
 *
 * A piece that falls straight down lands on top of its columns, and nothing below changes unless a
 * row is removed. So only the change against the board before matters, and most of it is simple:
 * new holes are the gaps under the piece; a gap adds two column transitions; a column's hole depth
 * grows by the piece's cells when anything under them is empty; row transitions and wells are
 * counted again for the columns touched and their neighbours and compared with a sum over the same
 * columns before (LaneWindow). Placements that remove rows, 0.67 a piece, are measured in full,
 * with a column a lane.
 *
 * Scores are exact 64-bit sums; below the score stand six bits that count down with the placement's
 * number, so the largest key is the best placement and, among equals, the first.
 *
 * The including file defines LANES (attributes of an inlined function for its processor), LANES_RUN
 * (those of a function that is called), the types Lanes, Where (one truth a lane) and Wide (a
 * 64-bit number a lane), and the operations used here.
 */
#ifndef TETROPT_AGENT_DROP_LANES_H
#define TETROPT_AGENT_DROP_LANES_H

/* No include of its own layer: it comes first in the including file. */
#include "agent/drop_kernel.h"

enum {
    LANES_MAX_HEIGHT = 28, /* floor, rows and walls that are no step of 2 away: 32 bits */
    LANES_WELL_STEPS = 4,  /* runs counted without a loop; longer ones are rare */
    LANES_STEP_FIELDS = (1 << 20) - 1 /* five fields of four bits */
};

/* A board and what every rotation of every piece needs of it. In lane x index k stands for column
 * x + k; arrays that begin at a negative k are used through a pointer to their middle. */
typedef struct LaneBoard {
    Lanes columns[8]; /* k = -2..5 */
    Lanes tops[6];    /* k = -1..4: the bit above the topmost cell as a number ... */
    Lanes above[4];   /* ... and as a bit */
    Lanes before;     /* rows filled in all columns left of x */
    Lanes from[5];    /* k = 1..4: rows filled in column x + k and all to the right */
    Lanes left_pair;  /* row transitions between columns x - 1 and x */
    Lanes pairs[4];   /* between columns x + k and x + k + 1 */
    Lanes wells[6];   /* k = -1..4 */
    Lanes hole_rows;  /* rows with holes, the same in every lane */
    Lanes left_step;  /* step_code of columns x - 1 and x ... */
    Lanes steps[4];   /* ... and of x + k and x + k + 1 */
    Lanes all_steps;  /* their sum, the same in every lane */
} LaneBoard;

/* What the columns that a piece of some width touches add to the board before it lands. */
typedef struct LaneWindow {
    Lanes outside;     /* rows filled in all other columns */
    Lanes transitions; /* in the pairs that the piece can change */
    Lanes wells;       /* in its columns and their neighbours */
    Lanes other_steps; /* of the pairs that it cannot change */
    Wide holes;        /* less the weighted sum of its columns' tops */
} LaneWindow;

/* The best key so far, and what is needed afterwards. */
typedef struct LaneSearch {
    Wide best;
    uint64_t clears; /* placements that remove rows: bit 16 r + x */
    _Alignas(64) uint32_t landing[ROTATION_COUNT][16];
} LaneSearch;

/* A step between the heights of neighbouring columns as a count of one in the field of its value,
 * -2..2; nothing for larger ones. Sums of up to 15 do not overflow, so steps can be taken out and
 * put in. */
LANES Lanes step_code(Lanes from, Lanes to) {
    Lanes field = lanes_left_by(lanes_add(lanes_sub(to, from), lanes_fill(2)), 2);
    return lanes_and(lanes_left(lanes_fill(1), field), lanes_fill(LANES_STEP_FIELDS));
}

/* The steps from each column to its right neighbour; none from a wall. */
LANES Lanes steps_right(Lanes columns, Lanes tops, Lanes right_tops) {
    return lanes_and_not(step_code(tops, right_tops), lanes_sign(columns));
}

LANES Lanes diversity_of(Lanes steps) {
    steps = lanes_or(steps, lanes_right_by(steps, 2));
    steps = lanes_or(steps, lanes_right_by(steps, 1));
    return lanes_popcount(lanes_and(steps, lanes_fill(0x11111)));
}

LANES Lanes wells_start(Lanes left, Lanes column, Lanes right) {
    return lanes_and_not(lanes_and(left, right), column);
}

/* Of the cells that ended a run of `step` empty ones: those that end a longer one. */
LANES Lanes wells_step(Lanes cells, Lanes column, unsigned step) {
    return lanes_and_not(cells, lanes_left_by(column, step));
}

/* The wells of `count` columns in every lane together; columns[-1] and columns[count] are the
 * neighbours. */
LANES Lanes wells_of(const Lanes *columns, const int count) {
    Lanes cells[6], deep = lanes_fill(0);
    Tally tally = tally_none();
    for (int i = 0; i < count; i++) {
        cells[i] = wells_start(columns[i - 1], columns[i], columns[i + 1]);
        tally = tally_add(tally, cells[i]);
        for (unsigned step = 1; step < LANES_WELL_STEPS; step++) {
            cells[i] = wells_step(cells[i], columns[i], step);
            tally = tally_add(tally, cells[i]);
        }
        deep = lanes_or(deep, cells[i]);
    }
    Lanes wells = tally_lanes(tally);
    for (unsigned step = LANES_WELL_STEPS; lanes_any(deep); step++) {
        deep = lanes_fill(0);
        for (int i = 0; i < count; i++) {
            cells[i] = wells_step(cells[i], columns[i], step);
            wells = lanes_add(wells, lanes_popcount(cells[i]));
            deep = lanes_or(deep, cells[i]);
        }
    }
    return wells;
}

/* Rows filled in all columns before and after a place: conjunctions over 1, 2, 4, 8, 16 columns. */
LANES void prepare_rows(LaneBoard *board) {
    const Lanes wall = lanes_fill(UINT32_MAX);
    Lanes before = board->columns[1], from = board->columns[2];
    before = lanes_and(before, lanes_shift_up(before, wall, 1));
    from = lanes_and(from, lanes_shift_down(from, wall, 1));
    before = lanes_and(before, lanes_shift_up(before, wall, 2));
    from = lanes_and(from, lanes_shift_down(from, wall, 2));
    before = lanes_and(before, lanes_shift_up(before, wall, 4));
    from = lanes_and(from, lanes_shift_down(from, wall, 4));
    board->before = lanes_and(before, lanes_shift_up(before, wall, 8));
    from = lanes_and(from, lanes_shift_down(from, wall, 8));
    board->from[1] = lanes_shift_down(from, wall, 1);
    board->from[2] = lanes_shift_down(from, wall, 2);
    board->from[3] = lanes_shift_down(from, wall, 3);
    board->from[4] = lanes_shift_down(from, wall, 4);
}

LANES void prepare_steps(LaneBoard *board) {
    const Lanes none = lanes_fill(0), *tops = board->tops + 1;
    board->left_step = step_code(tops[-1], tops[0]);
    board->steps[0] = steps_right(board->columns[2], tops[0], tops[1]);
    board->steps[1] = lanes_shift_down(board->steps[0], none, 1);
    board->steps[2] = lanes_shift_down(board->steps[0], none, 2);
    board->steps[3] = lanes_shift_down(board->steps[0], none, 3);
    board->all_steps = lanes_sum_all(board->steps[0]);
}

LANES void prepare_board(LaneBoard *board, Lanes columns, const bool diversity) {
    const Lanes wall = lanes_fill(UINT32_MAX), none = lanes_fill(0), one = lanes_fill(1);
    Lanes *column = board->columns + 2, *tops = board->tops + 1;
    column[0] = columns;
    column[-2] = lanes_shift_up(columns, wall, 2);
    column[-1] = lanes_shift_up(columns, wall, 1);
    column[1] = lanes_shift_down(columns, wall, 1);
    column[2] = lanes_shift_down(columns, wall, 2);
    column[3] = lanes_shift_down(columns, wall, 3);
    column[4] = lanes_shift_down(columns, wall, 4);
    column[5] = lanes_shift_down(columns, wall, 5);
    for (int k = -1; k <= 4; k++)
        tops[k] = lanes_top(column[k]);
    for (int k = 0; k < 4; k++)
        board->above[k] = lanes_left(one, tops[k]);
    prepare_rows(board);
    board->left_pair = lanes_popcount(lanes_xor(column[-1], columns));
    board->pairs[0] = lanes_popcount(lanes_xor(columns, column[1]));
    board->pairs[1] = lanes_shift_down(board->pairs[0], none, 1);
    board->pairs[2] = lanes_shift_down(board->pairs[0], none, 2);
    board->pairs[3] = lanes_shift_down(board->pairs[0], none, 3);
    Lanes wells = wells_of(column, 1);
    board->wells[0] = lanes_shift_up(wells, none, 1);
    board->wells[1] = wells;
    board->wells[2] = lanes_shift_down(wells, none, 1);
    board->wells[3] = lanes_shift_down(wells, none, 2);
    board->wells[4] = lanes_shift_down(wells, none, 3);
    board->wells[5] = lanes_shift_down(wells, none, 4);
    /* Everything below a top: the bit above it, less one. */
    board->hole_rows = lanes_or_all(lanes_and_not(lanes_sub(board->above[0], one), columns));
    if (diversity)
        prepare_steps(board);
}

LANES LaneWindow window_of(const LaneBoard *board, const FixedWeights *weights, const int width,
                           const bool diversity) {
    LaneWindow window = {.outside = lanes_and(board->before, board->from[width]),
                         .transitions = board->left_pair,
                         .wells = lanes_add(board->wells[0], board->wells[1])};
    Lanes tops = lanes_fill(0);
    for (int i = 0; i < width; i++) {
        window.transitions = lanes_add(window.transitions, board->pairs[i]);
        window.wells = lanes_add(window.wells, board->wells[i + 2]);
        tops = lanes_add(tops, board->tops[i + 1]);
    }
    window.holes = wide_multiply(tops, -weights->values[FEATURE_HOLES]);
    if (diversity) {
        window.other_steps = lanes_sub(board->all_steps, board->left_step);
        for (int i = 0; i < width; i++)
            window.other_steps = lanes_sub(window.other_steps, board->steps[i]);
    }
    return window;
}

/* What the gaps under the piece add: column transitions and hole depth as a weighted sum, which
 * fits 32 bits (WEIGHTS_FIXED_LIMIT), and the rows with holes. */
LANES Lanes gaps_of(const LaneBoard *board, const DropShape *shape, const Lanes *after,
                    Lanes landing, const int width, Lanes *hole_rows) {
    Lanes sum = lanes_fill(0), rows = board->hole_rows;
    for (int i = 0; i < width; i++) {
        Lanes gap = lanes_sub(lanes_left(lanes_fill(shape->low[i]), landing), board->above[i]);
        rows = lanes_or(rows, gap);
        sum = lanes_add_where(sum, lanes_meet(gap, gap), lanes_fill_signed(shape->gap_value));
        Where hollow = lanes_meet(after[i], lanes_add(after[i], lanes_fill(1)));
        sum = lanes_add_where(sum, hollow, lanes_fill_signed(shape->depth_value[i]));
    }
    *hole_rows = lanes_popcount(rows);
    return sum;
}

LANES Lanes transitions_of(const Lanes *after, const int width) {
    Tally tally = tally_none();
    for (int i = -1; i < width; i++)
        tally = tally_add(tally, lanes_xor(after[i], after[i + 1]));
    return tally_lanes(tally);
}

LANES Lanes steps_of(const LaneBoard *board, const DropShape *shape, Lanes landing,
                     const int width) {
    const Lanes *tops = board->tops + 1;
    Lanes first = lanes_add(landing, lanes_fill_signed(shape->top[0]));
    Lanes last = lanes_add(landing, lanes_fill_signed(shape->top[width - 1]));
    Lanes outer = lanes_add(step_code(tops[-1], first), step_code(last, tops[width]));
    return lanes_add(outer, lanes_fill(shape->inner_steps));
}

/* Scores all columns of one rotation; its width is a constant where this is inlined. */
LANES void try_rotation(LaneSearch *search, const DropController *controller,
                        const LaneBoard *board, const LaneWindow *window, Piece piece, int rotation,
                        const int width, const bool diversity) {
    const DropShape *shape = &controller->shapes[piece][rotation];
    const int32_t *weights = controller->weights.values;
    const Lanes *column = board->columns + 2, *tops = board->tops + 1;
    /* 1. Where it lands, and its columns and their neighbours with it. */
    Lanes landing = lanes_sub(tops[0], lanes_fill_signed(shape->bottom[0]));
    for (int i = 1; i < width; i++)
        landing = lanes_max(landing, lanes_sub(tops[i], lanes_fill_signed(shape->bottom[i])));
    lanes_store(search->landing[rotation], landing);
    Lanes with[8], *after = with + 2;
    for (int i = -2; i < width + 2; i++)
        after[i] = column[i];
    for (int i = 0; i < width; i++)
        after[i] = lanes_or(column[i], lanes_left(lanes_fill(shape->cells[i]), landing));
    /* 2. Placements that stay inside, and those among them that fill a row. Beyond the right wall
       the landing is far above every height. */
    Lanes full = window->outside;
    for (int i = 0; i < width; i++)
        full = lanes_and(full, after[i]);
    Where inside = lanes_at_most(landing, lanes_fill_signed(shape->highest_landing));
    Where clears = where_and(inside, lanes_meet(full, lanes_fill(~1u)));
    search->clears |= (uint64_t)where_bits(clears) << (16 * rotation);
    /* 3. The features, and their sum. */
    Lanes hole_rows, gaps = gaps_of(board, shape, after, landing, width, &hole_rows);
    Lanes transitions = lanes_sub(transitions_of(after, width), window->transitions);
    Lanes wells = lanes_sub(wells_of(after - 1, width + 2), window->wells);
    Wide score = wide_add(window->holes, wide_fill(shape->constant));
    score = wide_add(score, wide_multiply(landing, shape->landing_value));
    score = wide_add(score, wide_multiply(gaps, 1));
    score = wide_add(score, wide_multiply(hole_rows, weights[FEATURE_ROWS_WITH_HOLES]));
    score = wide_add(score, wide_multiply(transitions, weights[FEATURE_ROW_TRANSITIONS]));
    score = wide_add(score, wide_multiply(wells, weights[FEATURE_WELLS]));
    if (diversity) {
        Lanes steps = lanes_add(window->other_steps, steps_of(board, shape, landing, width));
        score = wide_add(score, wide_multiply(diversity_of(steps), weights[FEATURE_DIVERSITY]));
    }
    search->best =
        wide_max_where(search->best, where_and_not(inside, clears), wide_key(score, rotation));
}

/* The weighted sum of the features of which each column or pair has its own part, with a column a
 * lane. Only differences mean something: walls reach above the board here. */
LANES Wide own_score(const int32_t *weights, Lanes columns, Lanes holes) {
    const Lanes wall = lanes_fill(UINT32_MAX), one = lanes_fill(1);
    Lanes around[3] = {lanes_shift_up(columns, wall, 1), columns,
                       lanes_shift_down(columns, wall, 1)};
    Lanes transitions = lanes_popcount(lanes_xor(columns, around[2]));
    Lanes left_wall = lanes_only_first(lanes_popcount(lanes_xor(around[0], columns)));
    transitions = lanes_add(transitions, left_wall);
    /* Between a bit and the one below it; nothing is below the floor, bit 0. */
    Lanes changes = lanes_and_not(lanes_xor(columns, lanes_left_by(columns, 1)), one);
    Lanes covering = lanes_and(columns, lanes_add(columns, one));
    Wide sum = wide_multiply(transitions, weights[FEATURE_ROW_TRANSITIONS]);
    sum =
        wide_add(sum, wide_multiply(lanes_popcount(changes), weights[FEATURE_COLUMN_TRANSITIONS]));
    sum = wide_add(sum, wide_multiply(lanes_popcount(holes), weights[FEATURE_HOLES]));
    sum = wide_add(sum, wide_multiply(wells_of(around + 1, 1), weights[FEATURE_WELLS]));
    return wide_add(sum, wide_multiply(lanes_popcount(covering), weights[FEATURE_HOLE_DEPTH]));
}

LANES Lanes holes_of(Lanes columns) {
    Lanes above = lanes_left(lanes_fill(1), lanes_top(columns));
    return lanes_and_not(lanes_sub(above, lanes_fill(1)), columns);
}

/* The same and the features of the board as a whole, which try_rotation counts from nothing. */
LANES int64_t board_score(const int32_t *weights, Lanes columns, const bool diversity) {
    Lanes holes = holes_of(columns);
    Lanes rows = lanes_only_first(lanes_popcount(lanes_or_all(holes)));
    Wide sum = own_score(weights, columns, holes);
    sum = wide_add(sum, wide_multiply(rows, weights[FEATURE_ROWS_WITH_HOLES]));
    if (diversity) {
        Lanes next = lanes_shift_down(columns, lanes_fill(UINT32_MAX), 1);
        Lanes steps = steps_right(columns, lanes_top(columns), lanes_top(next));
        Lanes diverse = lanes_only_first(diversity_of(lanes_sum_all(steps)));
        sum = wide_add(sum, wide_multiply(diverse, weights[FEATURE_DIVERSITY]));
    }
    return wide_sum(sum);
}

/* The board with the piece, and the rows that are full then. */
LANES Lanes board_with(Lanes columns, const DropShape *shape, unsigned left, uint32_t landing) {
    return lanes_or(columns, lanes_left_by(lanes_place(shape->cells, left), landing));
}

LANES uint32_t full_rows(Lanes columns) {
    return lanes_and_all(columns) & ~1u;
}

LANES Lanes remove_rows(Lanes columns, uint32_t rows, Lanes walls) {
    while (rows) {
        uint32_t below = (1u << (31 - __builtin_clz(rows))) - 1;
        Lanes kept = lanes_fill(below);
        columns =
            lanes_or(lanes_and(columns, kept), lanes_and_not(lanes_right_by(columns, 1), kept));
        rows &= below;
    }
    return lanes_or(columns, walls);
}

/* The key of a placement that removes rows, on the scale of try_rotation: against `base`, the
 * own_score of the board before. */
LANES int64_t clearing_key(const LaneSearch *search, const DropController *controller,
                           Lanes columns, Lanes walls, int64_t base, Piece piece, unsigned order,
                           const bool diversity) {
    const DropShape *shape = &controller->shapes[piece][order >> 4];
    const int32_t *weights = controller->weights.values;
    uint32_t landing = search->landing[order >> 4][order & 15];
    Lanes with = board_with(columns, shape, order & 15, landing);
    uint32_t full = full_rows(with);
    int removed = __builtin_popcount(full), cells = 0;
    for (int i = 0; i < 4; i++)
        cells += __builtin_popcount(full >> landing & shape->cells[i]);
    int64_t score = board_score(weights, remove_rows(with, full, walls), diversity) - base;
    score += (int64_t)weights[FEATURE_LANDING_HEIGHT] * (2 * (int)landing + shape->rows - 3);
    score += (int64_t)weights[FEATURE_ERODED_CELLS] * removed * cells;
    score += (int64_t)weights[FEATURE_ROWS_REMOVED] * removed;
    return score * 64 + 63 - order;
}

LANES void try_rotations(LaneSearch *search, const DropController *controller,
                         const LaneBoard *board, Piece piece, const bool diversity) {
    const FixedWeights *weights = &controller->weights;
    if (piece == PIECE_I) {
        LaneWindow lying = window_of(board, weights, 4, diversity);
        try_rotation(search, controller, board, &lying, piece, NORTH, 4, diversity);
        LaneWindow upright = window_of(board, weights, 1, diversity);
        try_rotation(search, controller, board, &upright, piece, EAST, 1, diversity);
    } else if (piece == PIECE_O) {
        LaneWindow window = window_of(board, weights, 2, diversity);
        try_rotation(search, controller, board, &window, piece, NORTH, 2, diversity);
    } else {
        LaneWindow lying = window_of(board, weights, 3, diversity);
        LaneWindow upright = window_of(board, weights, 2, diversity);
        for (int r = 0; r < piece_distinct_rotations[piece]; r += 2) {
            try_rotation(search, controller, board, &lying, piece, r, 3, diversity);
            try_rotation(search, controller, board, &upright, piece, r + 1, 2, diversity);
        }
    }
}

/* The number 16 r + x of the best placement, or -1 when none stays inside. */
LANES int search_piece(LaneSearch *search, const DropController *controller, Lanes columns,
                       Lanes walls, Piece piece, const bool diversity) {
    const int32_t *weights = controller->weights.values;
    LaneBoard board;
    prepare_board(&board, columns, diversity);
    search->best = wide_fill(INT64_MIN);
    search->clears = 0;
    try_rotations(search, controller, &board, piece, diversity);
    int64_t best = wide_largest(search->best);
    if (search->clears) {
        int64_t base = wide_sum(own_score(weights, columns, holes_of(columns)));
        for (uint64_t clears = search->clears; clears; clears &= clears - 1) {
            unsigned order = (unsigned)__builtin_ctzll(clears);
            int64_t key =
                clearing_key(search, controller, columns, walls, base, piece, order, diversity);
            best = key > best ? key : best;
        }
    }
    return best == INT64_MIN ? -1 : 63 - (int)(best & 63);
}

LANES Lanes board_load(const Columns *board) {
    _Alignas(64) uint32_t columns[16];
    for (int x = 0; x < 16; x++)
        columns[x] = x < board->width ? (uint32_t)(board->column[x] << 1 | 1) : UINT32_MAX;
    return lanes_load(columns);
}

LANES void board_save(Columns *board, Lanes lanes) {
    _Alignas(64) uint32_t columns[16];
    lanes_store(columns, lanes);
    for (int x = 0; x < board->width; x++)
        board->column[x] = columns[x] >> 1;
}

LANES Lanes board_empty(int width) {
    return board_load(&(Columns){.width = (uint8_t)width});
}

LANES_RUN static DropChoice choose(const DropController *controller, const Columns *board,
                                   Piece piece) {
    LaneSearch search;
    Lanes columns = board_load(board);
    Lanes walls = lanes_and_not(board_empty(board->width), lanes_fill(1));
    int order = search_piece(&search, controller, columns, walls, piece, true);
    bool dead = order < 0;
    unsigned rotation = dead ? 0 : (unsigned)order >> 4, left = dead ? 0 : (unsigned)order & 15;
    const Shape *shape = &piece_shapes[piece][rotation];
    int y = (int)search.landing[rotation][left] - 1;
    return (DropChoice){.placement = {.piece = (uint8_t)piece,
                                      .rotation = (uint8_t)rotation,
                                      .x = (int8_t)((int)left - shape->min_x),
                                      .y = (int8_t)(y - shape->min_y)},
                        .dead = dead};
}

LANES void play_stream(const DropController *controller, DropStream *stream, int64_t pieces,
                       bool one_game, const bool diversity) {
    Lanes empty = board_empty(controller->width), columns = board_load(&stream->board);
    Lanes walls = lanes_and_not(empty, lanes_fill(1));
    uint64_t signature = stream->signature;
    while (pieces > 0 && drop_stream_refill(stream, pieces)) {
        Piece piece = drop_stream_next(stream);
        LaneSearch search;
        int order = search_piece(&search, controller, columns, walls, piece, diversity);
        if (order < 0) {
            stream->deaths++;
            signature = drop_fold(signature, DROP_DEATH_ROTATION, DROP_DEATH_LEFT);
            columns = empty;
            if (one_game)
                break;
            continue;
        }
        unsigned rotation = (unsigned)order >> 4, left = (unsigned)order & 15;
        signature = drop_fold(signature, rotation, left);
        columns = board_with(columns, &controller->shapes[piece][rotation], left,
                             search.landing[rotation][left]);
        if (search.clears >> order & 1) {
            uint32_t full = full_rows(columns);
            int removed = __builtin_popcount(full);
            columns = remove_rows(columns, full, walls);
            stream->clears[removed - 1]++;
            stream->lines += removed;
        }
        stream->pieces++;
        pieces--;
    }
    stream->signature = signature;
    board_save(&stream->board, columns);
}

/* Diversity costs 10 to 20 % and most sets do not use it. */
LANES_RUN static void play(const DropController *controller, DropStream *stream, int64_t pieces,
                           bool one_game) {
    if (controller->weights.values[FEATURE_DIVERSITY])
        play_stream(controller, stream, pieces, one_game, true);
    else
        play_stream(controller, stream, pieces, one_game, false);
}

#endif
