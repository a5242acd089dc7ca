/*
 * decode: the hot loop of every offline search: spawn, slide, rotate, fall, lock, for each gene.
 *
 * Invariant (decode_state_ok): heights and counts always match the board. The loop is compiled once
 * per CPU level and encoding; where the stack is low, the way of a piece at the top of the board
 * comes from a table (DecodeTop).
 */
#include "problem/decode.h"

#include "base/check.h"
#include "base/cpu.h"
#include "engine/score.h"

#include <assert.h>

/*
 * How it gets fast (genes are random, so what costs is mispredicted branches, not arithmetic):
 *  - move1 and rot1 happen above the stack most of the time: a table built once on the empty board
 *    gives where they lead and the lowest row they touch; it holds while the stack is below that
 *    row.
 *  - a fall from above the stack ends at the largest of (column height - piece bottom).
 *  - move2 is not walked: all positions of the row of moves are tested at once as a bit set, and
 *    the free run in the direction of the move is counted.
 *  - the five kicks of a rotation are tested without branches and the first that fits is taken by a
 * bit scan.
 */

/* One loop is compiled 24 times, for which clang takes a minute with AddressSanitizer. There the
 * parts are functions. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INLINE static
#endif
#endif
#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif

const char *const decode_order_names[ORDER_COUNT] = {"move-first", "turn-first", "published"};

/* Finds the heights of a board that is empty from row `rows` on. */
static void find_heights(DecodeState *state, int rows) {
    memset(state->heights, 0, sizeof state->heights);
    while (rows > 0 && board_row(&state->board, rows - 1) == 0)
        rows--;
    state->highest = (uint8_t)rows;
    unsigned covered = 0;
    for (int y = state->highest - 1; y >= 0; y--) {
        unsigned row = board_row(&state->board, y);
        for (unsigned fresh = row & ~covered; fresh; fresh &= fresh - 1)
            state->heights[__builtin_ctz(fresh)] = (uint8_t)(y + 1);
        covered |= row;
    }
}

bool decode_state_ok(const DecodeState *state, const char **reason) {
    if (!board_ok(&state->board, reason))
        return false;
    DecodeState fresh = *state;
    find_heights(&fresh, board_highest(&fresh.board));
    if (fresh.highest != state->highest ||
        memcmp(fresh.heights, state->heights, sizeof fresh.heights) != 0)
        *reason = "the heights do not match the board";
    else if (state->peak < state->highest)
        *reason = "the stack is higher than its peak";
    else if (state->lines !=
             state->clears[0] + 2 * state->clears[1] + 3 * state->clears[2] + 4 * state->clears[3])
        *reason = "the lines do not match the clears";
    else if (state->hold > PIECE_NONE)
        *reason = "the hold is damaged";
    return !*reason;
}

bool decoder_ok(const Decoder *decoder, const char **reason) {
    if (!decode_state_ok(&decoder->start, reason))
        return false;
    if (decoder->placements < 0 || decoder->placements > decoder->piece_count)
        *reason = "more placements than pieces";
    else if (!decoder->play || !decoder->measure)
        *reason = "no loops";
    for (int i = 0; !*reason && i < decoder->piece_count; i++)
        if (decoder->pieces[i] >= PIECE_COUNT)
            *reason = "not a piece";
    return !*reason;
}

/* A move walked step by step; returns the steps that failed. */
static int walk(const Board *board, Placement *at, int move) {
    int step = move < 0 ? -1 : 1, count = move < 0 ? -move : move;
    for (; count > 0; count--) {
        if (!board_fits(board, (Piece)at->piece, (Rotation)at->rotation, at->x + step, at->y))
            break;
        at->x = (int8_t)(at->x + step);
    }
    return count;
}

static void note_low_row(const Placement *at, int *low_row) {
    int low = at->y + piece_shapes[at->piece][at->rotation].min_y;
    if (low < *low_row)
        *low_row = low;
}

/* One quarter turn, as the hot loop makes it, without its tables. */
static bool walk_turn(const Board *board, Placement *at, Turn turn, int *low_row) {
    Rotation rotation = (Rotation)at->rotation;
    int x = at->x, y = at->y;
    if (!board_turn(board, (Piece)at->piece, turn, &rotation, &x, &y))
        return false;
    *at = (Placement){at->piece, (uint8_t)rotation, (int8_t)x, (int8_t)y, at->spin};
    note_low_row(at, low_row);
    return true;
}

