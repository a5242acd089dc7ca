/*
 * board: which cells are filled, one 16-bit word per row.
 *
 * Invariant (board_ok): bits at and above `width` are 0 in the play rows; no play row is full; the
 * pad rows under the floor and above the ceiling have every bit set. Because the floor and the
 * ceiling are filled rows and four rows are one 64-bit load, "does the piece fit" is one comparison
 * for the walls and one AND for everything else. Rows rather than columns because decoding asks
 * that question most; movegen and the features use the columns (columns.h).
 *
 * A closed board (board_close) has no hidden rows: its ceiling is right above the visible ones, and
 * pieces appear four rows below it. Only decoding without game over uses one.
 */
#ifndef TETROPT_ENGINE_BOARD_H
#define TETROPT_ENGINE_BOARD_H

#include "engine/piece.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    BOARD_MIN_WIDTH = 4,
    BOARD_MAX_WIDTH = 16,
    BOARD_MIN_HEIGHT = 4,
    BOARD_MAX_HEIGHT = 40,
    BOARD_HIDDEN_ROWS = 20,
    BOARD_MAX_ROWS = BOARD_MAX_HEIGHT + BOARD_HIDDEN_ROWS,
    BOARD_PAD = 4,   /* pad rows under the floor: kicks go down by at most 2, shapes by 2 more */
    BOARD_WORDS = 72 /* pad + rows + enough above for a kick up from the ceiling */
};

typedef struct Board {
    uint16_t words[BOARD_WORDS];
    uint16_t full; /* a full row */
    uint8_t width, height;
    uint8_t hidden; /* rows above the visible ones: BOARD_HIDDEN_ROWS, or 0 when closed */
} Board;

/* An empty board; the sizes must be in range. */
void board_init(Board *board, int width, int height);

/* Puts the ceiling right above the visible rows. Nothing may be filled above them. */
void board_close(Board *board);

/* True when the invariant holds, else *reason says what is wrong. */
bool board_ok(const Board *board, const char **reason);

static inline uint16_t board_row(const Board *board, int y) {
    return board->words[y + BOARD_PAD];
}

static inline void board_set_row(Board *board, int y, uint16_t bits) {
    board->words[y + BOARD_PAD] = bits;
}

/* All rows that a cell can be in, hidden ones too. */
static inline int board_rows(const Board *board) {
    return board->height + board->hidden;
}

static inline bool board_cell(const Board *board, int x, int y) {
    return board_row(board, y) >> x & 1;
}

/* Where the rotation centre of a new piece is. */
static inline int board_spawn_x(const Board *board) {
    return board->width / 2 - 1;
}

static inline int board_spawn_y(const Board *board) {
    return board->height - (board->hidden > 0 ? 1 : 4);
}

/* Four rows from y on, the lowest in the lowest bits: as Shape has its mask. */
static inline uint64_t board_window(const uint16_t *words, int y) {
    uint64_t window;
    memcpy(&window, words + y + BOARD_PAD, sizeof window);
    return window;
}

/* True when the piece can be there: inside the walls, floor and ceiling, on empty cells. */
static inline bool board_fits(const Board *board, Piece piece, Rotation rotation, int x, int y) {
    const Shape *shape = &piece_shapes[piece][rotation];
    int left = x + shape->min_x;
    if (left < 0 || x + shape->max_x >= board->width)
        return false;
    return (board_window(board->words, y + shape->min_y) & shape->mask << left) == 0;
}

/* Fills the cells of a piece that fits there. Full rows stay until board_clear_rows. */
static inline void board_fill(Board *board, Piece piece, Rotation rotation, int x, int y) {
    const Shape *shape = &piece_shapes[piece][rotation];
    uint16_t *place = board->words + y + shape->min_y + BOARD_PAD;
    uint64_t window;
    memcpy(&window, place, sizeof window);
    window |= shape->mask << (x + shape->min_x);
    memcpy(place, &window, sizeof window);
}

/* Clears the full lines and returns their number. */
int board_clear_rows(Board *board);

/* Lifts everything by one row and fills the floor row except column `hole`. False: a filled cell
 * left the board at the top. */
bool board_rise(Board *board, int hole);

/* Rotates the piece, trying the kicks in order. Returns the kick used (1..5), or 0 when none fits
 * and nothing changed. */
int board_turn(const Board *board, Piece piece, Turn turn, Rotation *rotation, int *x, int *y);

/* The y at which a piece that fits at (x, y) comes to rest. */
int board_rest(const Board *board, Piece piece, Rotation rotation, int x, int y);

/* The tallest column: 1 + the highest filled row. */
int board_highest(const Board *board);

/* The filled cells. */
int board_count(const Board *board);

bool board_equal(const Board *a, const Board *b);

#endif
