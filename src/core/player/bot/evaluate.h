/*
 * evaluate: the bot's value of a board, and its reward for a placement.
 *
 * Both are integers, so that results are the same everywhere. The reward of a placement is for the
 * lines it sends (the guideline's table for two players) and against what it wastes; rewards add up
 * along a line of play. The value of a board counts only where the line ends: heights, holes,
 * bumpiness, rows that wait for an I or a T. A hundred is about one line sent.
 */
#ifndef TETROPT_PLAYER_BOT_EVALUATE_H
#define TETROPT_PLAYER_BOT_EVALUATE_H

#include "base/options.h"
#include "engine/placement.h"

#include <stdint.h>

enum { BOT_COLUMNS = 10, BOT_ROWS = 40 };

typedef struct BotWeights {
    /* Of a board. */
    int64_t height;         /* each row of the tallest column */
    int64_t upper_half;     /* each row of it above 10 */
    int64_t upper_quarter;  /* each row of it above 15 */
    int64_t hole;           /* each empty cell under a filled one */
    int64_t hole_row;       /* each row with such a cell */
    int64_t overhang;       /* each of them that is open to one side */
    int64_t cover;          /* each cell on top of the uppermost hole of a column, up to 6 */
    int64_t bump;           /* each step between neighbours, the well left out */
    int64_t bump_square;    /* its square */
    int64_t row_transition; /* each change between filled and empty along a row */
    int64_t well;           /* each row that only the well keeps open, up to 4 */
    int64_t slot;           /* a place for a T-spin that clears nothing yet */
    int64_t slot_single, slot_double; /* one that clears one row, two rows */
    int64_t hold_t, hold_i;           /* the piece in hold */
    int64_t back_to_back;
    int64_t waiting; /* each row of garbage that waits */
    /* Of a placement. */
    int64_t attack;      /* each line sent */
    int64_t clear[5];    /* one to four rows without a spin; [0] is not used */
    int64_t spin[4];     /* a full T-spin of none to three rows */
    int64_t mini[3];     /* a mini of none to two rows */
    int64_t break_chain; /* a clear that ends back-to-back */
    int64_t combo;       /* each step of a combo */
    int64_t perfect;     /* a board left empty */
    int64_t wasted_t;    /* a T without a spin that clears */
} BotWeights;

extern const OptionTable bot_weights_table;

/* The chain of clears before a placement. */
typedef struct BotChain {
    uint8_t combo; /* clears in a row so far; 255 stands for all above */
    bool back_to_back;
} BotChain;

/* A placement that locked. */
typedef struct BotClear {
    uint8_t piece, spin, rows;
    bool perfect;
} BotClear;

/* The chain after it. */
BotChain evaluate_chain(BotChain before, BotClear clear);

/* The lines it sends: 0 1 2 4 for rows, 2 4 6 for T-spins, 0 1 for minis, 1 more in back-to-back,
 * 10 more for a perfect clear, and for the combo. */
int evaluate_attack(BotChain before, BotClear clear);

/* Its reward. */
int32_t evaluate_reward(const BotWeights *weights, BotChain before, BotClear clear);

/* The value of a board with a piece in hold (or PIECE_NONE): the baseline instance of
 * evaluate_body.h. */
int32_t evaluate_board(const BotWeights *weights, const uint64_t column[BOT_COLUMNS], Piece hold,
                       bool back_to_back);

/* Evaluates boards of at most EVALUATE_LANE_ROWS rows, as evaluate_board without a piece in
 * hold and back-to-back: one function per CPU level. */
enum { EVALUATE_LANES = 16, EVALUATE_LANE_ROWS = 30 };
typedef void EvaluateBoards(const BotWeights *weights,
                            const uint32_t boards[BOT_COLUMNS][EVALUATE_LANES], int count,
                            int32_t values[EVALUATE_LANES]);
EvaluateBoards evaluate_boards_portable;
#if defined(__x86_64__)
EvaluateBoards evaluate_boards_avx2, evaluate_boards_avx512;
#endif

#endif