/* Two quarter turns; one that cannot be followed by the other is turned back. */
static bool walk_half_turn(const Board *board, Placement *at, Turn turn, int *low_row) {
    if (!walk_turn(board, at, turn, low_row))
        return false;
    if (walk_turn(board, at, turn, low_row))
        return true;
    walk_turn(board, at, turn == TURN_CLOCKWISE ? TURN_COUNTER : TURN_CLOCKWISE, low_row);
    return false;
}

static int walk_turns(const Board *board, DecodeOrder order, Placement *at, int turns,
                      int *low_row) {
    if (order == ORDER_PUBLISHED) {
        if (turns == 2)
            return !walk_half_turn(board, at, TURN_COUNTER, low_row) &&
                   !walk_half_turn(board, at, TURN_CLOCKWISE, low_row);
        return turns > 0 &&
               !walk_turn(board, at, turns == 1 ? TURN_CLOCKWISE : TURN_COUNTER, low_row);
    }
    while (turns > 0 && walk_turn(board, at, TURN_CLOCKWISE, low_row))
        turns--;
    return turns;
}

int decode_turn(const Board *board, DecodeOrder order, Placement *at, int turns) {
    int low_row = 0;
    return walk_turns(board, order, at, turns, &low_row);
}

static DecodeTop find_top(const Board *empty, DecodeOrder order, Piece piece, int move, int turns) {
    Placement at = {.piece = (uint8_t)piece,
                    .rotation = NORTH,
                    .x = (int8_t)board_spawn_x(empty),
                    .y = (int8_t)board_spawn_y(empty)};
    int low_row = empty->height, noops = 0;
    note_low_row(&at, &low_row);
    if (order == ORDER_MOVE_FIRST)
        noops += walk(empty, &at, move);
    noops += walk_turns(empty, order, &at, turns, &low_row);
    if (order != ORDER_MOVE_FIRST)
        noops += walk(empty, &at, move);
    return (DecodeTop){at.x, at.y, at.rotation, (uint8_t)noops, (uint8_t)low_row};
}

Piece decode_take(const Decoder *decoder, DecodeState *state) {
    if (state->next < decoder->piece_count)
        return (Piece)decoder->pieces[state->next++];
    Piece piece = (Piece)state->hold;
    state->hold = PIECE_NONE;
    return piece;
}

bool decode_swap(const Decoder *decoder, DecodeState *state, Piece *piece) {
    Piece brought = (Piece)state->hold;
    if (brought == PIECE_NONE) {
        if (state->next == decoder->piece_count)
            return false;
        brought = (Piece)decoder->pieces[state->next++];
    }
    state->hold = (uint8_t)*piece;
    *piece = brought;
    return true;
}

/* The full rows among the `rows` lowest of four; what is above them is the ceiling. */
static int count_full(uint64_t window, uint16_t full, int rows) {
    int count = 0;
    if (rows < 4)
        window &= ((uint64_t)1 << 16 * rows) - 1;
    for (int i = 0; i < 4; i++)
        count += (uint16_t)(window >> 16 * i) == full;
    return count;
}

/* Whether one of the four 16-bit words is `full`: the usual test for a zero among words. */
INLINE bool any_full(uint64_t rows, uint16_t full) {
    const uint64_t ones = 0x0001000100010001u;
    uint64_t zero = rows ^ full * ones;
    return ((zero - ones) & ~zero & ones << 15) != 0;
}

static __attribute__((noinline)) void remove_rows(DecodeState *state, int lines) {
    if (lines == 0)
        return;
    int kept = 0;
    for (int y = 0; y < state->highest; y++)
        if (board_row(&state->board, y) != state->board.full)
            board_set_row(&state->board, kept++, board_row(&state->board, y));
    for (int y = kept; y < state->highest; y++)
        board_set_row(&state->board, y, 0);
    find_heights(state, kept);
    state->lines = (uint16_t)(state->lines + lines);
    state->clears[lines - 1]++;
    state->score += (int32_t)score_lines(SCORING_UNIT, lines, 1);
    if (state->highest == 0)
        state->score += state->perfect_points;
}

INLINE int lock(DecodeState *state, const Placement *at) {
    const Shape *shape = &piece_shapes[at->piece][at->rotation];
    int left = at->x + shape->min_x, low = at->y + shape->min_y;
    uint16_t *place = state->board.words + low + BOARD_PAD;
    uint64_t window;
    memcpy(&window, place, sizeof window);
    window |= shape->mask << left;
    memcpy(place, &window, sizeof window);
    for (int i = 0; i < 4; i++) { /* top is -100 for columns without a cell */
        int top = at->y + shape->top[i] + 1;
        uint8_t *height = &state->heights[left + i];
        *height = (uint8_t)(top > *height ? top : *height);
    }
    int top = at->y + shape->max_y + 1;
    state->highest = (uint8_t)(top > state->highest ? top : state->highest);
    state->placed++;
    int lines = 0;
    if (__builtin_expect(any_full(window, state->board.full), 0)) {
        lines = count_full(window, state->board.full, board_rows(&state->board) - low);
        remove_rows(state, lines);
    }
    state->peak = state->highest > state->peak ? state->highest : state->peak;
    CHECK_OK(decode_state_ok, state);
    return lines;
}

