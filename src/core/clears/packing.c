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

static void count_place(void *context, const Place *place) {
    ((Places *)context)->first[__builtin_ctzll(place->cells) + 1]++;
}

typedef struct Filler {
    Places *places;
    uint32_t next[64];
} Filler;

static void add_place(void *context, const Place *place) {
    Filler *filler = context;
    filler->places->list[filler->next[__builtin_ctzll(place->cells)]++] = *place;
}

bool places_init(Places *places, const Area *area, Status *status) {
    memset(places, 0, sizeof *places);
    places->lines = area->lines;
    places->column = area->column;
    places->inner = area->full & ~(area->column << ((area->width - 1) * area->lines));
    visit_places(area, count_place, places);
    Filler filler = {.places = places};
    for (int c = 0; c < 64; c++) {
        places->first[c + 1] += places->first[c];
        filler.next[c] = places->first[c];
    }
    places->list = memory_new(places->first[64] + 1, sizeof *places->list, status);
    if (places->list)
        visit_places(area, add_place, &filler);
    return places->list != NULL;
}

void places_release(Places *places) {
    free(places->list);
    places->list = NULL;
}

/* ---- what can be completed */

/* A table with open addressing: the cells, and the set with the answer in its lowest bits, 0 where
 * it is free. */
struct PackMemo {
    Cells *keys;
    uint32_t *answers; /* set * 4 + 2 + answer */
    size_t used, slots;
};

enum { FIRST_SLOTS = 1 << 12, MOST_SLOTS = 1 << 26 };

PackMemo *pack_memo_new(Status *status) {
    PackMemo *memo = memory_new(1, sizeof *memo, status);
    if (!memo)
        return NULL;
    memo->slots = FIRST_SLOTS;
    memo->keys = memory_new(memo->slots, sizeof *memo->keys, status);
    memo->answers = memory_new(memo->slots, sizeof *memo->answers, status);
    if (memo->keys && memo->answers)
        return memo;
    pack_memo_free(memo);
    return NULL;
}

void pack_memo_free(PackMemo *memo) {
    if (!memo)
        return;
    free(memo->keys);
    free(memo->answers);
    free(memo);
}

/* The slot of a set, or the free one where it belongs. */
static size_t find(const PackMemo *memo, Cells cells, uint32_t set) {
    uint64_t key = (cells ^ (uint64_t)set << 44) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(key >> 20 ^ key >> 44) & (memo->slots - 1);
    while (memo->answers[slot] && (memo->keys[slot] != cells || memo->answers[slot] >> 2 != set))
        slot = (slot + 1) & (memo->slots - 1);
    return slot;
}

static void enlarge(PackMemo *memo) {
    PackMemo larger = {.slots = 2 * memo->slots, .used = memo->used};
    larger.keys = memory_new(larger.slots, sizeof *larger.keys, NULL);
    larger.answers = memory_new(larger.slots, sizeof *larger.answers, NULL);
    if (larger.keys && larger.answers) {
        for (size_t i = 0; i < memo->slots; i++)
            if (memo->answers[i]) {
                size_t slot = find(&larger, memo->keys[i], memo->answers[i] >> 2);
                larger.keys[slot] = memo->keys[i];
                larger.answers[slot] = memo->answers[i];
            }
        free(memo->keys);
        free(memo->answers);
        *memo = larger;
    } else { /* not remembered any more, which costs only time */
        free(larger.keys);
        free(larger.answers);
    }
}

static void remember(PackMemo *memo, Cells cells, uint32_t set, bool answer) {
    if (memo->used >= memo->slots / 4 * 3) {
        if (memo->slots < MOST_SLOTS)
            enlarge(memo);
        if (memo->used >= memo->slots / 4 * 3)
            return;
    }
    size_t slot = find(memo, cells, set);
    memo->keys[slot] = cells;
    memo->answers[slot] = set * 4 + 2 + answer;
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

bool packable(PackMemo *memo, const Places *places, const Stock *stock, Cells full, Cells filled,
              uint32_t set) {
    if (filled == full)
        return true;
    Cells empty = full & ~filled;
    if (!cuts_are_even(places, empty))
        return false;
    bool small = __builtin_popcountll(empty) <= 8;
    size_t slot = 0;
    if (!small) {
        slot = find(memo, filled, set);
        if (memo->answers[slot])
            return memo->answers[slot] & 1;
    }
    int cell = __builtin_ctzll(empty);
    bool answer = false;
    for (uint32_t i = places->first[cell]; i < places->first[cell + 1] && !answer; i++) {
        const Place *place = &places->list[i];
        int32_t next = stock->next[set][place->piece];
        answer = next >= 0 && !(place->cells & filled) &&
                 packable(memo, places, stock, full, filled | place->cells, (uint32_t)next);
    }
    if (!small)
        remember(memo, filled, set, answer);
    return answer;
}
