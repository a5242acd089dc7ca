/* packing: the list of places, and the memory of what can be completed. */
#include "clears/packing.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- places */

/* The cells of a state at column x whose rows are those of `rows`, the lowest first. */
static Cells cells_in_rows(const Area *area, const Shape *shape, int x, unsigned rows) {
    Cells cells = 0;
    int numbers[4], count = 0;
    for (; rows; rows &= rows - 1)
        numbers[count++] = __builtin_ctz(rows);
    for (int i = 0; i < 4; i++)
        cells |= (Cells)1 << ((x + shape->cells[i].x - shape->min_x) * area->lines +
                              numbers[shape->cells[i].y - shape->min_y]);
    return cells;
}

/* The rows between the lowest and the highest of `rows` that are not among them. */
static unsigned skipped_rows(unsigned rows) {
    unsigned low = rows & -rows, high = 1u << (31 - __builtin_clz(rows));
    return (high - low) & ~rows;
}

int place_compare(const void *a, const void *b) {
    const Place *x = a, *y = b;
    int low_x = __builtin_ctzll(x->cells), low_y = __builtin_ctzll(y->cells);
    if (low_x != low_y)
        return low_x - low_y;
    if (x->piece != y->piece)
        return x->piece - y->piece;
    return x->cells < y->cells ? -1 : x->cells > y->cells;
}

typedef void PlaceVisit(void *context, const Place *place);

static void visit_places(const Area *area, PlaceVisit *visit, void *context) {
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < piece_distinct_rotations[p]; r++) {
            const Shape *shape = &piece_shapes[p][r];
            int wide = shape->max_x - shape->min_x + 1, high = shape->max_y - shape->min_y + 1;
            for (unsigned rows = 1; rows < 1u << area->lines; rows++)
                for (int x = 0; __builtin_popcount(rows) == high && x + wide <= area->width; x++) {
                    Place place = {.cells = cells_in_rows(area, shape, x, rows),
                                   .rows = (uint16_t)rows,
                                   .skipped = (uint16_t)skipped_rows(rows),
                                   .piece = (uint8_t)p};
                    if (!(place.cells & area->start))
                        visit(context, &place);
                }
        }
}

static int lowest(const Place *place) {
    return __builtin_ctzll(place->cells);
}

static int highest(const Place *place) {
    return 63 - __builtin_clzll(place->cells);
}

static void count_place(void *context, const Place *place) {
    Places *places = context;
    places->first[lowest(place) + 1]++;
    places->first_high[highest(place) + 1]++;
}

typedef struct Filler {
    Places *places;
    uint32_t next[64], next_high[64];
} Filler;

static void add_place(void *context, const Place *place) {
    Filler *filler = context;
    filler->places->list[filler->next[lowest(place)]++] = *place;
    filler->places->high[filler->next_high[highest(place)]++] = *place;
}

/* The blocks of one cell, whose column is the first of four or the last. */
static bool find_blocks(const Place *list, uint32_t count, int first_column, PlaceBlocks *blocks) {
    if (count > 64)
        return false;
    for (int k = 0; k < 4; k++) {
        blocks->blocked[k][0] = count < 64 ? ~(uint64_t)0 << count : 0; /* there are no more */
        for (int y = 0; y < 4; y++) {
            uint64_t with = 0;
            int cell = 4 * (first_column + k) + y;
            for (uint32_t i = 0; cell >= 0 && cell < 64 && i < count; i++)
                with |= (list[i].cells >> cell & 1) << i;
            blocks->blocked[k][1 << y] = with;
        }
        for (unsigned v = 1; v < 16; v++)
            blocks->blocked[k][v] = blocks->blocked[k][v & (v - 1)] | blocks->blocked[k][v & -v];
    }
    return true;
}

