/*
 * reach_table: sets of positions as bits, one word per state and column, spread until nothing
 * changes. Labels come from how a position can be entered last: by a move, by a rotation, or by the
 * fifth test of a quarter turn.
 */
#include "movegen/reach_table.h"

#include "engine/game.h"

#include <string.h>

static int turned(int from, int quarter) {
    return (from + quarter) & 3;
}

void reach_table_srs(KickTable *table) {
    memset(table, 0, sizeof *table);
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < ROTATION_COUNT; r++) {
            for (int t = 0; t < TURN_COUNT; t++) {
                KickTests *tests = &table->from[p][r][rotation_after((Rotation)r, (Turn)t)];
                tests->count = piece_kick_counts[p];
                memcpy(tests->tests, piece_kicks[p][r][t],
                       (size_t)tests->count * sizeof *tests->tests);
            }
            table->from[p][r][turned(r, 2)].count = 1;
        }
}

enum { OFFSET = 4 }; /* bit y + OFFSET: the centre is in row y; it can be under the floor */

typedef uint64_t PositionSets[ROTATION_COUNT][BOARD_MAX_WIDTH];

static uint64_t shifted(uint64_t set, int up) {
    return up >= 0 ? set << up : set >> -up;
}

/* Where the piece fits: no cell in a filled one, under the floor or above the ceiling. */
static void find_fits(const Columns *columns, Piece piece, PositionSets fits) {
    int rows = columns->height + BOARD_HIDDEN_ROWS;
    uint64_t free_rows = (((uint64_t)1 << rows) - 1) << OFFSET;
    memset(fits, 0, sizeof(PositionSets));
    for (int r = 0; r < ROTATION_COUNT; r++) {
        const Shape *shape = &piece_shapes[piece][r];
        for (int x = -shape->min_x; x + shape->max_x < columns->width; x++) {
            uint64_t set = ~(uint64_t)0;
            for (int i = 0; i < 4; i++) {
                uint64_t empty = ~(columns->column[x + shape->cells[i].x] << OFFSET) & free_rows;
                set &= shifted(empty, -shape->cells[i].y);
            }
            fits[r][x] = set;
        }
    }
}

/* Adds what the tests of one rotation reach; true when something was new. */
static bool rotate(const KickTests *tests, int width, const uint64_t *from, const uint64_t *fits,
                   uint64_t *to) {
    bool changed = false;
    for (int x = 0; x < width; x++) {
        uint64_t left = from[x];
        for (int k = 0; k < tests->count && left; k++) {
            int x2 = x + tests->tests[k].x, up = tests->tests[k].y;
            if (x2 < 0 || x2 >= width)
                continue;
            uint64_t hits = shifted(left, up) & fits[x2];
            changed |= (hits & ~to[x2]) != 0;
            to[x2] |= hits;
            left &= ~shifted(hits, -up);
        }
    }
    return changed;
}

/* Sideways and down. */
static bool settle(int width, const uint64_t *fits, uint64_t *set) {
    bool changed = false, again = true;
    while (again) {
        again = false;
        for (int x = 0; x < width; x++) {
            uint64_t all = set[x] | (x > 0 ? set[x - 1] : 0) | (x + 1 < width ? set[x + 1] : 0);
            all &= fits[x];
            for (uint64_t before = 0; before != all;) {
                before = all;
                all |= all >> 1 & fits[x];
            }
            again |= all != set[x];
            set[x] = all;
        }
        changed |= again;
    }
    return changed;
}

/* Every position that the piece can get to. */
static void spread(const KickTable *table, const Columns *columns, Piece piece, bool rotate180,
                   PositionSets fits, PositionSets reached) {
    int width = columns->width, spawn_x = width / 2 - 1;
    find_fits(columns, piece, fits);
    reached[NORTH][spawn_x] = fits[NORTH][spawn_x] & (uint64_t)1 << (columns->height - 1 + OFFSET);
    for (bool again = true; again;) {
        again = false;
        for (int r = 0; r < ROTATION_COUNT; r++)
            again |= settle(width, fits[r], reached[r]);
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (int to = 0; to < ROTATION_COUNT; to++)
                if (to != r && (rotate180 || to != turned(r, 2)))
                    again |= rotate(&table->from[piece][r][to], width, reached[r], fits[to],
                                    reached[to]);
    }
}

/* Lays the resting places of `set` on those of the states with the same cells. */
static void add_locks(Piece piece, int rotation, int width, PositionSets fits, const uint64_t *set,
                      PositionSets locks) {
    Cell shift = piece_canonical_shift[piece][rotation];
    for (int x = 0; x < width; x++) {
        uint64_t rests = set[x] & ~(fits[rotation][x] << 1);
        if (rests)
            locks[piece_canonical_rotation[piece][rotation]][x + shift.x] |=
                shifted(rests, shift.y);
    }
}

