/*
 * judge: what the bot thinks of a board, and what a placement brings.
 *
 * Two parts, both whole numbers, so that results are the same everywhere. The reward of a placement
 * is what it sends (the guideline's table for games of two) and what it gives away; rewards add up
 * along a line of play. The worth of a board is looked at only where the line ends: heights, holes,
 * how even the surface is, rows that wait for an I or a T. A hundred is about one line sent.
 */
#ifndef TETROPT_PLAYER_BOT_JUDGE_H
#define TETROPT_PLAYER_BOT_JUDGE_H

#include "base/parameter.h"
#include "engine/placement.h"

#include <stdint.h>

enum { JUDGE_COLUMNS = 10, JUDGE_ROWS = 40 };

typedef struct JudgeWeights {
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
    /* Of a placement. */
    int64_t attack;      /* each line sent */
    int64_t clear[5];    /* one to four rows without a spin; [0] is not used */
    int64_t spin[4];     /* a full T-spin of none to three rows */
    int64_t mini[3];     /* a mini of none to two rows */
    int64_t break_chain; /* a clear that ends back-to-back */
    int64_t combo;       /* each step of a combo */
    int64_t perfect;     /* a board left empty */
    int64_t wasted_t;    /* a T without a spin that clears */
} JudgeWeights;

extern const OptionTable judge_parameters;

/* The chain of clears before a placement. */
typedef struct JudgeChain {
    uint8_t combo; /* clears in a row so far; 255 stands for all above */
    bool back_to_back;
} JudgeChain;

/* A placement that locked. */
typedef struct JudgeClear {
    uint8_t piece, spin, rows;
    bool perfect;
} JudgeClear;

/* The chain after it. */
JudgeChain judge_chain(JudgeChain before, JudgeClear clear);

/* The lines it sends: 0 1 2 4 for rows, 2 4 6 for T-spins, 0 1 for minis, 1 more in back-to-back,
 * 10 more for a perfect clear, and for the combo. */
int judge_attack(JudgeChain before, JudgeClear clear);

/* What it is worth. */
int32_t judge_reward(const JudgeWeights *weights, JudgeChain before, JudgeClear clear);

/* What a board is worth with a piece in hold (or PIECE_NONE). The plain instance of judge_body.h.
 */
int32_t judge_board(const JudgeWeights *weights, const uint64_t column[JUDGE_COLUMNS], Piece hold,
                    bool back_to_back);

#endif
