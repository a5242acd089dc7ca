/*
 * columns: the same board as one 64-bit word per column, bit 0 the floor row.
 *
 * Code that uses heights, holes or sets of positions is short and fast on columns: a height is a
 * count of leading zeros, a hole a bit under another one. Search over placements (perft, beam,
 * exact, the agents) keeps this form; playing key presses keeps Board.
 *
 * Invariant: columns at and above `width` are 0, and so are bits at and above height + 20.
 */
#ifndef TETROPT_ENGINE_COLUMNS_H
#define TETROPT_ENGINE_COLUMNS_H

#include "engine/board.h"

typedef struct Columns {
    uint64_t column[BOARD_MAX_WIDTH];
    uint8_t width, height;
} Columns;

void columns_from_board(Columns *columns, const Board *board);

/* The same for a board whose highest row is known: only `rows` of them are read. */
void columns_from_rows(Columns *columns, const Board *board, int rows);
void columns_to_board(const Columns *columns, Board *board);

/* The rows from the floor to the topmost cell of a column. */
static inline int columns_height(uint64_t column) {
    return column ? 64 - __builtin_clzll(column) : 0;
}

/* The holes of a column: its empty cells under a filled one. */
static inline uint64_t columns_holes(uint64_t column) {
    return ~column & (((uint64_t)1 << columns_height(column)) - 1);
}

/* The tallest column. */
static inline int columns_highest(const Columns *columns) {
    uint64_t any = 0;
    for (int x = 0; x < BOARD_MAX_WIDTH; x++)
        any |= columns->column[x];
    return columns_height(any);
}

/* Fills the cells of a piece that fits there; full rows stay. */
static inline void columns_fill(Columns *columns, Piece piece, Rotation rotation, int x, int y) {
    const Shape *shape = &piece_shapes[piece][rotation];
    uint64_t *left = columns->column + x + shape->min_x;
    int low = y + shape->min_y;
    for (int i = 0; i <= shape->max_x - shape->min_x; i++)
        left[i] |= (uint64_t)shape->column[i] << low;
}

/* The rows that are full, as bits. */
static inline uint64_t columns_full_rows(const Columns *columns) {
    uint64_t full = columns->column[0];
    for (int x = 1; x < columns->width; x++)
        full &= columns->column[x];
    return full;
}

/* Takes the bits of `rows` out of every column; the rows above move down. */
void columns_remove_rows(Columns *columns, uint64_t rows);

/* Fill, then remove the full rows; returns how many there were. */
static inline int columns_lock(Columns *columns, Piece piece, Rotation rotation, int x, int y) {
    columns_fill(columns, piece, rotation, x, y);
    uint64_t full = columns_full_rows(columns);
    if (full)
        columns_remove_rows(columns, full);
    return __builtin_popcountll(full);
}

#endif