bool decode_lock(DecodeState *state, Placement at, int *lines) {
    if (at.y + piece_shapes[at.piece][at.rotation].min_y >= state->board.height) {
        state->topped_out = true;
        return false;
    }
    *lines = lock(state, &at);
    return true;
}

/* The y at which the piece comes to rest, falling from at->y. */
INLINE int8_t fall(const DecodeState *state, const Placement *at) {
    const Shape *shape = &piece_shapes[at->piece][at->rotation];
    const uint8_t *heights = state->heights + at->x + shape->min_x;
    int rest = heights[0] - shape->bottom[0];
    for (int i = 1; i < 4; i++) { /* bottom is 100 for columns without a cell */
        int other = heights[i] - shape->bottom[i];
        rest = other > rest ? other : rest;
    }
    if (__builtin_expect(at->y >= rest, 1))
        return (int8_t)rest;
    return (int8_t)board_rest(&state->board, (Piece)at->piece, (Rotation)at->rotation, at->x,
                              at->y); /* under an overhang */
}

/* Bit x+1 of the result: the piece at centre x, where at->y is, would hit something. */
INLINE uint32_t blocked_centres(const Board *board, const Placement *at) {
    const Cell *cells = piece_shapes[at->piece][at->rotation].cells;
    uint32_t walls = ~((uint32_t)board->full << 3), blocked = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t row = (uint32_t)board_row(board, at->y + cells[i].y) << 3 | walls;
        blocked |= row >> (cells[i].x + 2);
    }
    return blocked;
}

/* Moves sideways as far as the gene says and the board allows; returns the steps that failed. */
INLINE int slide(const Board *board, Placement *at, int move) {
    uint32_t blocked = blocked_centres(board, at);
    int bit = at->x + 1;
    int free_right = __builtin_ctz(blocked >> (bit + 1));
    int free_left = __builtin_clz(blocked << (31 - bit) << 1);
    int wanted = move < 0 ? -move : move, free_steps = move < 0 ? free_left : free_right;
    int done = wanted < free_steps ? wanted : free_steps;
    at->x = (int8_t)(at->x + (move < 0 ? -done : done));
    return wanted - done;
}

INLINE unsigned kick_fits(const Board *board, const DecodeTurn *turn, int k, int x, int y) {
    unsigned left = (unsigned)(x + turn->kicks[k].left); /* huge when it is negative */
    uint64_t window = board_window(board->words, y + turn->kicks[k].low);
    /* Outside the walls the shift is harmless and its result does not count. */
    return (unsigned)(left <= turn->last_left) &
           (unsigned)((window & turn->mask << (left & 15)) == 0);
}

/* One quarter turn; false when it is not possible. */
INLINE bool turn_once(const Decoder *decoder, const Board *board, Placement *at, Turn turn) {
    const DecodeTurn *way = &decoder->turns[turn][at->piece][at->rotation];
    int k = 0;
    if (!kick_fits(board, way, 0, at->x, at->y)) {
        unsigned fits = 0;
        for (int i = 1; i < KICK_COUNT; i++)
            fits |= kick_fits(board, way, i, at->x, at->y) << i;
        if (!fits)
            return false;
        k = __builtin_ctz(fits);
    }
    at->rotation = (at->rotation + (turn == TURN_CLOCKWISE ? 1u : 3u)) & 3u;
    at->x = (int8_t)(at->x + way->kicks[k].x);
    at->y = (int8_t)(at->y + way->kicks[k].y);
    return true;
}

/* The turns of a gene; returns the no-ops. */
INLINE int turn(const Decoder *decoder, const Board *board, Placement *at, int turns,
                DecodeOrder order) {
    if (order == ORDER_PUBLISHED) {
        if (turns == 1)
            return !turn_once(decoder, board, at, TURN_CLOCKWISE);
        if (turns == 3)
            return !turn_once(decoder, board, at, TURN_COUNTER);
        return turns == 2 ? decode_turn(board, order, at, turns) : 0;
    }
    while (turns > 0 && turn_once(decoder, board, at, TURN_CLOCKWISE))
        turns--;
    return turns;
}

