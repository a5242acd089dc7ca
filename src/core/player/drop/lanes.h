/*
 * lanes: the fast kernel of the drop controllers, written once over a layer of lanes and compiled
 * for each CPU level by the file that includes it (avx512.c, avx512_low.c, avx2.c). Read it from
 * search_piece, the choice of one piece in four steps, then try_shape and clearing_score.
 *
 * Sixteen lanes of 32 bits. A board is one vector, lane x holding column x with its floor as bit 0
 * and row y as bit y + 1; lanes beyond the width are walls, all ones. For one rotation lane x is
 * the placement whose leftmost cell is in column x, and everything is computed for all of them at
 * once: landing rows by a maximum, cells by variable shifts. A paired layer (LANES_PAIRED) has two
 * numbers of 16 bits in every lane, for two rotations at once; a board is in both halves.
 *
 * A piece that falls straight down lands on top of its columns, and nothing below changes unless a
 * row is removed. So only the change against the board before matters, and most of it is simple:
 * new holes are the gaps under the piece; a gap adds two column transitions; a column's hole depth
 * grows by the piece's cells when anything under them is empty; row transitions and wells are
 * counted again for the columns touched and their neighbours and compared with a sum over the same
 * columns before (LaneWindow), and so are the patterns of the surface (surface.h). Placements that
 * clear lines, 0.67 per piece, are measured in full, one column per lane. A new feature is a
 * function here, a line in try_shape and one in own_score or whole_score.
 *
 * The including file defines LANES_PAIRED, LANES_FEW_COPIES (whether to compile the search fewer
 * times), LANES (attributes of an inlined function for its
 * processor), LANES_RUN (those of a function that is called), LANES_TALL (the kernel for boards
 * that do not fit, see lanes_fit), the types Lanes, Tally (counts of bits that add up before they
 * are read), Where (one truth a number), Score (a weighted sum a number), LaneWeights, LaneSurface
 * and LaneBest, and the operations on them used here.
 */
#ifndef TETROPT_PLAYER_DROP_LANES_H
#define TETROPT_PLAYER_DROP_LANES_H

/* The layer itself comes first in the including file. */
#include "player/drop/kernel.h"

enum {
    LANES_WELL_STEPS = 4,      /* runs counted without a loop; longer ones are rare */
    LANES_STEPS = (1 << 5) - 1 /* the bits of the steps -2..2 */
};

/* What costs time and most sets do not use; a constant where functions are inlined. */
enum { LANES_DIVERSITY = 1, LANES_SURFACE = 2, LANES_INSIDE = 4 };

/* A board and what every rotation of every piece needs of it. In lane x index k stands for column
 * x + k; arrays that begin at a negative k are used through a pointer to their middle. */
typedef struct LaneBoard {
    Lanes columns[8];    /* k = -2..5 */
    Lanes tops[8];       /* k = -2..5: the bit above the topmost cell as a number ... */
    Lanes above[4];      /* ... and as a bit */
    Lanes before;        /* rows filled in all columns left of x */
    Lanes from[5];       /* k = 1..4: rows filled in column x + k and all to the right */
    Lanes left_pair;     /* row transitions between columns x - 1 and x */
    Lanes pairs[4];      /* between columns x + k and x + k + 1 */
    Lanes wells[6];      /* k = -1..4 */
    Lanes hole_rows;     /* rows with holes, the same in every lane */
    Lanes surface[6];    /* k = -1..4: what column x + k adds to the surface */
    Lanes steps_before;  /* step bits of the pairs left of column x - 1 */
    Lanes steps_from[5]; /* k = 1..4: and of column x + k and all to the right */
} LaneBoard;

/* What the columns that a piece of some width touches add to the board before it lands. */
typedef struct LaneWindow {
    Lanes outside;     /* rows filled in all other columns */
    Lanes transitions; /* in the pairs that the piece can change */
    Lanes wells;       /* in its columns and their neighbours */
    Lanes steps;       /* of the pairs that it cannot change */
    Lanes surface;     /* of its columns and their neighbours */
} LaneWindow;

