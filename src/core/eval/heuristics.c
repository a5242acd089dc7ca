/*
 * heuristics: one walk from the top row down with one lane per column. Rows and not columns,
 * because the searches that ask keep boards by rows; compiled again for AVX2, where 16 lanes are
 * one register.
 */
#include "eval/heuristics.h"

#include "base/cpu.h"

#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

const char *const heuristic_names[HEURISTIC_COUNT] = {
    "blocks",          "weighted_blocks",    "clearable_lines",  "roughness",   "column_holes",
    "connected_holes", "blocks_above_holes", "pit_hole_percent", "deepest_well"};

const char *const heuristic_meanings[HEURISTIC_COUNT] = {
    "filled cells",
    "row number (from 1) of every filled cell, summed",
    "the most rows that one upright I could complete",
    "differences between neighbouring column heights, summed",
    "columns with at least one hole",
    "holes directly under another hole",
    "for every hole the filled cells above it, summed",
    "pits / (pits + holes)",
    "the lowest column height"};

typedef uint16_t Lanes __attribute__((vector_size(32)));

/* What the walk over the rows collects. */
typedef struct Walk {
    int blocks, weighted, connected, holes;
    unsigned hole_columns;
    uint64_t gap_rows; /* rows with exactly one empty cell */
    uint16_t heights[BOARD_MAX_WIDTH];
    uint16_t above[BOARD_MAX_WIDTH]; /* filled cells above holes, by column */
} Walk;

/* From the top row down: a column is covered once a filled cell was seen, a hole is an empty cell
 * of a covered column, and the count of filled cells so far is what lies above it. */
INLINE void walk_rows(const Board *board, int highest, Walk *walk) {
    const Lanes bit = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                       1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    Lanes filled = {0}, heights = {0}, above = {0};
    unsigned covered = 0, holes_above = 0;
    *walk = (Walk){0};
    for (int y = highest - 1; y >= 0; y--) {
        unsigned row = board_row(board, y), holes = covered & ~row, gap = board->full & ~row;
        /* Comparisons give lanes of all ones. */
        Lanes in_row = (Lanes)(((uint16_t)row & bit) == bit);
        Lanes in_new = (Lanes)(((uint16_t)(row & ~covered) & bit) == bit);
        Lanes in_hole = (Lanes)(((uint16_t)holes & bit) == bit);
        above += filled & in_hole;
        filled -= in_row;
        heights |= (uint16_t)(y + 1) & in_new;
        int count = __builtin_popcount(row);
        walk->blocks += count;
        walk->weighted += count * (y + 1);
        walk->holes += __builtin_popcount(holes);
        walk->connected += __builtin_popcount(holes & holes_above);
        walk->hole_columns |= holes;
        walk->gap_rows |= (uint64_t)((gap & (gap - 1)) == 0) << y;
        holes_above = holes;
        covered |= row;
    }
    memcpy(walk->heights, &heights, sizeof walk->heights);
    memcpy(walk->above, &above, sizeof walk->above);
}

/* Only rows with one gap can be completed by one I: there are few of them. */
INLINE int clearable_lines(const Board *board, const Walk *walk) {
    int counts[BOARD_MAX_WIDTH] = {0}, best = 0;
    for (uint64_t rows = walk->gap_rows; rows; rows &= rows - 1) {
        int y = __builtin_ctzll(rows);
        int x = __builtin_ctz(board->full & ~(unsigned)board_row(board, y));
        int h = walk->heights[x];
        if (y >= h && y <= h + 3 && h + 3 < board->height && ++counts[x] > best)
            best = counts[x];
    }
    return best;
}

/* The pits of a board with a column that reaches the ceiling: there is no row above such a column,
 * so its last one counts. */
static __attribute__((noinline)) int pits_under_ceiling(const Board *board,
                                                        const uint16_t *heights) {
    int pits = 0, last = board_rows(board) - 1;
    for (int x = 0; x < board->width; x++) {
        int y = heights[x] < last ? heights[x] : last;
        unsigned row = (unsigned)board_row(board, y) << 1 | 1u | 2u << board->width;
        pits += (row >> x & 5) == 5;
    }
    return pits;
}

INLINE void measure(const Board *board, int highest, Heuristics *result) {
    Walk walk;
    walk_rows(board, highest, &walk);
    int roughness = 0, lowest = walk.heights[0], pits = 0, above = 0;
    for (int x = 0; x < board->width; x++) {
        int h = walk.heights[x];
        /* The row at the column's top, a wall on both sides. */
        unsigned row = (unsigned)board_row(board, h) << 1 | 1u | 2u << board->width;
        pits += (row >> x & 5) == 5;
        above += walk.above[x];
        lowest = h < lowest ? h : lowest;
        if (x > 0)
            roughness += abs(h - walk.heights[x - 1]);
    }
    if (__builtin_expect(highest == board_rows(board), 0))
        pits = pits_under_ceiling(board, walk.heights);
    int *values = result->values;
    values[HEURISTIC_BLOCKS] = walk.blocks;
    values[HEURISTIC_WEIGHTED_BLOCKS] = walk.weighted;
    values[HEURISTIC_CLEARABLE_LINES] = clearable_lines(board, &walk);
    values[HEURISTIC_ROUGHNESS] = roughness;
    values[HEURISTIC_COLUMN_HOLES] = __builtin_popcount(walk.hole_columns);
    values[HEURISTIC_CONNECTED_HOLES] = walk.connected;
    values[HEURISTIC_BLOCKS_ABOVE_HOLES] = above;
    values[HEURISTIC_PIT_HOLE_PERCENT] = 0;
    values[HEURISTIC_DEEPEST_WELL] = lowest;
    result->pits = pits;
    result->holes = walk.holes;
}

static void measure_baseline(const Board *board, int highest, Heuristics *heuristics) {
    measure(board, highest, heuristics);
}

#if defined(__x86_64__)
CPU_TARGET_AVX2 static void measure_avx2(const Board *board, int highest, Heuristics *heuristics) {
    measure(board, highest, heuristics);
}
#endif

HeuristicsMeasure *heuristics_measure_here(void) {
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX2)
        return measure_avx2;
#endif
    return measure_baseline;
}

void heuristics_measure(const Board *board, Heuristics *heuristics) {
    measure_baseline(board, board_highest(board), heuristics);
}