/* A move and turns; returns the no-ops. */
INLINE int steer(const Decoder *decoder, const Board *board, Placement *at, int move, int turns,
                 DecodeOrder order, bool turn_first) {
    int noops = turn_first ? turn(decoder, board, at, turns, order) : slide(board, at, move);
    return noops + (turn_first ? slide(board, at, move) : turn(decoder, board, at, turns, order));
}

/* move1 and rot1. */
INLINE int go_to_top(const Decoder *decoder, const DecodeState *state, Placement *at, int move,
                     int turns, DecodeOrder order) {
    const DecodeTop *top = &decoder->tops[at->piece][move + state->board.width / 2][turns];
    if (__builtin_expect(state->highest <= top->low_row, 1)) {
        at->x = top->x;
        at->y = top->y;
        at->rotation = top->rotation;
        return top->noops;
    }
    at->x = (int8_t)board_spawn_x(&state->board);
    at->y = (int8_t)board_spawn_y(&state->board);
    at->rotation = NORTH;
    return steer(decoder, &state->board, at, move, turns, order, order != ORDER_MOVE_FIRST);
}

/* One piece from the spawn to its lock. False when the game ends. */
INLINE bool play_piece(const Decoder *decoder, DecodeState *state, const int8_t *genes,
                       bool has_swap, bool is_double, DecodeOrder order, DecodeStep *step) {
    Piece piece = decode_take(decoder, state);
    if (piece == PIECE_NONE)
        return false;
    if (!decode_spawn_is_free(state, piece)) {
        state->topped_out = true;
        return false;
    }
    bool held = has_swap && genes[0] && decode_swap(decoder, state, &piece);
    if (held && !decode_spawn_is_free(state, piece)) {
        state->topped_out = true;
        return false;
    }
    genes += has_swap;
    Placement at = {.piece = (uint8_t)piece};
    int noops = go_to_top(decoder, state, &at, genes[0], genes[1], order);
    at.y = fall(state, &at);
    if (is_double) {
        noops += steer(decoder, &state->board, &at, genes[2], genes[3], order,
                       order == ORDER_TURN_FIRST);
        at.y = fall(state, &at);
    }
    state->noops += noops;
    if (at.y + piece_shapes[at.piece][at.rotation].min_y >= state->board.height) {
        state->topped_out = true;
        return false;
    }
    int lines = lock(state, &at);
    if (step)
        *step = (DecodeStep){.move = {at, held}, .lines = (uint8_t)lines};
    return true;
}

INLINE void play(const Decoder *decoder, DecodeState *state, const int8_t *genes, int first,
                 int last, bool has_swap, bool is_double, DecodeOrder order, DecodeStep *steps) {
    if (state->topped_out)
        return;
    int stride = decoder->layout.genes;
    genes += first * stride;
    for (int i = first; i < last; i++, genes += stride)
        if (!play_piece(decoder, state, genes, has_swap, is_double, order,
                        steps ? steps + i : NULL))
            return;
}

INLINE void play_order(const Decoder *decoder, DecodeState *state, const int8_t *genes, int first,
                       int last, DecodeOrder order) {
    switch (decoder->layout.encoding) {
    case ENCODING_SIMPLE:
        play(decoder, state, genes, first, last, false, false, order, NULL);
        break;
    case ENCODING_DOUBLE:
        play(decoder, state, genes, first, last, false, true, order, NULL);
        break;
    case ENCODING_SWAP_SIMPLE:
        play(decoder, state, genes, first, last, true, false, order, NULL);
        break;
    case ENCODING_SWAP_DOUBLE:
        play(decoder, state, genes, first, last, true, true, order, NULL);
        break;
    case ENCODING_PLACEMENTS:
    case ENCODING_COUNT:
        assert(false);
    }
}

/* One copy of the loop for every encoding and order, so that the genes of a piece and what they do
 * are known in it. */
INLINE void play_any(const Decoder *decoder, DecodeState *state, const int8_t *genes, int first,
                     int last) {
    switch (decoder->rules.order) {
    case ORDER_MOVE_FIRST:
        play_order(decoder, state, genes, first, last, ORDER_MOVE_FIRST);
        break;
    case ORDER_TURN_FIRST:
        play_order(decoder, state, genes, first, last, ORDER_TURN_FIRST);
        break;
    case ORDER_PUBLISHED:
        play_order(decoder, state, genes, first, last, ORDER_PUBLISHED);
        break;
    case ORDER_COUNT:
        assert(false);
    }
}

static void play_baseline(const Decoder *decoder, DecodeState *state, const int8_t *genes,
                          int first, int last) {
    play_any(decoder, state, genes, first, last);
}