static bool make_blocks(Places *places, Status *status) {
    if (places->lines != 4)
        return true;
    places->blocks = memory_new(64, sizeof *places->blocks, status);
    places->blocks_high = memory_new(64, sizeof *places->blocks_high, status);
    if (!places->blocks || !places->blocks_high)
        return false;
    bool fits = true; /* always, unless pieces get more rotations */
    for (int c = 0; fits && c < 64; c++)
        fits = (!places->list ||
                find_blocks(places->list + places->first[c],
                            places->first[c + 1] - places->first[c], c / 4, &places->blocks[c])) &&
               (!places->high || find_blocks(places->high + places->first_high[c],
                                             places->first_high[c + 1] - places->first_high[c],
                                             c / 4 - 3, &places->blocks_high[c]));
    assert(fits);
    return true;
}

static void set_columns(Places *places, const Area *area) {
    memset(places, 0, sizeof *places);
    places->lines = area->lines;
    places->column = area->column;
    for (int x = 0; x < area->width; x += 2)
        places->even |= area->column << (x * area->lines);
    places->inner = area->full & ~(area->column << ((area->width - 1) * area->lines));
}

bool places_init(Places *places, const Area *area, Status *status) {
    set_columns(places, area);
    visit_places(area, count_place, places);
    Filler filler = {.places = places};
    for (int c = 0; c < 64; c++) {
        places->first[c + 1] += places->first[c];
        places->first_high[c + 1] += places->first_high[c];
        filler.next[c] = places->first[c];
        filler.next_high[c] = places->first_high[c];
    }
    places->list = memory_new(places->first[64] + 1, sizeof *places->list, status);
    places->high = memory_new(places->first[64] + 1, sizeof *places->high, status);
    if (!places->list || !places->high)
        return false;
    visit_places(area, add_place, &filler);
    return make_blocks(places, status);
}

bool places_take(Places *places, const Area *area, Place *list, size_t count, Status *status) {
    set_columns(places, area);
    places->list = list;
    for (size_t i = 0; i < count; i++)
        places->first[lowest(&list[i]) + 1]++;
    for (int c = 0; c < 64; c++)
        places->first[c + 1] += places->first[c];
    return make_blocks(places, status);
}

void places_release(Places *places) {
    free(places->list);
    free(places->high);
    free(places->blocks);
    free(places->blocks_high);
    places->list = places->high = NULL;
    places->blocks = places->blocks_high = NULL;
}

/* ---- what can be completed */

enum {
    FIRST_SLOTS = 1 << 12,
    MOST_SLOTS = 1 << 24,
    RECENT_BITS = 14,
    RECENT_SLOTS = 1 << RECENT_BITS,
    SMALL_CELLS = 20, /* what is left of so many cells is not worth a place of its own */
    TINY_CELLS = 8    /* and of so many it is quicker to try than to look up */
};

/* A table with open addressing. */
typedef struct PackEntry {
    Cells filled;
    uint32_t answer; /* set * 4 + 2 + answer; 0: free */
} PackEntry;

struct PackMemo {
    PackEntry *entries;
    size_t used, slots;
    PackEntry recent[RECENT_SLOTS]; /* small sets; a newer one takes the place of an older one */
};

PackMemo *pack_memo_new(Status *status) {
    PackMemo *memo = memory_new(1, sizeof *memo, status);
    if (!memo)
        return NULL;
    memo->slots = FIRST_SLOTS;
    memo->entries = memory_new(memo->slots, sizeof *memo->entries, status);
    if (memo->entries)
        return memo;
    free(memo);
    return NULL;
}

void pack_memo_free(PackMemo *memo) {
    if (!memo)
        return;
    free(memo->entries);
    free(memo);
}

/* The entry of a set, or the free one where it belongs. */
static PackEntry *find(const PackMemo *memo, Cells filled, uint32_t set) {
    uint64_t key = (filled ^ (uint64_t)set << 44) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(key >> 20 ^ key >> 44) & (memo->slots - 1);
    PackEntry *entry = &memo->entries[slot];
    while (entry->answer && (entry->filled != filled || entry->answer >> 2 != set)) {
        slot = (slot + 1) & (memo->slots - 1);
        entry = &memo->entries[slot];
    }
    return entry;
}

