/* packing: the list of places, and the memory of what can be completed. */
#include "clears/packing.h"

#include "base/memory.h"

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

bool places_init(Places *places, const Area *area, Status *status) {
    memset(places, 0, sizeof *places);
    places->lines = area->lines;
    places->column = area->column;
    for (int x = 0; x < area->width; x += 2)
        places->even |= area->column << (x * area->lines);
    places->inner = area->full & ~(area->column << ((area->width - 1) * area->lines));
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
    if (places->list && places->high)
        visit_places(area, add_place, &filler);
    return places->list && places->high;
}

void places_release(Places *places) {
    free(places->list);
    free(places->high);
    places->list = places->high = NULL;
}

/* ---- what can be completed */

/* A table with open addressing. */
typedef struct PackEntry {
    Cells filled;
    uint32_t answer; /* set * 4 + 2 + answer; 0: free */
} PackEntry;

struct PackMemo {
    PackEntry *entries;
    size_t used, slots;
};

enum {
    FIRST_SLOTS = 1 << 12,
    MOST_SLOTS = 1 << 24,
    SMALL_CELLS = 20 /* what is left of so many cells is quicker to try than to look up */
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

/* False when the empty cells left of a cut that no row crosses are not a multiple of 4. */
static bool cuts_are_even(const Places *places, Cells empty) {
    const int lines = places->lines;
    Cells cross = empty & empty >> lines, left = places->column;
    int cell = __builtin_ctzll(empty) / lines * lines;
    for (left <<= cell; left & places->inner; left <<= lines)
        if (!(cross & left) && __builtin_popcountll(empty & (left | ((left & -left) - 1))) % 4 != 0)
            return false;
    return true;
}

/* The places that cover the next cell: from the side whose outermost column has fewer empty cells,
 * since there are fewer ways to go on. */
static const Place *next_places(const Places *places, Cells empty, const Place **end) {
    int low = __builtin_ctzll(empty), high = 63 - __builtin_clzll(empty);
    Cells left = places->column << low / places->lines * places->lines;
    Cells right = places->column << high / places->lines * places->lines;
    if (__builtin_popcountll(empty & right) < __builtin_popcountll(empty & left)) {
        *end = places->high + places->first_high[high + 1];
        return places->high + places->first_high[high];
    }
    *end = places->list + places->first[low + 1];
    return places->list + places->first[low];
}

/* Empty cells in even columns less those in odd ones. */
static int column_difference(const Places *places, Cells empty) {
    return 2 * __builtin_popcountll(empty & places->even) - __builtin_popcountll(empty);
}

bool packable(PackMemo *memo, const Places *places, const Stock *stock, Cells full, Cells filled,
              uint32_t set) {
    if (filled == full)
        return true;
    Cells empty = full & ~filled;
    if (abs(column_difference(places, empty)) > stock->change[set] || !cuts_are_even(places, empty))
        return false;
    bool small = __builtin_popcountll(empty) <= SMALL_CELLS;
    if (!small) {
        const PackEntry *entry = find(memo, filled, set);
        if (entry->answer)
            return entry->answer & 1;
    }
    const Place *end, *place = next_places(places, empty, &end);
    bool answer = false;
    for (; place < end && !answer; place++) {
        if (place->cells & filled)
            continue;
        int32_t next = stock->next[set][place->piece];
        answer =
            next >= 0 && packable(memo, places, stock, full, filled | place->cells, (uint32_t)next);
    }
    if (!small)
        remember(memo, filled, set, answer);
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
    if (!empty)
        return true;
    if (!cuts_are_even(places, empty))
        return false;
    bool small = __builtin_popcountll(empty) <= SMALL_CELLS;
    if (!small) {
        const PackEntry *entry = find(memo, empty, available);
        if (entry->answer)
            return entry->answer & 1;
    }
    const Place *end, *place = next_places(places, empty, &end);
    bool answer = false;
    for (; place < end && !answer; place++)
        answer =
            !(place->cells & ~empty) && available >> (4 * place->piece) & 15 &&
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
