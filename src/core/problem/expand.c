/*
 * expand: one position at a time; serves stacks that reach up to where the pieces spawn. While the
 * stack is low, expand_low does the same with sets of positions.
 *
 * Simple encodings: every (move1, rot1) at the top, then straight down. Doubles: from those resting
 * places every position in the same free stretch of the row (move2 can cross the whole board), then
 * up to three rotations, then down again. Each (state, x, y) is visited once, however many ways
 * lead to it.
 */
#include "problem/expand.h"

#include "problem/expand_low.h"

typedef struct Seen {
    uint16_t rows[ROTATION_COUNT][BOARD_WORDS]; /* bit x of row y + BOARD_PAD */
} Seen;

static bool mark_seen(Seen *seen, const Placement *at) {
    uint16_t *row = &seen->rows[at->rotation][at->y + BOARD_PAD];
    uint16_t bit = (uint16_t)(1u << at->x);
    bool fresh = !(*row & bit);
    *row |= bit;
    return fresh;
}

typedef struct Expansion {
    const Decoder *decoder;
    const Board *board;
    Seen tops, slides, ends;
    Placement *out;
    int count;
} Expansion;

/* Comes to rest and is written down if no other way filled the same cells. */
static void end_at(Expansion *e, Placement at) {
    at.y = (int8_t)board_rest(e->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    Placement canonical = placement_canonical(at);
    if (mark_seen(&e->ends, &canonical))
        e->out[e->count++] = canonical;
}

static bool turn_clockwise(const Board *board, Placement *at) {
    Rotation rotation = (Rotation)at->rotation;
    int x = at->x, y = at->y;
    if (!board_turn(board, (Piece)at->piece, TURN_CLOCKWISE, &rotation, &x, &y))
        return false;
    at->rotation = (uint8_t)rotation;
    at->x = (int8_t)x;
    at->y = (int8_t)y;
    return true;
}

static void turn_and_end(Expansion *e, Placement at) {
    if (!mark_seen(&e->slides, &at))
        return;
    end_at(e, at);
    for (int turns = 1; turns < ROTATION_COUNT && turn_clockwise(e->board, &at); turns++)
        end_at(e, at);
}

static bool fits_at(const Board *board, const Placement *at, int x) {
    return board_fits(board, (Piece)at->piece, (Rotation)at->rotation, x, at->y);
}

static void slide_and_turn(Expansion *e, Placement at) {
    Placement moved = at;
    for (int x = at.x; fits_at(e->board, &at, x); x--) {
        moved.x = (int8_t)x;
        turn_and_end(e, moved);
    }
    for (int x = at.x + 1; fits_at(e->board, &at, x); x++) {
        moved.x = (int8_t)x;
        turn_and_end(e, moved);
    }
}

static void from_top(Expansion *e, Placement at) {
    if (!mark_seen(&e->tops, &at))
        return;
    if (!e->decoder->layout.is_double) {
        end_at(e, at);
        return;
    }
    at.y = (int8_t)board_rest(e->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    slide_and_turn(e, at);
}

static void from_column(Expansion *e, Placement at) {
    from_top(e, at);
    for (int turns = 1; turns < ROTATION_COUNT && turn_clockwise(e->board, &at); turns++)
        from_top(e, at);
}

static int walk_places(const Decoder *decoder, const DecodeState *state, Piece piece,
                       Placement out[REACH_MAX]) {
    const Board *board = &state->board;
    Expansion e = {.decoder = decoder, .board = board, .out = out};
    int reach = board->width / 2;
    Placement spawn = {.piece = (uint8_t)piece,
                       .rotation = NORTH,
                       .x = (int8_t)board_spawn_x(board),
                       .y = (int8_t)board_spawn_y(board)};
    Placement at = spawn;
    for (int step = 0; step <= reach && fits_at(board, &spawn, spawn.x - step); step++) {
        at.x = (int8_t)(spawn.x - step);
        from_column(&e, at);
    }
    for (int step = 1; step <= reach && fits_at(board, &spawn, spawn.x + step); step++) {
        at.x = (int8_t)(spawn.x + step);
        from_column(&e, at);
    }
    return e.count;
}

int expand_places(const Decoder *decoder, const DecodeState *state, Piece piece, bool any,
                  Placement out[REACH_MAX]) {
    if (any) {
        Columns columns;
        columns_from_rows(&columns, &state->board, state->highest);
        return reach_list(&columns, piece, false, out);
    }
    int count = expand_low_places(decoder, state, piece, out);
    return count >= 0 ? count : walk_places(decoder, state, piece, out);
}

/* The second half of a double: from rest at `at`, is there a move2 and rot2 that end at `goal`? */
static bool find_second(const Board *board, Placement at, Placement goal, int8_t *genes) {
    for (int way = -1; way <= 1; way += 2) {
        Placement moved = at;
        for (int step = 0; fits_at(board, &at, at.x + way * step); step++) {
            moved = at;
            moved.x = (int8_t)(at.x + way * step);
            for (int turns = 0; turns < ROTATION_COUNT; turns++) {
                Placement end = moved;
                end.y = (int8_t)board_rest(board, (Piece)end.piece, (Rotation)end.rotation, end.x,
                                           end.y);
                if (placement_same_cells(end, goal)) {
                    genes[0] = (int8_t)(way * step);
                    genes[1] = (int8_t)turns;
                    return true;
                }
                if (!turn_clockwise(board, &moved))
                    break;
            }
        }
    }
    return false;
}

/* With `plain` the second half stays 0: the way that a person would take. */
static bool find_genes(const DecodeState *state, Placement goal, bool plain, int8_t *genes) {
    const Board *board = &state->board;
    int reach = board->width / 2;
    for (int move = -reach; move <= reach; move++) {
        Placement spawn = {.piece = goal.piece,
                           .rotation = NORTH,
                           .x = (int8_t)board_spawn_x(board),
                           .y = (int8_t)board_spawn_y(board)};
        int way = move < 0 ? -1 : 1, step = 0;
        while (step < move * way && fits_at(board, &spawn, spawn.x + way * (step + 1)))
            step++;
        if (step < move * way)
            continue; /* a no-op */
        Placement at = spawn;
        at.x = (int8_t)(spawn.x + move);
        for (int turns = 0; turns < ROTATION_COUNT; turns++) {
            Placement rest = at;
            rest.y = (int8_t)board_rest(board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
            genes[0] = (int8_t)move;
            genes[1] = (int8_t)turns;
            if (plain ? placement_same_cells(rest, goal)
                      : find_second(board, rest, goal, genes + 2))
                return true;
            if (!turn_clockwise(board, &at))
                break;
        }
    }
    return false;
}

bool expand_genes(const Decoder *decoder, const DecodeState *state, Placement goal, int8_t *genes) {
    if (decoder->layout.is_double)
        genes[2] = genes[3] = 0;
    return find_genes(state, goal, true, genes) ||
           (decoder->layout.is_double && find_genes(state, goal, false, genes));
}
