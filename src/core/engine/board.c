/* board: the functions that are not hot, row by row. */
#include "engine/board.h"

#include "base/check.h"

#include <assert.h>

void board_init(Board *board, int width, int height) {
    assert(width >= BOARD_MIN_WIDTH && width <= BOARD_MAX_WIDTH);
    assert(height >= BOARD_MIN_HEIGHT && height <= BOARD_MAX_HEIGHT);
    memset(board->words, 0xff, sizeof board->words);
    board->full = (uint16_t)((1u << width) - 1);
    board->width = (uint8_t)width;
    board->height = (uint8_t)height;
    board->hidden = BOARD_HIDDEN_ROWS;
    for (int y = 0; y < board_rows(board); y++)
        board_set_row(board, y, 0);
    CHECK_OK(board_ok, board);
}

void board_close(Board *board) {
    assert(board_highest(board) <= board->height);
    for (int y = board->height; y < board_rows(board); y++)
        board_set_row(board, y, 0xffff);
    board->hidden = 0;
    CHECK_OK(board_ok, board);
}

bool board_ok(const Board *board, const char **reason) {
    *reason = NULL;
    if (board->width < BOARD_MIN_WIDTH || board->width > BOARD_MAX_WIDTH ||
        board->height < BOARD_MIN_HEIGHT || board->height > BOARD_MAX_HEIGHT)
        *reason = "size out of range";
    else if (board->hidden != BOARD_HIDDEN_ROWS && board->hidden != 0)
        *reason = "the number of hidden rows is damaged";
    else if (board->full != (uint16_t)((1u << board->width) - 1))
        *reason = "the full row does not match the width";
    for (int i = 0; !*reason && i < BOARD_WORDS; i++) {
        int y = i - BOARD_PAD;
        if (y < 0 || y >= board_rows(board)) {
            if (board->words[i] != 0xffff)
                *reason = "a pad row is not filled";
        } else if (board->words[i] & ~board->full)
            *reason = "a cell outside the walls";
        else if (board->words[i] == board->full)
            *reason = "a full row";
    }
    return !*reason;
}

int board_clear_rows(Board *board) {
    int rows = board_rows(board), kept = 0;
    for (int y = 0; y < rows; y++)
        if (board_row(board, y) != board->full)
            board_set_row(board, kept++, board_row(board, y));
    for (int y = kept; y < rows; y++)
        board_set_row(board, y, 0);
    CHECK_OK(board_ok, board);
    return rows - kept;
}

bool board_rise(Board *board, int hole) {
    int rows = board_rows(board);
    bool kept = board_row(board, rows - 1) == 0;
    for (int y = rows - 1; y > 0; y--)
        board_set_row(board, y, board_row(board, y - 1));
    board_set_row(board, 0, (uint16_t)(board->full & ~(1u << hole)));
    CHECK_OK(board_ok, board);
    return kept;
}

int board_turn(const Board *board, Piece piece, Turn turn, Rotation *rotation, int *x, int *y) {
    const Cell *kicks = piece_kicks[piece][*rotation][turn];
    Rotation next = rotation_after(*rotation, turn);
    for (int k = 0; k < piece_kick_counts[piece]; k++) {
        if (!board_fits(board, piece, next, *x + kicks[k].x, *y + kicks[k].y))
            continue;
        *rotation = next;
        *x += kicks[k].x;
        *y += kicks[k].y;
        return k + 1;
    }
    return 0;
}

int board_rest(const Board *board, Piece piece, Rotation rotation, int x, int y) {
    while (board_fits(board, piece, rotation, x, y - 1))
        y--;
    return y;
}

int board_highest(const Board *board) {
    int y = board_rows(board);
    while (y >= 4 && board_window(board->words, y - 4) == 0) /* four rows at once */
        y -= 4;
    while (y > 0 && board_row(board, y - 1) == 0)
        y--;
    return y;
}

int board_count(const Board *board) {
    int count = 0;
    for (int y = 0; y < board_rows(board); y++)
        count += __builtin_popcount(board_row(board, y));
    return count;
}

bool board_equal(const Board *a, const Board *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->words, b->words, sizeof a->words) == 0;
}