int reach_table_list(const KickTable *table, const Columns *columns, Piece piece, bool rotate180,
                     Placement *out, int room) {
    PositionSets fits, reached = {{0}}, locks = {{0}};
    int width = columns->width, count = 0;
    spread(table, columns, piece, rotate180, fits, reached);
    for (int r = 0; r < ROTATION_COUNT; r++)
        add_locks(piece, r, width, fits, reached[r], locks);
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < width; x++)
            for (uint64_t set = locks[r][x]; set && count < room; set &= set - 1)
                out[count++] = (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x,
                                           (int8_t)(__builtin_ctzll(set) - OFFSET), SPIN_NONE};
    return count;
}

/* How the positions of a state can be entered last. */
typedef struct Entries {
    uint64_t moved[BOARD_MAX_WIDTH], turned[BOARD_MAX_WIDTH], fifth[BOARD_MAX_WIDTH];
} Entries;

static void add_turns(const KickTests *tests, bool quarter, int width, const uint64_t *from,
                      const uint64_t *fits, Entries *entries) {
    for (int x = 0; x < width; x++) {
        uint64_t left = from[x];
        for (int k = 0; k < tests->count && left; k++) {
            int x2 = x + tests->tests[k].x, up = tests->tests[k].y;
            if (x2 < 0 || x2 >= width)
                continue;
            uint64_t hits = shifted(left, up) & fits[x2];
            bool fifth = quarter && k == KICK_COUNT - 1;
            (fifth ? entries->fifth : entries->turned)[x2] |= hits;
            left &= ~shifted(hits, -up);
        }
    }
}

static void find_entries(const KickTable *table, const Columns *columns, Piece piece, int to,
                         unsigned moves, PositionSets fits, PositionSets reached,
                         Entries *entries) {
    int width = columns->width;
    *entries = (Entries){{0}, {0}, {0}};
    for (int x = 0; x < width; x++)
        entries->moved[x] = ((x > 0 ? reached[to][x - 1] : 0) |
                             (x + 1 < width ? reached[to][x + 1] : 0) | reached[to][x] >> 1) &
                            fits[to][x];
    if (to == NORTH)
        entries->moved[width / 2 - 1] |=
            reached[NORTH][width / 2 - 1] & (uint64_t)1 << (columns->height - 1 + OFFSET);
    for (int r = 0; r < ROTATION_COUNT; r++)
        if (r != to && (moves & MOVES_180 || to != turned(r, 2)))
            add_turns(&table->from[piece][r][to], to != turned(r, 2), width, reached[r], fits[to],
                      entries);
}

/* The positions of `set` by the label that they have after the last action `kick`. */
static void label(const Board *board, Piece piece, int rotation, unsigned moves, int kick,
                  const uint64_t *set, uint64_t labels[SPIN_COUNT][BOARD_MAX_WIDTH]) {
    for (int x = 0; x < board->width; x++)
        for (uint64_t left = set[x]; left; left &= left - 1) {
            int y = __builtin_ctzll(left) - OFFSET;
            Spin spin = game_spin(board, piece, (Rotation)rotation, x, y, kick, moves);
            labels[spin][x] |= left & ~(left - 1);
        }
}

int reach_table_spins(const KickTable *table, const Columns *columns, Piece piece, unsigned moves,
                      Placement *out, int room) {
    PositionSets fits, reached = {{0}}, locks[SPIN_COUNT] = {{{0}}};
    int width = columns->width, count = 0;
    Board board;
    columns_to_board(columns, &board);
    spread(table, columns, piece, moves & MOVES_180, fits, reached);
    for (int r = 0; r < ROTATION_COUNT; r++) {
        Entries entries;
        uint64_t labels[SPIN_COUNT][BOARD_MAX_WIDTH] = {{0}};
        find_entries(table, columns, piece, r, moves, fits, reached, &entries);
        for (int x = 0; x < width; x++) { /* only where it rests */
            entries.moved[x] &= ~(fits[r][x] << 1);
            entries.turned[x] &= ~(fits[r][x] << 1);
            entries.fifth[x] &= ~(fits[r][x] << 1);
        }
        label(&board, piece, r, moves, 0, entries.moved, labels);
        label(&board, piece, r, moves, 1, entries.turned, labels);
        label(&board, piece, r, moves, KICK_COUNT, entries.fifth, labels);
        for (int s = 0; s < SPIN_COUNT; s++)
            add_locks(piece, r, width, fits, labels[s], locks[s]);
    }
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < width; x++) {
            uint64_t any = locks[SPIN_NONE][r][x] | locks[SPIN_MINI][r][x] | locks[SPIN_FULL][r][x];
            for (; any; any &= any - 1) {
                uint64_t bit = any & ~(any - 1);
                for (int s = 0; s < SPIN_COUNT && count < room; s++)
                    if (locks[s][r][x] & bit)
                        out[count++] =
                            (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x,
                                        (int8_t)(__builtin_ctzll(bit) - OFFSET), (uint8_t)s};
            }
        }
    return count;
}