typedef struct LaneSearch {
    LaneBest best;
    uint64_t clears; /* placements that remove rows: bit 16 r + x */
    uint64_t inside; /* with LANES_INSIDE: those that stay inside */
    _Alignas(64) uint32_t landing[16 * ROTATION_COUNT]; /* see lanes_read */
    _Alignas(64) uint32_t full[16 * ROTATION_COUNT];    /* the rows that a placement fills */
} LaneSearch;

/* A step between the heights of neighbouring columns as bit 2 + step, for steps of -2..2; what is
 * above those bits has to be masked. Walls are far higher than any column. */
LANES Lanes step_bit(Lanes from, Lanes to) {
    return lanes_left(lanes_fill(1), lanes_add(lanes_sub(to, from), lanes_fill(2)));
}

/* From each column to its right neighbour; none from a wall. */
LANES Lanes steps_of(Lanes columns, Lanes tops, Lanes right_tops) {
    return lanes_and_not(step_bit(tops, right_tops), lanes_sign(columns));
}

LANES Lanes diversity_of(Lanes steps) {
    return lanes_popcount(lanes_and(steps, lanes_fill(LANES_STEPS)));
}

/* Of the cells that end a run of `step` empty ones: those that end a longer one. */
LANES Lanes wells_step(Lanes cells, Lanes column, unsigned step) {
    return lanes_and_not(cells, lanes_left_by(column, step));
}

/* The wells of `count` columns together (see features.c); columns[-1] and columns[count] are their
 * neighbours. */
LANES Lanes wells_of(const Lanes *columns, const int count) {
    Lanes cells[6], deep = lanes_fill(0);
    Tally tally = tally_none();
    for (int i = 0; i < count; i++) {
        cells[i] = lanes_and_not(lanes_and(columns[i - 1], columns[i + 1]), columns[i]);
        tally = tally_add(tally, cells[i]);
        for (unsigned step = 1; step < LANES_WELL_STEPS; step++) {
            cells[i] = wells_step(cells[i], columns[i], step);
            tally = tally_add(tally, cells[i]);
        }
        cells[i] = wells_step(cells[i], columns[i], LANES_WELL_STEPS);
        deep = lanes_or(deep, cells[i]);
    }
    Lanes wells = tally_lanes(tally);
    for (unsigned step = LANES_WELL_STEPS + 1; lanes_any(deep); step++) {
        deep = lanes_fill(0);
        for (int i = 0; i < count; i++) {
            wells = lanes_add(wells, lanes_popcount(cells[i]));
            cells[i] = wells_step(cells[i], columns[i], step);
            deep = lanes_or(deep, cells[i]);
        }
    }
    return wells;
}

