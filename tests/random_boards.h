/* random_boards: boards of all sizes and kinds for differential tests, named by a seed. */
#ifndef TETROPT_TESTS_RANDOM_BOARDS_H
#define TETROPT_TESTS_RANDOM_BOARDS_H

#include "base/rng.h"
#include "engine/board.h"

/* Every cell up to `top` by chance. */
static inline void random_noise(Board *board, Rng *rng, int top) {
    double density = rng_real(rng);
    for (int y = 0; y < top; y++) {
        uint16_t row = 0;
        for (int x = 0; x < board->width; x++)
            row = (uint16_t)(row | (unsigned)rng_chance(rng, density) << x);
        board_set_row(board, y, row);
    }
}

/* Solid up to `top` with tunnels of a wandering digger, wide enough for pieces. */
static inline void random_caves(Board *board, Rng *rng, int top) {
    for (int y = 0; y < top; y++)
        board_set_row(board, y, board->full);
    int diggers = 1 + (int)rng_below(rng, 4);
    for (int i = 0; i < diggers; i++) {
        int x = (int)rng_below(rng, board->width), y = top - 1;
        int steps = rng_between(rng, 5, 10 + 4 * top);
        for (int s = 0; s < steps; s++) {
            int length = rng_between(rng, 1, 4), dx = 0, dy = 0;
            switch (rng_below(rng, 5)) {
            case 0:
                dx = -1;
                break;
            case 1:
                dx = 1;
                break;
            case 2:
                dy = 1;
                break;
            default:
                dy = -1;
            }
            for (int k = 0; k < length && y < top; k++) {
                if (y >= 0 && x >= 0 && x < board->width)
                    board_set_row(board, y, (uint16_t)(board_row(board, y) & ~(1u << x)));
                x += dx;
                y += dy;
                x = x < 0 ? 0 : x >= board->width ? board->width - 1 : x;
                y = y < 0 ? 0 : y >= top ? top - 1 : y;
            }
        }
    }
}

/* Pieces fallen at random, as in a game. */
static inline void random_stack(Board *board, Rng *rng, int top) {
    for (int i = 0; i < 200 && board_highest(board) < top; i++) {
        Piece piece = (Piece)rng_below(rng, PIECE_COUNT);
        Rotation rotation = (Rotation)rng_below(rng, ROTATION_COUNT);
        int x = (int)rng_below(rng, board->width), y = board_rows(board) - 3;
        if (!board_fits(board, piece, rotation, x, y))
            continue;
        y = board_rest(board, piece, rotation, x, y);
        board_fill(board, piece, rotation, x, y);
        board_clear_rows(board);
    }
}

/* A board with no full row; small ones, tall ones, with caves, up into the hidden rows. */
static inline void random_board(Board *board, Rng *rng) {
    bool usual = rng_chance(rng, 0.3);
    int width = usual ? 10 : rng_between(rng, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH);
    int height = usual ? 20 : rng_between(rng, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
    board_init(board, width, height);
    int limit = rng_chance(rng, 0.7) ? height - 1 : height + BOARD_HIDDEN_ROWS;
    int top = rng_between(rng, 0, limit);
    switch (rng_below(rng, 4)) {
    case 0:
        random_noise(board, rng, top);
        break;
    case 1:
        random_caves(board, rng, top);
        break;
    default:
        random_stack(board, rng, top < height ? top : height);
        /* Holes from below make caves that only spins and tucks enter. */
        for (int i = (int)rng_below(rng, 12); top > 0 && i > 0; i--) {
            int y = (int)rng_below(rng, (uint32_t)top);
            board_set_row(board, y, (uint16_t)(board_row(board, y) & ~(3u << rng_below(rng, 16))));
        }
    }
    for (int y = 0; y < board_rows(board); y++)
        if (board_row(board, y) == board->full)
            board_set_row(board, y,
                          (uint16_t)(board->full & ~(1u << rng_below(rng, (uint32_t)width))));
}

#endif
