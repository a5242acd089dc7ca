/*
 * packing: ways to fill an area exactly with pieces, whatever the order and the way to their
 * places.
 *
 * A piece may skip rows that are cleared before it comes. The empty cells are filled in a fixed
 * order, always the lowest one of the leftmost column that has one, so every packing is found
 * once.
 */
#ifndef TETROPT_CLEARS_PACKING_H
#define TETROPT_CLEARS_PACKING_H

#include "clears/area.h"
#include "clears/stock.h"

/* A place of a piece in the area: its cells, its rows, and the rows that it skips, which must be
 * full before. */
typedef struct Place {
    Cells cells;
    uint16_t rows, skipped;
    uint8_t piece;
} Place;

/* All places on an area, by their lowest cell, and again by their highest one. */
typedef struct Places {
    Place *list, *high;
    int lines;
    Cells column, inner, even; /* the first column; all but the last; every second one */
    uint32_t first_high[65];
    uint32_t first[65]; /* those of cell c: first[c]..first[c + 1] - 1 */
} Places;

/* Sorts by the lowest cell, the piece, the other cells; for qsort. */
int place_compare(const void *a, const void *b);

bool places_init(Places *places, const Area *area, Status *status);
void places_release(Places *places);

/* Remembers which sets of cells can be completed. */
typedef struct PackMemo PackMemo;
PackMemo *pack_memo_new(Status *status);
void pack_memo_free(PackMemo *memo);

/* False proves that the empty cells cannot be filled exactly with pieces of the stock, of which the
 * set number `set` was placed. */
bool packable(PackMemo *memo, const Places *places, const Stock *stock, Cells full, Cells filled,
              uint32_t set);

#endif
