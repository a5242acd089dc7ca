/*
 * high_clear: `descend` is the search, `high_clear_possible` its check, both in numbered steps.
 *
 * Invariant: a state in `memo` cannot be completed.
 */
#include "problem/high_clear.h"

#include "problem/expand.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOW_ROWS = 8, /* up to here problem/perfect searches */
    MEMO_BITS = 21,
    MEMO_SLOTS = 1 << MEMO_BITS,
    MEMO_FILL = MEMO_SLOTS / 4 * 3, /* beyond that failures are no longer remembered */
    CANDIDATES = 512,               /* of one state */
    CUT_INTERVAL = 256              /* states */
};

typedef struct Search {
    const PerfectSearch *setting;
    uint64_t *memo; /* keys of states that failed; 0: free */
    uint32_t memo_used;
    uint64_t used, states;
    bool stopped;   /* by the budget or a stop: a failure proves nothing now */
    bool truncated; /* a state had more placements than CANDIDATES: likewise */
    Move *moves;
    Move *candidates; /* CANDIDATES for every depth */
} Search;

/* ---- the check */

/* The empty cells of the lowest rows: all of them, and those that a path of empty cells connects
 * with the space above. */
typedef struct Air {
    uint16_t empty[BOARD_MAX_ROWS + 1], open[BOARD_MAX_ROWS + 1];
    int rows;
} Air;

/* Everything in `row` that touches `seen` sideways. */
static unsigned spread(unsigned row, unsigned seen) {
    for (unsigned before = 0; before != seen;) {
        before = seen;
        seen |= (seen << 1 | seen >> 1) & row;
    }
    return seen;
}

static void find_air(const Board *board, int rows, Air *air) {
    air->rows = rows;
    for (int y = 0; y < rows; y++) {
        air->empty[y] = (uint16_t)(board->full & ~board_row(board, y));
        air->open[y] = 0;
    }
    air->open[rows] = board->full;
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = rows - 1; y >= 0; y--) {
            unsigned next = air->open[y + 1] | (y > 0 ? air->open[y - 1] : 0);
            unsigned seen = spread(air->empty[y], air->open[y] | (air->empty[y] & next));
            changed = changed || seen != air->open[y];
            air->open[y] = (uint16_t)seen;
        }
    }
}

/* The open cells that `piece` can cover, all of it on open cells. With `near`, only the cells of
 * placements that cover that one. */
static void find_cover(const Air *air, Piece piece, const Cell *near, uint16_t *cover) {
    memset(cover, 0, (size_t)air->rows * sizeof *cover);
    for (int rotation = 0; rotation < piece_distinct_rotations[piece]; rotation++) {
        const Shape *shape = &piece_shapes[piece][rotation];
        int low = near ? near->y - (shape->max_y - shape->min_y) : 0,
            high = near ? near->y : air->rows;
        for (int y = low > 0 ? low : 0; y <= high && y + shape->max_y - shape->min_y < air->rows;
             y++) {
            /* Bit x: the piece fits with its left edge at x and its lowest row at y. */
            unsigned fits = ~0u, touches = 0;
            for (int i = 0; i < 4; i++) {
                int right = shape->cells[i].x - shape->min_x, up = shape->cells[i].y - shape->min_y;
                fits &= (unsigned)air->open[y + up] >> right;
                if (near && near->y == y + up && near->x >= right)
                    touches |= 1u << (near->x - right);
            }
            if (near)
                fits &= touches;
            for (int i = 0; fits && i < 4; i++)
                cover[y + shape->cells[i].y - shape->min_y] |=
                    (uint16_t)(fits << (shape->cells[i].x - shape->min_x));
        }
    }
}

/* The cells that each kind of piece still to come can cover. */
typedef struct Cover {
    uint16_t of[PIECE_COUNT][BOARD_MAX_ROWS + 1];
} Cover;

/* By which of the next placements, from 0, a piece of each kind can be placed at the earliest.
 * `left` where there is none. With hold a piece can come one placement earlier. */
static void earliest_of(const Decoder *decoder, const DecodeState *state, int left, bool hold,
                        int earliest[PIECE_COUNT]) {
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        earliest[piece] = hold && state->hold == piece ? 0 : left;
    int last = state->next + left + hold;
    for (int i = last < decoder->piece_count ? last : decoder->piece_count; i-- > state->next;) {
        int place = i - state->next - hold;
        place = place > 0 ? place : 0;
        if (place < earliest[decoder->pieces[i]])
            earliest[decoder->pieces[i]] = place;
    }
}

/* The earliest placement, from 0, that can clear a row: all its empty cells are open now, and for
 * each of them a piece that covers it has come. `left`: none can. */
static int first_clear(const Air *air, const Cover *cover, const int earliest[PIECE_COUNT],
                       int left) {
    int first = left;
    for (int y = 0; y < air->rows; y++) {
        if (air->open[y] != air->empty[y])
            continue;
        int row = 0;
        for (unsigned cells = air->empty[y]; cells; cells &= cells - 1) {
            int cell = left;
            for (int piece = 0; piece < PIECE_COUNT; piece++)
                if (earliest[piece] < cell && (cover->of[piece][y] & cells & -cells))
                    cell = earliest[piece];
            row = cell > row ? cell : row;
        }
        first = row < first ? row : first;
    }
    return first;
}