static void enlarge(PackMemo *memo) {
    PackMemo larger = {.slots = 2 * memo->slots, .used = memo->used};
    larger.entries = memory_new(larger.slots, sizeof *larger.entries, NULL);
    if (!larger.entries)
        return; /* not remembered any more, which costs only time */
    for (size_t i = 0; i < memo->slots; i++)
        if (memo->entries[i].answer)
            *find(&larger, memo->entries[i].filled, memo->entries[i].answer >> 2) =
                memo->entries[i];
    free(memo->entries);
    *memo = larger;
}

static void remember(PackMemo *memo, Cells filled, uint32_t set, bool answer) {
    if (memo->used >= memo->slots / 4 * 3) {
        if (memo->slots < MOST_SLOTS)
            enlarge(memo);
        if (memo->used >= memo->slots / 4 * 3)
            return;
    }
    *find(memo, filled, set) = (PackEntry){filled, set * 4 + 2 + answer};
    memo->used++;
}

/* What the checks need of a set of empty cells, found at once. */
typedef struct Outline {
    int cells;
    int difference;              /* cells in even columns less those in odd ones */
    int left_cells, right_cells; /* in the outermost columns that have any */
} Outline;

#define NIBBLES(digit) (0x1111111111111111u * (digit))

/* As outline_any, for four rows: a column is a hexadecimal digit, and all columns are counted side
 * by side. Twice as fast for `clears path` of eleven pieces. */
static bool outline_four(const Places *places, Cells empty, Outline *outline) {
    Cells counts = empty - (empty >> 1 & NIBBLES(5));
    counts = (counts & NIBBLES(3)) + (counts >> 2 & NIBBLES(3));
    const Cells bytes = 0x0f0f0f0f0f0f0f0fu, sum = 0x0101010101010101u;
    int even = (int)((counts & bytes) * sum >> 56), odd = (int)((counts >> 4 & bytes) * sum >> 56);
    outline->cells = even + odd;
    outline->difference = even - odd;
    outline->left_cells = (int)(counts >> (__builtin_ctzll(empty) & ~3) & 15);
    outline->right_cells = (int)(counts >> ((63 - __builtin_clzll(empty)) & ~3) & 15);
    /* The cells up to each column, modulo 4. */
    Cells before = counts & NIBBLES(3);
    for (int shift = 4; shift <= 32; shift *= 2)
        before = (before + (before << shift)) & NIBBLES(3);
    Cells crossed = empty & empty >> 4;
    crossed |= crossed >> 1;
    crossed |= crossed >> 2;
    return !((before | before >> 1) & ~crossed & places->inner & NIBBLES(1));
}

/* False when the empty cells left of a cut that no row crosses are not a multiple of 4. */
static bool outline_any(const Places *places, Cells empty, Outline *outline) {
    const int lines = places->lines;
    int first = __builtin_ctzll(empty) / lines * lines,
        last = (63 - __builtin_clzll(empty)) / lines * lines;
    Cells cross = empty & empty >> lines;
    for (Cells left = places->column << first; left & places->inner; left <<= lines)
        if (!(cross & left) && __builtin_popcountll(empty & (left | ((left & -left) - 1))) % 4 != 0)
            return false;
    outline->cells = __builtin_popcountll(empty);
    outline->difference = 2 * __builtin_popcountll(empty & places->even) - outline->cells;
    outline->left_cells = __builtin_popcountll(empty & places->column << first);
    outline->right_cells = __builtin_popcountll(empty & places->column << last);
    return true;
}

/* Describes the empty cells, of which there are some. False: the cuts show that they cannot be
 * filled. */
static inline bool outline_of(const Places *places, Cells empty, Outline *outline) {
    return places->lines == 4 ? outline_four(places, empty, outline)
                              : outline_any(places, empty, outline);
}

bool places_plausible(const Places *places, Cells empty, int change) {
    Outline outline;
    return !empty || (outline_of(places, empty, &outline) && abs(outline.difference) <= change);
}

/* The places that cover the next cell: from the side whose outermost column has fewer empty cells,
 * since there are fewer ways to go on. */
static PlaceWalk next_places(const Places *places, Cells empty, const Outline *outline) {
    return outline->right_cells < outline->left_cells
               ? places_high(places, ~empty, 63 - __builtin_clzll(empty))
               : places_low(places, ~empty, __builtin_ctzll(empty));
}

