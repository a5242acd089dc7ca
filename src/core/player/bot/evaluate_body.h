/*
 * evaluate_body: the value of a board as one inlined body, so that it can be compiled for several
 * CPU levels together with the loop around it (see base/cpu.h). Ten columns, one bit per row.
 */
#ifndef TETROPT_PLAYER_BOT_EVALUATE_BODY_H
#define TETROPT_PLAYER_BOT_EVALUATE_BODY_H

#include "engine/columns.h"
#include "player/bot/evaluate.h"

#define EVALUATE_INLINE static inline __attribute__((always_inline))

enum { EVALUATE_COVER_MAX = 6, EVALUATE_WELL_MAX = 4, EVALUATE_HALF = 10, EVALUATE_QUARTER = 15 };

/* For each column the rows that are full in all columns before it, and in it and all after. */
typedef struct BotRows {
    uint64_t before[BOT_COLUMNS + 1], from[BOT_COLUMNS + 1];
} BotRows;

EVALUATE_INLINE void evaluate_find_rows(BotRows *rows, const uint64_t *column) {
    rows->before[0] = rows->from[BOT_COLUMNS] = ~(uint64_t)0;
    for (int x = 0; x < BOT_COLUMNS; x++)
        rows->before[x + 1] = rows->before[x] & column[x];
    for (int x = BOT_COLUMNS; x-- > 0;)
        rows->from[x] = rows->from[x + 1] & column[x];
}

EVALUATE_INLINE uint64_t evaluate_below(int row) {
    return ((uint64_t)1 << row) - 1;
}

EVALUATE_INLINE int evaluate_least(int a, int b) {
    return a < b ? a : b;
}

EVALUATE_INLINE int64_t evaluate_holes(const BotWeights *w, const uint64_t *column,
                                       const int *height) {
    uint64_t rows = 0;
    int holes = 0, open = 0, cover = 0;
    for (int x = 0; x < BOT_COLUMNS; x++) {
        uint64_t covered = ~column[x] & evaluate_below(height[x]);
        if (!covered)
            continue;
        rows |= covered;
        holes += __builtin_popcountll(covered);
        cover += evaluate_least(height[x] - columns_height(covered), EVALUATE_COVER_MAX);
        uint64_t sides = x > 0 ? evaluate_below(height[x - 1]) : ~(uint64_t)0;
        sides &= x < BOT_COLUMNS - 1 ? evaluate_below(height[x + 1]) : ~(uint64_t)0;
        open += __builtin_popcountll(covered & ~sides);
    }
    return w->hole * holes + w->hole_row * __builtin_popcountll(rows) + w->overhang * open +
           w->cover * cover;
}

/* How even the surface is, and the rows that wait for an I in the lowest column. */
EVALUATE_INLINE int64_t evaluate_surface(const BotWeights *w, const BotRows *rows,
                                         const uint64_t *column, const int *height) {
    int well = 0, bumps = 0, squares = 0;
    for (int x = 1; x < BOT_COLUMNS; x++)
        well = height[x] < height[well] ? x : well;
    int last = well == 0 ? height[1] : height[0];
    for (int x = 1; x < BOT_COLUMNS; x++) {
        int step = x == well ? 0 : height[x] - last;
        last = x == well ? last : height[x];
        bumps += step < 0 ? -step : step;
        squares += step * step;
    }
    uint64_t others = rows->before[well] & rows->from[well + 1] & ~column[well];
    int ready = __builtin_ctzll(~(others >> height[well]) | (uint64_t)1 << EVALUATE_WELL_MAX);
    return w->bump * bumps + w->bump_square * squares + w->well * ready;
}

EVALUATE_INLINE int64_t evaluate_transitions(const BotWeights *w, const uint64_t *column,
                                             int highest) {
    uint64_t wall = evaluate_below(highest), last = wall;
    int changes = 0;
    for (int x = 0; x < BOT_COLUMNS; x++) {
        changes += __builtin_popcountll(last ^ column[x]);
        last = column[x];
    }
    return w->row_transition * (changes + __builtin_popcountll(last ^ wall));
}

/* Places where a T can be turned in under an overhang, its point down: the centre and both sides
 * empty, an empty cell below between two filled ones, one filled cell above a side, and the other
 * side open to the sky. */
EVALUATE_INLINE int64_t evaluate_slots(const BotWeights *w, const BotRows *rows,
                                       const uint64_t *column, const int *height) {
    int64_t sum = 0;
    for (int x = 1; x < BOT_COLUMNS - 1; x++) {
        uint64_t left = column[x - 1], middle = column[x], right = column[x + 1];
        uint64_t empty = ~(left | middle | right | middle << 1) & left << 1 & right << 1;
        uint64_t roofs = (left ^ right) >> 1;
        /* The middle is open above, and so is the side without a roof. */
        uint64_t places = empty & roofs & ~evaluate_below(height[x]);
        if (!places)
            continue;
        uint64_t open_left = ~evaluate_below(height[x - 1]),
                 open_right = ~evaluate_below(height[x + 1]);
        places &= open_left | open_right;
        if (!places)
            continue;
        uint64_t three = rows->before[x - 1] & rows->from[x + 2];
        uint64_t one = (rows->before[x] & rows->from[x + 1]) << 1;
        int doubles = __builtin_popcountll(places & three & one);
        int singles = __builtin_popcountll(places & (three ^ one));
        int none = __builtin_popcountll(places) - doubles - singles;
        sum += w->slot_double * doubles + w->slot_single * singles + w->slot * none;
    }
    return sum;
}

/* What does not depend on the board. */
EVALUATE_INLINE int64_t evaluate_hand(const BotWeights *w, Piece hold, bool back_to_back) {
    int64_t held = hold == PIECE_T ? w->hold_t : hold == PIECE_I ? w->hold_i : 0;
    return held + (back_to_back ? w->back_to_back : 0);
}

EVALUATE_INLINE int32_t evaluate_columns(const BotWeights *w, const uint64_t *column, Piece hold,
                                         bool back_to_back) {
    int height[BOT_COLUMNS];
    uint64_t any = 0;
    for (int x = 0; x < BOT_COLUMNS; x++) {
        height[x] = columns_height(column[x]);
        any |= column[x];
    }
    int highest = columns_height(any);
    BotRows rows;
    evaluate_find_rows(&rows, column);
    int64_t sum = w->height * highest;
    if (highest > EVALUATE_HALF)
        sum += w->upper_half * (highest - EVALUATE_HALF);
    if (highest > EVALUATE_QUARTER)
        sum += w->upper_quarter * (highest - EVALUATE_QUARTER);
    sum += evaluate_holes(w, column, height);
    sum += evaluate_surface(w, &rows, column, height);
    sum += evaluate_transitions(w, column, highest);
    sum += evaluate_slots(w, &rows, column, height);
    return (int32_t)(sum + evaluate_hand(w, hold, back_to_back));
}

#endif