LANES Lanes holes_of(Lanes columns, Lanes above) {
    return lanes_and_not(lanes_sub(above, lanes_fill(1)), columns);
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

/* The same for steps, whose bits are joined. */
LANES void prepare_steps(LaneBoard *board) {
    const Lanes none = lanes_fill(0), *tops = board->tops + 2;
    Lanes from = steps_of(board->columns[2], tops[0], tops[1]);
    Lanes before = lanes_shift_up(from, none, 2);
    before = lanes_or(before, lanes_shift_up(before, none, 1));
    from = lanes_or(from, lanes_shift_down(from, none, 1));
    before = lanes_or(before, lanes_shift_up(before, none, 2));
    from = lanes_or(from, lanes_shift_down(from, none, 2));
    before = lanes_or(before, lanes_shift_up(before, none, 4));
    from = lanes_or(from, lanes_shift_down(from, none, 4));
    board->steps_before = lanes_or(before, lanes_shift_up(before, none, 8));
    from = lanes_or(from, lanes_shift_down(from, none, 8));
    board->steps_from[1] = lanes_shift_down(from, none, 1);
    board->steps_from[2] = lanes_shift_down(from, none, 2);
    board->steps_from[3] = lanes_shift_down(from, none, 3);
    board->steps_from[4] = lanes_shift_down(from, none, 4);
}

LANES void prepare_tops(LaneBoard *board) {
    const Lanes wall = lanes_top(lanes_fill(UINT32_MAX)), top = lanes_top(board->columns[2]);
    board->tops[0] = lanes_shift_up(top, wall, 2);
    board->tops[1] = lanes_shift_up(top, wall, 1);
    board->tops[2] = top;
    board->tops[3] = lanes_shift_down(top, wall, 1);
    board->tops[4] = lanes_shift_down(top, wall, 2);
    board->tops[5] = lanes_shift_down(top, wall, 3);
    board->tops[6] = lanes_shift_down(top, wall, 4);
    board->tops[7] = lanes_shift_down(top, wall, 5);
    for (int k = 0; k < 4; k++)
        board->above[k] = lanes_left(lanes_fill(1), board->tops[k + 2]);
}

#include "player/drop/surface.h"

LANES void prepare_board(LaneBoard *board, Lanes columns, const LaneSurface *surface,
                         const unsigned extras) {
    const Lanes wall = lanes_fill(UINT32_MAX), none = lanes_fill(0);
    Lanes *column = board->columns + 2;
    column[0] = columns;
    column[-2] = lanes_shift_up(columns, wall, 2);
    column[-1] = lanes_shift_up(columns, wall, 1);
    column[1] = lanes_shift_down(columns, wall, 1);
    column[2] = lanes_shift_down(columns, wall, 2);
    column[3] = lanes_shift_down(columns, wall, 3);
    column[4] = lanes_shift_down(columns, wall, 4);
    column[5] = lanes_shift_down(columns, wall, 5);
    prepare_tops(board);
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
    board->hole_rows = lanes_or_all(holes_of(columns, board->above[0]));
    if (extras & LANES_DIVERSITY)
        prepare_steps(board);
    if (extras & LANES_SURFACE)
        prepare_surface(board, surface);
}

LANES LaneWindow window_of(const LaneBoard *board, const int width, const unsigned extras) {
    LaneWindow window = {.outside = lanes_and(board->before, board->from[width]),
                         .transitions = board->left_pair,
                         .wells = lanes_add(board->wells[0], board->wells[1])};
    for (int i = 0; i < width; i++) {
        window.transitions = lanes_add(window.transitions, board->pairs[i]);
        window.wells = lanes_add(window.wells, board->wells[i + 2]);
    }
    if (extras & LANES_DIVERSITY)
        window.steps = lanes_or(board->steps_before, board->steps_from[width]);
    if (extras & LANES_SURFACE)
        window.surface = surface_before(board, width);
    return window;
}

/* The features that follow from the gaps under the piece. */
typedef struct LaneGaps {
    Lanes holes, changes, depth; /* what they add in holes, column transitions and hole depth */
    Lanes hole_rows;             /* the rows with holes now */
} LaneGaps;

LANES LaneGaps gaps_of(const LaneBoard *board, const DropShape *shape, const Lanes *after,
                       Lanes landing, const int width) {
    LaneGaps gaps = {.changes = lanes_fill(0), .depth = lanes_fill(0)};
    Lanes rows = board->hole_rows;
    Tally holes = tally_none();
    for (int i = 0; i < width; i++) {
        /* From the bit above the column to the lowest cell: a difference of two bits. */
        Lanes low = lanes_left(lanes_constant(shape->low[i]), landing);
        Lanes gap = lanes_sub(low, lanes_used(board->above[i], shape->used[i]));
        rows = lanes_or(rows, gap);
        holes = tally_add(holes, gap);
        gaps.changes = lanes_add_where(gaps.changes, lanes_meet(gap, gap), lanes_fill(2));
        Where hollow = lanes_meet(after[i], lanes_add(after[i], lanes_fill(1)));
        gaps.depth = lanes_add_where(gaps.depth, hollow, lanes_constant(shape->count[i]));
    }
    gaps.holes = tally_lanes(holes);
    gaps.hole_rows = lanes_popcount(rows);
    return gaps;
}

LANES Lanes transitions_of(const Lanes *after, const int width) {
    Tally tally = tally_none();
    for (int i = -1; i < width; i++)
        tally = tally_add(tally, lanes_xor(after[i], after[i + 1]));
    return tally_lanes(tally);
}

/* The steps of the pairs that the piece can change. A column that it does not use may be a wall. */
LANES Lanes steps_with(const LaneBoard *board, const DropShape *shape, Lanes landing,
                       const int width) {
    const Lanes *column = board->columns + 2, *tops = board->tops + 2;
    Lanes top = lanes_add(landing, lanes_constant(shape->top[0])), steps = step_bit(tops[-1], top);
    for (int i = 0; i < width; i++) {
        Lanes next = tops[i + 1];
        if (i + 1 < width) {
            next = lanes_add(landing, lanes_constant(shape->top[i + 1]));
            next = lanes_choose(shape->used[i + 1], next, tops[i + 1]);
        }
        Lanes step = step_bit(top, next);
        if (LANES_PAIRED && i > 0)
            step = lanes_and_not(step, lanes_sign(column[i]));
        steps = lanes_or(steps, step);
        top = next;
    }
    return steps;
}

/* What stays the same through a stream. */
typedef struct LaneGame {
    const DropController *controller;
    LaneWeights weights;
    LaneSurface surface;
    Lanes walls;
} LaneGame;

/* Scores all columns of a rotation (of two, where lanes are paired). `width` is a constant where
 * this is inlined. */
LANES void try_shape(LaneSearch *search, const LaneGame *game, const LaneBoard *board,
                     const LaneWindow *window, const DropShape *shape, int rotation,
                     const int width, const unsigned extras) {
    const LaneWeights *weights = &game->weights;
    const Lanes *column = board->columns + 2, *tops = board->tops + 2;
    /* 1. Where it lands, and its columns and their neighbours with it. */
    Lanes landing = lanes_sub(tops[0], lanes_constant(shape->bottom[0]));
    for (int i = 1; i < width; i++)
        landing = lanes_max(landing, lanes_sub(tops[i], lanes_constant(shape->bottom[i])));
    lanes_store(search->landing + 16 * rotation, landing);
    Lanes with[8], *after = with + 2;
    for (int i = -2; i < width + 2; i++)
        after[i] = column[i];
    for (int i = 0; i < width; i++)
        after[i] = lanes_or(column[i], lanes_left(lanes_constant(shape->cells[i]), landing));
    /* 2. Placements that stay inside, and those among them that fill a row. Beyond the right wall
       the landing is far above every height. */
    Lanes full = window->outside;
    for (int i = 0; i < width; i++)
        full = lanes_and(full, after[i]);
    lanes_store(search->full + 16 * rotation, full);
    Where inside = lanes_at_most(landing, lanes_constant(shape->highest_landing));
    Where clears = where_and(inside, lanes_meet(full, lanes_fill(~1u)));
    search->clears |= (uint64_t)where_bits(clears) << (16 * rotation);
    if (extras & LANES_INSIDE)
        search->inside |= (uint64_t)where_bits(inside) << (16 * rotation);
    /* 3. The features, and their sum. */
    LaneGaps gaps = gaps_of(board, shape, after, landing, width);
    Lanes middle = lanes_add(lanes_add(landing, landing), lanes_constant(shape->middle));
    Lanes transitions = lanes_sub(transitions_of(after, width), window->transitions);
    Lanes wells = lanes_sub(wells_of(after - 1, width + 2), window->wells);
    Score score = score_none();
    score = score_add(score, middle, weights, FEATURE_LANDING_HEIGHT);
    score = score_add(score, transitions, weights, FEATURE_ROW_TRANSITIONS);
    score = score_add(score, gaps.changes, weights, FEATURE_COLUMN_TRANSITIONS);
    score = score_add(score, gaps.holes, weights, FEATURE_HOLES);
    score = score_add(score, gaps.depth, weights, FEATURE_HOLE_DEPTH);
    score = score_add(score, gaps.hole_rows, weights, FEATURE_ROWS_WITH_HOLES);
    if (extras & LANES_DIVERSITY) {
        Lanes steps = lanes_or(window->steps, steps_with(board, shape, landing, width));
        score = score_add(score, diversity_of(steps), weights, FEATURE_DIVERSITY);
    }
    if (extras & LANES_SURFACE) {
        Lanes surface = surface_with(board, shape, landing, width, &game->surface);
        score = score_add(score, lanes_sub(surface, window->surface), weights, WEIGHTS_SURFACE);
    }
    score = score_add(score, wells, weights, FEATURE_WELLS); /* last: it takes longest */
    best_add(&search->best, where_and_not(inside, clears), score, rotation);
}

/* The weighted sum of the features of which each column or pair has its own part, one lane per
 * column. Only differences mean something: walls reach above the board here. */
LANES Score own_score(const LaneGame *game, Lanes columns, Lanes tops, Lanes holes,
                      const unsigned extras) {
    const LaneWeights *weights = &game->weights;
    const Lanes wall = lanes_fill(UINT32_MAX), one = lanes_fill(1);
    Lanes around[3] = {lanes_shift_up(columns, wall, 1), columns,
                       lanes_shift_down(columns, wall, 1)};
    Lanes transitions = lanes_popcount(lanes_xor(columns, around[2]));
    Lanes left_wall = lanes_only_first(lanes_popcount(lanes_xor(around[0], columns)));
    /* Between a bit and the one below it; nothing is below the floor, bit 0. */
    Lanes changes = lanes_and_not(lanes_xor(columns, lanes_left_by(columns, 1)), one);
    Lanes covering = lanes_and(columns, lanes_add(columns, one));
    Score score = score_none();
    score = score_add(score, lanes_add(transitions, left_wall), weights, FEATURE_ROW_TRANSITIONS);
    score = score_add(score, lanes_popcount(changes), weights, FEATURE_COLUMN_TRANSITIONS);
    score = score_add(score, lanes_popcount(holes), weights, FEATURE_HOLES);
    score = score_add(score, wells_of(around + 1, 1), weights, FEATURE_WELLS);
    if (extras & LANES_SURFACE)
        score = score_add(score, surface_whole(columns, tops, &game->surface), weights,
                          WEIGHTS_SURFACE);
    return score_add(score, lanes_popcount(covering), weights, FEATURE_HOLE_DEPTH);
}

/* And those of the board as a whole, which try_shape counts from nothing; of the second board only,
 * where lanes are paired. */
LANES Score whole_score(Score score, const LaneWeights *weights, Lanes columns, Lanes tops,
                        Lanes holes, const unsigned extras) {
    Lanes rows = lanes_whole(lanes_popcount(lanes_or_all(holes)));
    score = score_add(score, rows, weights, FEATURE_ROWS_WITH_HOLES);
    if (extras & LANES_DIVERSITY) {
        Lanes wall = lanes_top(lanes_fill(UINT32_MAX));
        Lanes steps = steps_of(columns, tops, lanes_shift_down(tops, wall, 1));
        Lanes diverse = lanes_whole(diversity_of(lanes_or_all(steps)));
        score = score_add(score, diverse, weights, FEATURE_DIVERSITY);
    }
    return score;
}

/* What `after` scores as a whole and in its parts, less the parts of `before`. */
LANES int64_t change_of(const LaneGame *game, Lanes before, Lanes after, const unsigned extras) {
    const LaneWeights *weights = &game->weights;
#if LANES_PAIRED
    Lanes both = lanes_join(before, after);
    Lanes tops = lanes_top(both), holes = holes_of(both, lanes_left(lanes_fill(1), tops));
    Score score = own_score(game, both, tops, holes, extras);
    return score_change(whole_score(score, weights, both, tops, holes, extras));
#else
    Lanes tops = lanes_top(before), holes = holes_of(before, lanes_left(lanes_fill(1), tops));
    int64_t first = score_sum(own_score(game, before, tops, holes, extras));
    tops = lanes_top(after);
    holes = holes_of(after, lanes_left(lanes_fill(1), tops));
    Score score = own_score(game, after, tops, holes, extras);
    return score_sum(whole_score(score, weights, after, tops, holes, extras)) - first;
#endif
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

LANES Lanes board_after(const LaneGame *game, const LaneSearch *search, Lanes columns, Piece piece,
                        unsigned order) {
    const DropShape *shape = &game->controller->shapes[piece][order >> 4];
    Lanes cells = lanes_place(shape->cells, order & 15);
    columns = lanes_or(columns, lanes_left_by(cells, lanes_read(search->landing, order)));
    if (search->clears >> order & 1)
        columns = remove_rows(columns, lanes_read(search->full, order) & ~1u, game->walls);
    return columns;
}

/* What the features of the move itself add: landing height, eroded cells, removed rows. */
LANES int64_t move_score(const LaneGame *game, const LaneSearch *search, Piece piece,
                         unsigned order) {
    const DropShape *shape = &game->controller->shapes[piece][order >> 4];
    const int32_t *weights = game->controller->weights.values;
    uint32_t landing = lanes_read(search->landing, order);
    uint32_t clears = search->clears >> order & 1;
    uint32_t full = clears ? lanes_read(search->full, order) & ~1u : 0;
    int removed = __builtin_popcount(full), cells = 0;
    for (int i = 0; i < 4; i++)
        cells += __builtin_popcount(full >> landing & shape->cells[i]);
    int middle = 2 * (int)landing + (int)shape->middle;
    return (int64_t)weights[FEATURE_LANDING_HEIGHT] * middle +
           (int64_t)weights[FEATURE_ERODED_CELLS] * removed * cells +
           (int64_t)weights[FEATURE_ROWS_REMOVED] * removed;
}

/* The score of a placement that clears lines, on the scale of try_shape. */
LANES int64_t clearing_score(const LaneGame *game, const LaneSearch *search, Lanes columns,
                             Piece piece, unsigned order, const unsigned extras) {
    Lanes after = board_after(game, search, columns, piece, order);
    return change_of(game, columns, after, extras) + move_score(game, search, piece, order);
}

#if LANES_PAIRED
LANES void try_piece(LaneSearch *search, const LaneGame *game, const LaneBoard *board, Piece piece,
                     const unsigned extras) {
    const DropShape *shapes = game->controller->pairs[piece];
    if (piece == PIECE_I) {
        LaneWindow window = window_of(board, 4, extras);
        try_shape(search, game, board, &window, shapes, 0, 4, extras);
    } else {
        LaneWindow window = window_of(board, 3, extras);
        for (int r = 0; r < piece_distinct_rotations[piece]; r += 2)
            try_shape(search, game, board, &window, shapes + r / 2, r, 3, extras);
    }
}
#else
LANES void try_piece(LaneSearch *search, const LaneGame *game, const LaneBoard *board, Piece piece,
                     const unsigned extras) {
    const DropShape *shapes = game->controller->shapes[piece];
    if (piece == PIECE_I) {
        LaneWindow lying = window_of(board, 4, extras);
        try_shape(search, game, board, &lying, shapes, NORTH, 4, extras);
        LaneWindow upright = window_of(board, 1, extras);
        try_shape(search, game, board, &upright, shapes + EAST, EAST, 1, extras);
    } else if (piece == PIECE_O) {
        LaneWindow window = window_of(board, 2, extras);
        try_shape(search, game, board, &window, shapes, NORTH, 2, extras);
    } else {
        LaneWindow lying = window_of(board, 3, extras);
        LaneWindow upright = window_of(board, 2, extras);
        for (int r = 0; r < piece_distinct_rotations[piece]; r += 2) {
            try_shape(search, game, board, &lying, shapes + r, r, 3, extras);
            try_shape(search, game, board, &upright, shapes + r + 1, r + 1, 2, extras);
        }
    }
}
#endif

/* The number 16 r + x of the best placement and its score, or -1 when none stays inside. */
LANES int search_piece(LaneSearch *search, const LaneGame *game, Lanes columns, Piece piece,
                       const unsigned extras, int64_t *score) {
    LaneBoard board; /* 1. What every rotation needs of the board. */
    prepare_board(&board, columns, &game->surface, extras);
    best_clear(&search->best); /* 2. Score every rotation, all columns at once. */
    search->clears = search->inside = 0;
    try_piece(search, game, &board, piece, extras);
    int best = best_order(&search->best, score); /* 3. The best that clears nothing. */
    /* 4. Measure those that clear lines in full, one by one; of equals the first wins. */
    for (uint64_t clears = search->clears; clears; clears &= clears - 1) {
        int order = __builtin_ctzll(clears);
        int64_t other = clearing_score(game, search, columns, piece, (unsigned)order, extras);
        if (best < 0 || other > *score || (other == *score && order < best)) {
            best = order;
            *score = other;
        }
    }
    return best;
}

LANES Lanes board_load(const Columns *board) {
    _Alignas(64) uint32_t columns[16];
    for (int x = 0; x < 16; x++)
        columns[x] = x < board->width ? (uint32_t)(board->column[x] << 1 | 1) : UINT32_MAX;
    return lanes_load(columns);
}

LANES void board_save(Columns *board, Lanes lanes) {
    _Alignas(64) uint32_t columns[16] = {0};
    lanes_store(columns, lanes);
    for (int x = 0; x < board->width; x++)
        board->column[x] = lanes_column(columns[x]) >> 1;
}

LANES LaneGame game_of(const DropController *controller) {
    Columns empty = {.width = controller->width};
    return (LaneGame){.controller = controller,
                      .weights = lane_weights(&controller->weights),
                      .surface = lane_surface(&controller->weights),
                      .walls = lanes_and_not(board_load(&empty), lanes_fill(1))};
}

LANES DropChoice choice_of(const LaneSearch *search, Piece piece, int order) {
    bool dead = order < 0;
    unsigned place = dead ? 0 : (unsigned)order;
    const Shape *shape = &piece_shapes[piece][place >> 4];
    int y = (int)lanes_read(search->landing, place) - 1;
    return (DropChoice){.placement = {.piece = (uint8_t)piece,
                                      .rotation = (uint8_t)(place >> 4),
                                      .x = (int8_t)((int)(place & 15) - shape->min_x),
                                      .y = (int8_t)(y - shape->min_y)},
                        .dead = dead};
}

/* The search with all extras, compiled once: inlining it wherever it is used takes minutes. */
LANES_RUN static __attribute__((noinline)) int
search_fully(LaneSearch *search, const LaneGame *game, Lanes columns, Piece piece, int64_t *score) {
    return search_piece(search, game, columns, piece,
                        LANES_DIVERSITY | LANES_SURFACE | LANES_INSIDE, score);
}

LANES_RUN static DropChoice choose(const DropController *controller, const Columns *board,
                                   Piece piece) {
    if (columns_highest(board) > LANES_ROWS)
        return LANES_TALL->choose(controller, board, piece);
    LaneSearch search;
    LaneGame game = game_of(controller);
    int64_t score;
    int order = search_fully(&search, &game, board_load(board), piece, &score);
    return choice_of(&search, piece, order);
}

#endif