bool packable(PackMemo *memo, const Places *places, const Stock *stock, Cells full, Cells filled,
              uint32_t set) {
    Cells empty = full & ~filled;
    Outline outline;
    if (!empty)
        return true;
    if (!outline_of(places, empty, &outline) || abs(outline.difference) > stock->change[set])
        return false;
    bool small = outline.cells <= SMALL_CELLS;
    PackEntry *recent = NULL;
    if (!small) {
        const PackEntry *entry = find(memo, filled, set);
        if (entry->answer)
            return entry->answer & 1;
    } else if (outline.cells > TINY_CELLS) {
        uint64_t key = (filled ^ (uint64_t)set << 44) * 0x9e3779b97f4a7c15u;
        recent = &memo->recent[key >> (64 - RECENT_BITS)];
        if (recent->filled == filled && recent->answer >> 2 == set && recent->answer)
            return recent->answer & 1;
    }
    PlaceWalk walk = next_places(places, empty, &outline);
    bool answer = false;
    for (const Place *place; !answer && (place = place_next(&walk));) {
        int32_t next = stock->next[set][place->piece];
        answer =
            next >= 0 && packable(memo, places, stock, full, filled | place->cells, (uint32_t)next);
    }
    if (!small)
        remember(memo, filled, set, answer);
    else if (recent)
        *recent = (PackEntry){filled, set * 4 + 2 + answer};
    return answer;
}

/* ---- known pieces */

struct Packer {
    int width;
    Places places[PACKER_MAX_ROWS + 1]; /* by rows, made when needed */
    PackMemo *memos[PACKER_MAX_ROWS + 1];
    bool failed; /* memory */
};

Packer *packer_new(int width) {
    Packer *packer = memory_new(1, sizeof *packer, NULL);
    if (packer)
        packer->width = width;
    return packer;
}

void packer_free(Packer *packer) {
    for (int k = 0; packer && k <= PACKER_MAX_ROWS; k++) {
        places_release(&packer->places[k]);
        pack_memo_free(packer->memos[k]);
    }
    free(packer);
}

/* The places of an empty area of `rows` rows. */
static bool prepare_rows(Packer *packer, int rows) {
    if (packer->memos[rows])
        return true;
    Board board;
    Area area;
    board_init(&board, packer->width, BOARD_MAX_HEIGHT);
    packer->memos[rows] = area_init(&area, &board, rows, &(ClearsRules){.drop = DROP_SOFT}, NULL) &&
                                  places_init(&packer->places[rows], &area, NULL)
                              ? pack_memo_new(NULL)
                              : NULL;
    packer->failed |= !packer->memos[rows];
    return packer->memos[rows] != NULL;
}

/* As packable, with pieces out of `available`, whose four-bit counts take 28 bits. */
static bool fill_with(PackMemo *memo, const Places *places, Cells empty, PieceCounts available) {
    Outline outline;
    if (!empty)
        return true;
    if (!outline_of(places, empty, &outline))
        return false;
    bool small = outline.cells <= SMALL_CELLS;
    if (!small) {
        const PackEntry *entry = find(memo, empty, available);
        if (entry->answer)
            return entry->answer & 1;
    }
    PlaceWalk walk = next_places(places, empty, &outline);
    bool answer = false;
    for (const Place *place; !answer && (place = place_next(&walk));)
        answer =
            available >> (4 * place->piece) & 15 &&
            fill_with(memo, places, empty & ~place->cells, available - COUNTS_ONE(place->piece));
    if (!small)
        remember(memo, empty, available, answer);
    return answer;
}

bool packer_possible(Packer *packer, const Board *board, int rows, PieceCounts available) {
    if (rows < 1 || rows > PACKER_MAX_ROWS || rows * packer->width > 64 || packer->failed ||
        !prepare_rows(packer, rows))
        return true;
    Cells empty = 0;
    for (int y = 0; y < rows; y++)
        for (unsigned row = board->full & ~(unsigned)board_row(board, y); row; row &= row - 1)
            empty |= (Cells)1 << (__builtin_ctz(row) * rows + y);
    return fill_with(packer->memos[rows], &packer->places[rows], empty, available);
}
