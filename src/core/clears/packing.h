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

/* For the places of one cell, as bits: which of them are blocked when the four columns from that of
 * the cell on are filled in these ways. */
typedef struct PlaceBlocks {
    uint64_t blocked[4][16];
} PlaceBlocks;

/* All places on an area, by their lowest cell, and again by their highest one. */
typedef struct Places {
    Place *list, *high;
    int lines;
    Cells column, inner, even; /* the first column; all but the last; every second one */
    uint32_t first_high[65];
    uint32_t first[65]; /* those of cell c: first[c]..first[c + 1] - 1 */
    /* For four rows; NULL: places are tried one by one. */
    PlaceBlocks *blocks, *blocks_high;
} Places;

/* Sorts by the lowest cell, the piece, the other cells; for qsort. */
int place_compare(const void *a, const void *b);

bool places_init(Places *places, const Area *area, Status *status);
void places_release(Places *places);

/* The places of the area out of a list of them, sorted by place_compare, which `places` owns from
 * now on. */
bool places_take(Places *places, const Area *area, Place *list, size_t count, Status *status);

/* The places of one cell that fit beside the filled cells, one after the other. */
typedef struct PlaceWalk {
    const Place *list, *end; /* end NULL: `left` says which are left */
    uint64_t left;
    Cells filled;
} PlaceWalk;

static inline PlaceWalk place_walk(const Place *list, uint32_t count, const PlaceBlocks *blocks,
                                   Cells filled, unsigned columns) {
    PlaceWalk walk = {.list = list, .filled = filled};
    if (blocks)
        walk.left = ~(blocks->blocked[0][columns & 15] | blocks->blocked[1][columns >> 4 & 15] |
                      blocks->blocked[2][columns >> 8 & 15] | blocks->blocked[3][columns >> 12]);
    else
        walk.end = list + count;
    return walk;
}

/* Those whose lowest cell is `cell`. */
static inline PlaceWalk places_low(const Places *places, Cells filled, int cell) {
    return place_walk(places->list + places->first[cell],
                      places->first[cell + 1] - places->first[cell],
                      places->blocks ? places->blocks + cell : NULL, filled,
                      (unsigned)(filled >> (cell & ~3) & 0xffff));
}

/* Those whose highest cell is `cell`. */
static inline PlaceWalk places_high(const Places *places, Cells filled, int cell) {
    int last = cell & ~3; /* the column of the cell becomes the highest of four */
    return place_walk(
        places->high + places->first_high[cell],
        places->first_high[cell + 1] - places->first_high[cell],
        places->blocks ? places->blocks_high + cell : NULL, filled,
        (unsigned)((last >= 12 ? filled >> (last - 12) : filled << (12 - last)) & 0xffff));
}

/* The next one; NULL: no more. */
static inline const Place *place_next(PlaceWalk *walk) {
    if (walk->end) {
        while (walk->list < walk->end && walk->list->cells & walk->filled)
            walk->list++;
        return walk->list < walk->end ? walk->list++ : NULL;
    }
    if (!walk->left)
        return NULL;
    int i = __builtin_ctzll(walk->left);
    walk->left &= walk->left - 1;
    return walk->list + i;
}

/* False when a simple count shows that the empty cells cannot be filled exactly. */
bool places_plausible(const Places *places, Cells empty, int change);

/* Remembers which sets of cells can be completed. */
typedef struct PackMemo PackMemo;
PackMemo *pack_memo_new(Status *status);
void pack_memo_free(PackMemo *memo);

/* False proves that the empty cells cannot be filled exactly with pieces of the stock, of which the
 * set number `set` was placed. */
bool packable(PackMemo *memo, const Places *places, const Stock *stock, Cells full, Cells filled,
              uint32_t set);

/* The same for boards of any number of rows, whose cleared rows are gone, and for known pieces. */
typedef struct Packer Packer;
enum { PACKER_MAX_ROWS = 8 };

Packer *packer_new(int width); /* NULL: no memory */
void packer_free(Packer *packer);

/* False proves that the empty cells of the lowest `rows` rows cannot be filled exactly with pieces
 * out of `available`. True when it is not known, also for more than PACKER_MAX_ROWS rows. */
bool packer_possible(Packer *packer, const Board *board, int rows, PieceCounts available);

#endif
