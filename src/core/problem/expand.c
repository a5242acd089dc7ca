/*
 * expand: one position at a time; serves stacks that reach up to where the pieces spawn. While the
 * stack is low, expand_low does the same with sets of positions.
 *
 * A half is a move and up to three turns, in the order of the decoder's rules. Simple encodings
 * have one half, at the top, then the piece falls. Doubles have another one from there (move2 can
 * cross the whole board), then it falls again. Each (state, x, y) is visited once, however many
 * ways lead to it.
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

static Placement fallen(const Board *board, Placement at) {
    at.y = (int8_t)board_rest(board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    return at;
}

/* ---- halves */

/* One way through a half without a no-op, and where it leads. */
typedef struct Way {
    int8_t move, turns;
    Placement at;
} Way;

/* All of them. */
typedef struct Ways {
    Way list[(2 * BOARD_MAX_WIDTH + 1) * ROTATION_COUNT];
    int count;
} Ways;

static void add_way(Ways *ways, int move, int turns, Placement at) {
    ways->list[ways->count++] = (Way){(int8_t)move, (int8_t)turns, at};
}

/* No step, then steps to the left, then to the right, at most `reach` of them. The place itself is
 * taken as it is: without game over a piece can appear on filled cells. */
static int list_steps(const Board *board, Placement at, int reach, Way *steps) {
    int count = 0;
    steps[count++] = (Way){0, 0, at};
    for (int way = -1; way <= 1; way += 2) {
        Placement moved = at;
        for (int step = 1; step <= reach; step++) {
            moved.x = (int8_t)(at.x + way * step);
            if (!board_fits(board, (Piece)at.piece, (Rotation)at.rotation, moved.x, at.y))
                break;
            steps[count++] = (Way){(int8_t)(way * step), 0, moved};
        }
    }
    return count;
}

static void list_ways(const Board *board, DecodeOrder order, bool turn_first, Placement from,
                      int reach, Ways *ways) {
    Way steps[2 * BOARD_MAX_WIDTH + 1];
    ways->count = 0;
    if (turn_first) {
        for (int turns = 0; turns < ROTATION_COUNT; turns++) {
            Placement turned = from;
            if (decode_turn(board, order, &turned, turns) > 0)
                continue;
            int count = list_steps(board, turned, reach, steps);
            for (int i = 0; i < count; i++)
                add_way(ways, steps[i].move, turns, steps[i].at);
        }
        return;
    }
    int count = list_steps(board, from, reach, steps);
    for (int i = 0; i < count; i++)
        for (int turns = 0; turns < ROTATION_COUNT; turns++) {
            Placement at = steps[i].at;
            if (decode_turn(board, order, &at, turns) == 0)
                add_way(ways, steps[i].move, turns, at);
        }
}

static void list_first(const Decoder *decoder, const Board *board, Piece piece, Ways *ways) {
    DecodeOrder order = decoder->rules.order;
    Placement spawn = {.piece = (uint8_t)piece,
                       .rotation = NORTH,
                       .x = (int8_t)board_spawn_x(board),
                       .y = (int8_t)board_spawn_y(board)};
    list_ways(board, order, order != ORDER_MOVE_FIRST, spawn, board->width / 2, ways);
}

static void list_second(const Decoder *decoder, const Board *board, Placement rest, Ways *ways) {
    DecodeOrder order = decoder->rules.order;
    list_ways(board, order, order == ORDER_TURN_FIRST, rest, board->width - 1, ways);
}

/* ---- every place */

typedef struct Expansion {
    const Board *board;
    Seen tops, ends;
    Placement *out;
    int count;
} Expansion;

/* Comes to rest and is written down if no other way filled the same cells. */
static void end_at(Expansion *e, Placement at) {
    Placement canonical = placement_canonical(fallen(e->board, at));
    if (mark_seen(&e->ends, &canonical))
        e->out[e->count++] = canonical;
}

static int walk_places(const Decoder *decoder, const DecodeState *state, Piece piece,
                       Placement out[REACH_MAX]) {
    const Board *board = &state->board;
    Expansion e = {.board = board, .out = out};
    Ways first, second;
    list_first(decoder, board, piece, &first);
    for (int i = 0; i < first.count; i++) {
        Placement rest = fallen(board, first.list[i].at);
        if (!mark_seen(&e.tops, &rest))
            continue;
        if (!decoder->layout.is_double) {
            end_at(&e, rest);
            continue;
        }
        list_second(decoder, board, rest, &second);
        for (int k = 0; k < second.count; k++)
            end_at(&e, second.list[k].at);
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

bool expand_is_complete(const Decoder *decoder) {
    return decoder->rules.order != ORDER_PUBLISHED;
}

/* ---- genes */

/* The second half of a double: from rest, is there a move2 and rot2 that end at `goal`? */
static bool find_second(const Decoder *decoder, const Board *board, Placement rest, Placement goal,
                        int8_t *genes) {
    Ways ways;
    list_second(decoder, board, rest, &ways);
    for (int i = 0; i < ways.count; i++)
        if (placement_same_cells(fallen(board, ways.list[i].at), goal)) {
            genes[0] = ways.list[i].move;
            genes[1] = ways.list[i].turns;
            return true;
        }
    return false;
}

/* The first way of `move` in the list that ends at `goal`. With `plain` the second half stays 0:
 * the way that a person would take. */
static bool find_move(const Decoder *decoder, const Board *board, const Ways *first, int move,
                      Placement goal, bool plain, int8_t *genes) {
    for (int i = 0; i < first->count; i++) {
        const Way *way = &first->list[i];
        if (way->move != move)
            continue;
        Placement rest = fallen(board, way->at);
        genes[0] = way->move;
        genes[1] = way->turns;
        if (plain ? placement_same_cells(rest, goal)
                  : find_second(decoder, board, rest, goal, genes + 2))
            return true;
    }
    return false;
}

static bool find_genes(const Decoder *decoder, const DecodeState *state, Placement goal, bool plain,
                       int8_t *genes) {
    const Board *board = &state->board;
    int reach = board->width / 2;
    Ways first;
    list_first(decoder, board, (Piece)goal.piece, &first);
    for (int move = -reach; move <= reach; move++)
        if (find_move(decoder, board, &first, move, goal, plain, genes))
            return true;
    return false;
}

bool expand_genes(const Decoder *decoder, const DecodeState *state, Placement goal, int8_t *genes) {
    if (decoder->layout.is_double)
        genes[2] = genes[3] = 0;
    return find_genes(decoder, state, goal, true, genes) ||
           (decoder->layout.is_double && find_genes(decoder, state, goal, false, genes));
}
