/*
 * expand_low: positions are sets: one word per state and row of the centre, one bit per column.
 *
 * The genes are then applied to whole rows at once:
 *   1. where the piece fits;
 *   2. which columns each state can have at the top (from the decoder's table), dropped to rest;
 *   3. doubles only: spread along the free stretches of the row (move2 can cross the whole board);
 *   4. up to three rotations with their kicks; a position uses the first kick that fits (with
 *      turn-first, step 3 follows every rotation);
 *   5. everything drops to rest, and states that fill the same cells are merged.
 */
#include "problem/expand_low.h"

enum {
    PAD = 4,    /* rows under the floor that a kick may ask about */
    MARGIN = 9, /* rows above the stack: a rest is at most 2 above it, and three turns rise by 6 */
    ROWS = PAD + BOARD_MAX_ROWS + MARGIN + 1
};

typedef uint32_t Row; /* bit x: the centre in column x */

typedef struct Positions {
    Row row[ROTATION_COUNT][ROWS]; /* [state][y + PAD] */
} Positions;

static Row shift_right(Row row, int columns) {
    return columns >= 0 ? row << columns : row >> -columns;
}

/* Step 1. Bits outside the walls stay 0. */
static void find_fits(const Board *board, Piece piece, int top, Positions *fits) {
    for (int r = 0; r < ROTATION_COUNT; r++) {
        const Shape *shape = &piece_shapes[piece][r];
        Row walls = (Row)board->full >> (shape->max_x - shape->min_x) << -shape->min_x;
        for (int y = -PAD; y < -shape->min_y; y++)
            fits->row[r][y + PAD] = 0;
        for (int y = -shape->min_y; y <= top; y++) {
            Row blocked = 0;
            for (int i = 0; i < 4; i++)
                blocked |= shift_right(board_row(board, y + shape->cells[i].y), -shape->cells[i].x);
            fits->row[r][y + PAD] = walls & ~blocked;
        }
    }
}

/* The columns that each state can have at the top. False when the stack is in the way of one. */
static bool find_tops(const Decoder *decoder, const DecodeState *state, Piece piece,
                      Row tops[ROTATION_COUNT]) {
    int moves = state->board.width / 2 * 2 + 1;
    for (int move = 0; move < moves; move++)
        for (int turns = 0; turns < ROTATION_COUNT; turns++) {
            const DecodeTop *top = &decoder->tops[piece][move][turns];
            if (state->highest > top->low_row)
                return false;
            tops[top->rotation] |= (Row)1 << top->x;
        }
    return true;
}

/* Everything in `from` falls; `rest`, which may be the same, becomes where it comes to rest. */
static void fall(const Positions *fits, int r, int top, const Row *from, Row *rest) {
    Row falling = 0;
    for (int y = top; y >= 0; y--) {
        Row below = fits->row[r][y - 1 + PAD];
        falling = (falling | from[y + PAD]) & fits->row[r][y + PAD];
        rest[y + PAD] = falling & ~below;
        falling &= below;
    }
}

/* Step 3: every bit of `row` spreads through the ones of `free` on both sides. */
static Row spread(Row row, Row free) {
    Row up = (free & ~(free + row)) | row; /* the carry runs through the ones */
    Row grown = up, last;
    do { /* downwards there is no carry: two steps at a time, a stretch is at most 16 long */
        last = grown;
        grown |= free & (grown >> 1);
        grown |= free & (grown >> 1);
    } while (grown != last);
    return grown;
}

/* Step 4: turns all of `from` once, into `to`. */
static void turn(const Positions *fits, Piece piece, int top, const Positions *from,
                 Positions *to) {
    for (int r = 0; r < ROTATION_COUNT; r++) {
        const Cell *kicks = piece_kicks[piece][r][TURN_CLOCKWISE];
        int next = (r + 1) & 3;
        for (int y = 0; y <= top; y++) {
            Row sources = from->row[r][y + PAD];
            for (int k = 0; sources && k < piece_kick_counts[piece]; k++) {
                int target = y + kicks[k].y;
                if (target > top)
                    continue; /* nothing rests so high that it could come here */
                Row landed = shift_right(sources, kicks[k].x) & fits->row[next][target + PAD];
                to->row[next][target + PAD] |= landed;
                sources &= ~shift_right(landed, -kicks[k].x);
            }
        }
    }
}

static int list(Piece piece, int top, const Positions *rests, Placement *out) {
    int count = 0;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++)
        for (int y = 0; y <= top; y++)
            for (Row row = rests->row[r][y + PAD]; row; row &= row - 1)
                out[count++] = (Placement){.piece = (uint8_t)piece,
                                           .rotation = (uint8_t)r,
                                           .x = (int8_t)__builtin_ctz(row),
                                           .y = (int8_t)y};
    return count;
}

/* Step 5, second half: states that look the same are moved to the first of them. */
static void unite(Piece piece, int top, Positions *rests) {
    for (int r = piece_distinct_rotations[piece]; r < ROTATION_COUNT; r++) {
        Cell shift = piece_canonical_shift[piece][r];
        int first = piece_canonical_rotation[piece][r];
        for (int y = 0; y <= top; y++)
            if (rests->row[r][y + PAD])
                rests->row[first][y + shift.y + PAD] |=
                    shift_right(rests->row[r][y + PAD], shift.x);
    }
}

/* Adds to `to` the positions in `from`, spread along their rows. */
static void add_spread(const Positions *fits, int top, const Positions *from, Positions *to) {
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int y = 0; y <= top; y++)
            if (from->row[r][y + PAD])
                to->row[r][y + PAD] |= spread(from->row[r][y + PAD], fits->row[r][y + PAD]);
}

static void add_plain(int top, const Positions *from, Positions *to) {
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int y = 0; y <= top; y++)
            to->row[r][y + PAD] |= from->row[r][y + PAD];
}

/* Adds to `all` what the second half of a double can do from the rests in it. */
static void add_second_half(const Positions *fits, Piece piece, int top, bool turn_first,
                            Positions *all) {
    Positions now = {0}, turned;
    if (turn_first)
        now = *all;
    else
        add_spread(fits, top, all, &now);
    for (int turns = 0;; turns++) {
        if (turn_first)
            add_spread(fits, top, &now, all);
        else
            add_plain(top, &now, all);
        if (turns == 3)
            return;
        memset(&turned, 0, sizeof turned);
        turn(fits, piece, top, &now, &turned);
        now = turned;
    }
}

int expand_low_places(const Decoder *decoder, const DecodeState *state, Piece piece,
                      Placement *out) {
    Row tops[ROTATION_COUNT] = {0};
    int top = state->highest + MARGIN;
    if (decoder->layout.is_double && decoder->rules.order == ORDER_PUBLISHED)
        return -1; /* its turns go both ways */
    if (top > board_rows(&state->board) - 4 || !find_tops(decoder, state, piece, tops))
        return -1;
    Positions fits, first = {0}, all = {0};
    find_fits(&state->board, piece, top, &fits);
    for (int r = 0; r < ROTATION_COUNT; r++) {
        first.row[r][top + PAD] = tops[r];
        fall(&fits, r, top, first.row[r], all.row[r]);
    }
    if (decoder->layout.is_double) {
        add_second_half(&fits, piece, top, decoder->rules.order == ORDER_TURN_FIRST, &all);
        for (int r = 0; r < ROTATION_COUNT; r++)
            fall(&fits, r, top, all.row[r], all.row[r]);
    }
    unite(piece, top, &all);
    return list(piece, top, &all, out);
}