#if defined(__x86_64__)
CPU_TARGET_AVX2 static void play_avx2(const Decoder *decoder, DecodeState *state,
                                      const int8_t *genes, int first, int last) {
    play_any(decoder, state, genes, first, last);
}
#endif

static DecodePlay *choose_play(void) {
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX2)
        return play_avx2;
#endif
    return play_baseline;
}

static DecodeTurn find_turn(const Board *board, Piece piece, Rotation from, Turn turn) {
    const Shape *shape = &piece_shapes[piece][rotation_after(from, turn)];
    const Cell *kicks = piece_kicks[piece][from][turn];
    DecodeTurn way = {.mask = shape->mask,
                      .last_left = (uint8_t)(board->width - 1 - shape->max_x + shape->min_x)};
    for (int k = 0; k < KICK_COUNT; k++) {
        way.kicks[k].x = kicks[k].x;
        way.kicks[k].y = kicks[k].y;
        way.kicks[k].left = (int8_t)(kicks[k].x + shape->min_x);
        way.kicks[k].low = (int8_t)(kicks[k].y + shape->min_y);
    }
    return way;
}

/* Fills what depends only on the size of the board and the order of moves. */
static void find_tables(Decoder *decoder, const Board *board) {
    Board empty;
    board_init(&empty, board->width, board->height);
    if (decoder->rules.no_game_over)
        board_close(&empty);
    int reach = board->width / 2;
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int from = 0; from < ROTATION_COUNT; from++)
            for (int way = 0; way < TURN_COUNT; way++)
                decoder->turns[way][piece][from] =
                    find_turn(board, (Piece)piece, (Rotation)from, (Turn)way);
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int move = -reach; move <= reach; move++)
            for (int turns = 0; turns < ROTATION_COUNT; turns++)
                decoder->tops[piece][move + reach][turns] =
                    find_top(&empty, decoder->rules.order, (Piece)piece, move, turns);
}

/* Sets all but the tables. */
static void set_problem(Decoder *decoder, Encoding encoding, DecodeRules rules, const Board *board,
                        const uint8_t *pieces, int count, int placements) {
    assert(placements <= count && count <= UINT16_MAX);
    genotype_layout(&decoder->layout, encoding, board->width);
    decoder->rules = rules;
    decoder->play = choose_play();
    decoder->measure = heuristics_measure_here();
    decoder->pieces = pieces;
    decoder->piece_count = count;
    decoder->placements = placements;
    decoder->start =
        (DecodeState){.board = *board, .hold = PIECE_NONE, .perfect_points = rules.perfect_points};
    find_heights(&decoder->start, board_highest(&decoder->start.board));
    decoder->start.peak = decoder->start.highest;
    if (rules.no_game_over)
        board_close(&decoder->start.board);
}

void decoder_init(Decoder *decoder, Encoding encoding, DecodeRules rules, const Board *board,
                  const uint8_t *pieces, int count, int placements) {
    memset(decoder, 0, sizeof *decoder);
    decoder_change(decoder, encoding, rules, board, pieces, count, placements);
}

void decoder_change(Decoder *decoder, Encoding encoding, DecodeRules rules, const Board *board,
                    const uint8_t *pieces, int count, int placements) {
    const Board *before = &decoder->start.board;
    bool same = board->width == before->width && board->height == before->height &&
                rules.order == decoder->rules.order &&
                rules.no_game_over == decoder->rules.no_game_over;
    set_problem(decoder, encoding, rules, board, pieces, count, placements);
    if (!same)
        find_tables(decoder, board);
    CHECK_OK(decoder_ok, decoder);
}

void decoder_play(const Decoder *decoder, DecodeState *state, const int8_t *genes, int first,
                  int last) {
    decoder->play(decoder, state, genes, first, last);
}

INLINE void trace_any(const Decoder *decoder, DecodeState *state, const int8_t *genes,
                      DecodeStep *steps) {
    play(decoder, state, genes, 0, decoder->placements, decoder->layout.has_swap,
         decoder->layout.is_double, decoder->rules.order, steps);
}

#if defined(__x86_64__)
CPU_TARGET_AVX2 static void trace_avx2(const Decoder *decoder, DecodeState *state,
                                       const int8_t *genes, DecodeStep *steps) {
    trace_any(decoder, state, genes, steps);
}
#endif

void decoder_trace(const Decoder *decoder, DecodeState *state, const int8_t *genes,
                   DecodeStep *steps) {
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX2) {
        trace_avx2(decoder, state, genes, steps);
        return;
    }
#endif
    trace_any(decoder, state, genes, steps);
}
