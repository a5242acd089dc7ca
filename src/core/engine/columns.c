/* columns: from rows and back, bit by bit, and the removal of rows. */
#include "engine/columns.h"

void columns_from_board(Columns *columns, const Board *board) {
    columns_from_rows(columns, board, board_highest(board));
}

void columns_from_rows(Columns *columns, const Board *board, int rows) {
    memset(columns->column, 0, sizeof columns->column);
    columns->width = board->width;
    columns->height = board->height;
    for (int y = 0; y < rows; y++) {
        for (unsigned row = board_row(board, y); row; row &= row - 1)
            columns->column[__builtin_ctz(row)] |= (uint64_t)1 << y;
    }
}

void columns_to_board(const Columns *columns, Board *board) {
    board_init(board, columns->width, columns->height);
    for (int x = 0; x < columns->width; x++) {
        for (uint64_t column = columns->column[x]; column; column &= column - 1)
            board->words[__builtin_ctzll(column) + BOARD_PAD] |= (uint16_t)(1u << x);
    }
}

void columns_remove_rows(Columns *columns, uint64_t rows) {
    /* From the highest row, so that the lower ones keep their place; at most 4 rows in play, where
       this beats a general bit extraction in plain C. */
    while (rows) {
        int y = 63 - __builtin_clzll(rows);
        uint64_t below = ((uint64_t)1 << y) - 1;
        for (int x = 0; x < columns->width; x++) {
            uint64_t column = columns->column[x];
            columns->column[x] = (column & below) | (column >> 1 & ~below);
        }
        rows &= below;
    }
}