/* Whether the pieces `first`..`last` of the queue (and the hold) can be enough to cover all open
 * cells: some need a certain kind, and of those two that no placement of it covers together need
 * two pieces. */
static bool kinds_suffice(const Air *air, const Cover *cover, const Decoder *decoder,
                          const DecodeState *state, int count) {
    int have[PIECE_COUNT + 1] = {0};
    have[state->hold]++;
    for (int i = state->next; i < state->next + count && i < decoder->piece_count; i++)
        have[decoder->pieces[i]]++;
    uint16_t done[PIECE_COUNT][BOARD_MAX_ROWS + 1] = {{0}};
    for (int y = 0; y < air->rows; y++) {
        for (unsigned cells = air->open[y]; cells; cells &= cells - 1) {
            unsigned bit = cells & -cells;
            int kinds = 0, only = PIECE_NONE;
            for (int piece = 0; piece < PIECE_COUNT; piece++)
                if (have[piece] >= 0 && (cover->of[piece][y] & bit)) {
                    kinds++;
                    only = piece;
                }
            if (kinds == 0)
                return false;
            if (kinds > 1 || (done[only][y] & bit))
                continue;
            if (have[only]-- == 0)
                return false;
            uint16_t together[BOARD_MAX_ROWS + 1];
            find_cover(air, (Piece)only, &(Cell){(int8_t)__builtin_ctz(bit), (int8_t)y}, together);
            for (int k = 0; k < air->rows; k++)
                done[only][k] |= together[k];
        }
    }
    return true;
}

/* Whether every group of connected open cells has a size that whole pieces fill. */
static bool groups_are_whole(const Air *air) {
    uint16_t rest[BOARD_MAX_ROWS + 1];
    memcpy(rest, air->open, sizeof rest);
    rest[air->rows] = 0;
    for (int bottom = 0; bottom < air->rows; bottom++)
        while (rest[bottom]) {
            /* The group of the lowest cell: upwards and downwards until nothing is added. */
            uint16_t group[BOARD_MAX_ROWS + 1] = {0};
            group[bottom] = (uint16_t)spread(rest[bottom], rest[bottom] & -(unsigned)rest[bottom]);
            int top = bottom, size = 0;
            for (bool changed = true; changed;) {
                changed = false;
                for (int y = bottom; y <= top; y++) {
                    unsigned next = group[y + 1] | (y > bottom ? group[y - 1] : 0);
                    unsigned seen = spread(rest[y], group[y] | (rest[y] & next));
                    changed = changed || seen != group[y];
                    group[y] = (uint16_t)seen;
                    if (y == top && top + 1 < air->rows && (group[y] & rest[y + 1]))
                        top++;
                }
            }
            for (int y = bottom; y <= top; y++) {
                size += __builtin_popcount(group[y]);
                rest[y] &= (uint16_t)~group[y];
            }
            if (size % 4 != 0)
                return false;
        }
    return true;
}

/* False proves that there is no clear. *after is the most pieces that can come after the first line
 * clear: what is known when it is called (`left`: nothing), and what it finds. */
static bool possible(const Decoder *decoder, const DecodeState *state, int left, int rows,
                     bool hold, int *after) {
    /* 1. All rows up to the top of the stack must go. */
    if (state->highest > rows)
        return false;
    /* 2. Cells without a way to the air can only be filled by pieces after the first line clear. If
     * there is not one piece too many, those before it fill all other cells without a clear in
     * between, so connected cells must be a multiple of 4. */
    Air air;
    find_air(&state->board, rows, &air);
    int hidden = 0;
    for (int y = 0; y < rows; y++)
        hidden += __builtin_popcount(air.empty[y] & ~(unsigned)air.open[y]);
    if (hidden == 0)
        return true;
    if (hidden > 4 * *after || (hidden == 4 * *after && !groups_are_whole(&air)))
        return false;
    /* 3. Count those pieces again: the first clear cannot come earlier than it could before. */
    int earliest[PIECE_COUNT];
    earliest_of(decoder, state, left, hold, earliest);
    Cover cover;
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        if (earliest[piece] < left)
            find_cover(&air, (Piece)piece, NULL, cover.of[piece]);
        else
            memset(cover.of[piece], 0, sizeof cover.of[piece]);
    int first = first_clear(&air, &cover, earliest, left);
    if (left - 1 - first < *after)
        *after = left - 1 - first;
    if (hidden != 4 * *after)
        return hidden < 4 * *after;
    /* 4. Not one piece too many: those before must also be of the right kinds. */
    return groups_are_whole(&air) &&
           kinds_suffice(&air, &cover, decoder, state, left - *after + hold);
}

bool high_clear_possible(const Decoder *decoder, const DecodeState *state, int left, int rows) {
    int after = left;
    return possible(decoder, state, left, rows, true, &after);
}

