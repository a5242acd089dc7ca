/*
 * judge_body: the worth of a board as one inlined body, so that it can be compiled for several
 * processor levels together with the loop around it (see base/cpu.h). Ten columns, a bit a row.
 */
#ifndef TETROPT_PLAYER_BOT_JUDGE_BODY_H
#define TETROPT_PLAYER_BOT_JUDGE_BODY_H

#include "engine/columns.h"
#include "player/bot/judge.h"

#define JUDGE_INLINE static inline __attribute__((always_inline))

enum { JUDGE_COVER_MAX = 6, JUDGE_WELL_MAX = 4, JUDGE_HALF = 10, JUDGE_QUARTER = 15 };

/* For each column the rows that are full in all columns before it, and in it and all after. */
typedef struct JudgeRows {
    uint64_t before[JUDGE_COLUMNS + 1], from[JUDGE_COLUMNS + 1];
} JudgeRows;

JUDGE_INLINE void judge_find_rows(JudgeRows *rows, const uint64_t *column) {
    rows->before[0] = rows->from[JUDGE_COLUMNS] = ~(uint64_t)0;
    for (int x = 0; x < JUDGE_COLUMNS; x++)
        rows->before[x + 1] = rows->before[x] & column[x];
    for (int x = JUDGE_COLUMNS; x-- > 0;)
        rows->from[x] = rows->from[x + 1] & column[x];
}

JUDGE_INLINE uint64_t judge_below(int row) {
    return ((uint64_t)1 << row) - 1;
}

JUDGE_INLINE int judge_least(int a, int b) {
    return a < b ? a : b;
}

JUDGE_INLINE int64_t judge_holes(const JudgeWeights *w, const uint64_t *column, const int *height) {
    uint64_t rows = 0;
    int holes = 0, open = 0, cover = 0;
    for (int x = 0; x < JUDGE_COLUMNS; x++) {
        uint64_t covered = ~column[x] & judge_below(height[x]);
        if (!covered)
            continue;
        rows |= covered;
        holes += __builtin_popcountll(covered);
        cover += judge_least(height[x] - columns_height(covered), JUDGE_COVER_MAX);
        uint64_t sides = x > 0 ? judge_below(height[x - 1]) : ~(uint64_t)0;
        sides &= x < JUDGE_COLUMNS - 1 ? judge_below(height[x + 1]) : ~(uint64_t)0;
        open += __builtin_popcountll(covered & ~sides);
    }
    return w->hole * holes + w->hole_row * __builtin_popcountll(rows) + w->overhang * open +
           w->cover * cover;
}

/* How even the surface is, and the rows that wait for an I in the lowest column. */
JUDGE_INLINE int64_t judge_surface(const JudgeWeights *w, const JudgeRows *rows,
                                   const uint64_t *column, const int *height) {
    int well = 0, bumps = 0, squares = 0;
    for (int x = 1; x < JUDGE_COLUMNS; x++)
        well = height[x] < height[well] ? x : well;
    int last = well == 0 ? height[1] : height[0];
    for (int x = 1; x < JUDGE_COLUMNS; x++) {
        int step = x == well ? 0 : height[x] - last;
        last = x == well ? last : height[x];
        bumps += step < 0 ? -step : step;
        squares += step * step;
    }
    uint64_t others = rows->before[well] & rows->from[well + 1] & ~column[well];
    int ready = __builtin_ctzll(~(others >> height[well]) | (uint64_t)1 << JUDGE_WELL_MAX);
    return w->bump * bumps + w->bump_square * squares + w->well * ready;
}

JUDGE_INLINE int64_t judge_transitions(const JudgeWeights *w, const uint64_t *column, int highest) {
    uint64_t wall = judge_below(highest), last = wall;
    int changes = 0;
    for (int x = 0; x < JUDGE_COLUMNS; x++) {
        changes += __builtin_popcountll(last ^ column[x]);
        last = column[x];
    }
    return w->row_transition * (changes + __builtin_popcountll(last ^ wall));
}

/* Places where a T can be turned in under an overhang, its point down: the centre and both sides
 * empty, an empty cell below between two filled ones, one filled cell above a side, and the other
 * side open to the sky. */
JUDGE_INLINE int64_t judge_slots(const JudgeWeights *w, const JudgeRows *rows,
                                 const uint64_t *column, const int *height) {
    int64_t sum = 0;
    for (int x = 1; x < JUDGE_COLUMNS - 1; x++) {
        uint64_t left = column[x - 1], middle = column[x], right = column[x + 1];
        uint64_t empty = ~(left | middle | right | middle << 1) & left << 1 & right << 1;
        uint64_t roofs = (left ^ right) >> 1;
        /* The middle is open above, and so is the side without a roof. */
        uint64_t places = empty & roofs & ~judge_below(height[x]);
        if (!places)
            continue;
        uint64_t open_left = ~judge_below(height[x - 1]), open_right = ~judge_below(height[x + 1]);
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

JUDGE_INLINE int32_t judge_columns(const JudgeWeights *w, const uint64_t *column, Piece hold,
                                   bool back_to_back) {
    int height[JUDGE_COLUMNS];
    uint64_t any = 0;
    for (int x = 0; x < JUDGE_COLUMNS; x++) {
        height[x] = columns_height(column[x]);
        any |= column[x];
    }
    int highest = columns_height(any);
    JudgeRows rows;
    judge_find_rows(&rows, column);
    int64_t sum = w->height * highest;
    if (highest > JUDGE_HALF)
        sum += w->upper_half * (highest - JUDGE_HALF);
    if (highest > JUDGE_QUARTER)
        sum += w->upper_quarter * (highest - JUDGE_QUARTER);
    sum += judge_holes(w, column, height);
    sum += judge_surface(w, &rows, column, height);
    sum += judge_transitions(w, column, highest);
    sum += judge_slots(w, &rows, column, height);
    sum += hold == PIECE_T ? w->hold_t : hold == PIECE_I ? w->hold_i : 0;
    return (int32_t)(sum + (back_to_back ? w->back_to_back : 0));
}

#endif