/* ---- the search */

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static uint64_t key_of(const DecodeState *state) {
    uint64_t key = mix((uint64_t)state->next << 8 | state->hold);
    for (int y = 0; y < state->highest; y += 4)
        key = mix(key ^ board_window(state->board.words, y)) + (uint64_t)y;
    return key ? key : 1;
}

/* The place of the key, or the free one where it belongs. */
static uint64_t *memo_place(const Search *search, uint64_t key) {
    uint64_t i = key >> (64 - MEMO_BITS);
    while (search->memo[i] != 0 && search->memo[i] != key)
        i = (i + 1) % MEMO_SLOTS;
    return &search->memo[i];
}

/* The state with the current piece taken, and swapped with the hold when `held`; false when that
 * cannot be done or the piece cannot spawn. */
static bool take(const PerfectSearch *setting, const DecodeState *state, bool held,
                 DecodeState *taken, Piece *piece) {
    *taken = *state;
    *piece = decode_take(setting->decoder, taken);
    return *piece != PIECE_NONE && (!held || decode_swap(setting->decoder, taken, piece)) &&
           decode_spawn_is_free(taken, *piece);
}

/* The placements that stay below `rows`, the lowest first. */
static int collect(Search *search, const DecodeState *state, int rows, Move *list) {
    const PerfectSearch *setting = search->setting;
    int count = 0;
    for (int held = 0; held <= (int)setting->hold; held++) {
        DecodeState taken;
        Piece piece;
        if (!take(setting, state, held, &taken, &piece))
            continue;
        Placement places[REACH_MAX];
        int found = expand_places(setting->decoder, &taken, piece, setting->any, places);
        for (int i = 0; i < found; i++) {
            if (places[i].y + piece_shapes[piece][places[i].rotation].max_y >= rows)
                continue;
            if (count == CANDIDATES) {
                search->truncated = true;
                break;
            }
            int k = count++;
            for (; k > 0 && list[k - 1].placement.y > places[i].y; k--)
                list[k] = list[k - 1];
            list[k] = (Move){places[i], held};
        }
    }
    return count;
}

/* Empties `rows` rows with `left` pieces, of which at most `after` come after the next line clear;
 * `made` moves are in search->moves. */
static bool descend(Search *search, const DecodeState *state, int made, int left, int rows,
                    int after) {
    const PerfectSearch *setting = search->setting;
    /* 1. All pieces are placed. */
    if (left == 0)
        return state->highest == 0;
    if (++search->states % CUT_INTERVAL == 0 && setting->cut.asked &&
        setting->cut.asked(setting->cut.context))
        search->stopped = true;
    /* 2. The same state failed before. */
    uint64_t key = key_of(state);
    if (*memo_place(search, key) == key)
        return false;
    /* 3. Every placement after which the check does not exclude a clear. */
    Move *list = search->candidates + (size_t)made * CANDIDATES;
    int count = collect(search, state, rows, list);
    for (int i = 0; i < count && !search->stopped; i++) {
        DecodeState next;
        Piece piece;
        int lines;
        take(setting, state, list[i].hold, &next, &piece);
        if (setting->effort && ++search->used >= setting->effort)
            search->stopped = true;
        if (!decode_lock(&next, list[i].placement, &lines))
            continue;
        int next_after = lines > 0 ? left - 1 : after;
        if (!possible(setting->decoder, &next, left - 1, rows - lines, setting->hold, &next_after))
            continue;
        search->moves[made] = list[i];
        if (descend(search, &next, made + 1, left - 1, rows - lines, next_after))
            return true;
    }
    /* 4. All failed: remember that, unless the search was stopped, which proves nothing. */
    if (!search->stopped && search->memo_used < MEMO_FILL) {
        *memo_place(search, key) = key;
        search->memo_used++;
    }
    return false;
}

static int rows_of(const DecodeState *state, int pieces) {
    return (board_count(&state->board) + 4 * pieces) / state->board.width;
}

bool high_clear_applies(const DecodeState *start, int placements) {
    for (int y = 0; y < start->highest; y++)
        if (board_row(&start->board, y) == 0)
            return false;
    return start->highest > LOW_ROWS &&
           (board_count(&start->board) + 4 * placements) % start->board.width == 0;
}

bool high_clear_search(const PerfectSearch *setting, const DecodeState *start, int placements,
                       Move *moves, PerfectResult *result) {
    *result = (PerfectResult){0};
    Search search = {.setting = setting,
                     .moves = moves,
                     .memo = calloc(MEMO_SLOTS, sizeof *search.memo),
                     .candidates = malloc((size_t)placements * CANDIDATES * sizeof(Move))};
    bool ok = search.memo && search.candidates;
    if (ok) {
        int rows = rows_of(start, placements), after = placements;
        bool found = possible(setting->decoder, start, placements, rows, setting->hold, &after) &&
                     descend(&search, start, 0, placements, rows, after);
        *result = (PerfectResult){.length = found ? placements : 0,
                                  .used = search.used,
                                  .exhausted = !found && !search.stopped && !search.truncated,
                                  .one_stage = true};
    }
    free(search.memo);
    free(search.candidates);
    return ok;
}
