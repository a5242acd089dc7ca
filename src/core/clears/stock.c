/* stock: the sets of the last placement come from the queues, the smaller ones by taking pieces
 * away. */
#include "clears/stock.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    PieceCounts x = *(const PieceCounts *)a, y = *(const PieceCounts *)b;
    return x < y ? -1 : x > y;
}

typedef struct Collector {
    PieceCounts *items;
    size_t count, capacity, sorted; /* `sorted`: the items up to here are sorted and distinct */
} Collector;

static void tidy(Collector *list) {
    qsort(list->items, list->count, sizeof *list->items, compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[i] != list->items[kept - 1])
            list->items[kept++] = list->items[i];
    list->count = list->sorted = kept;
}

static bool put(Collector *list, PieceCounts counts) {
    if (list->count > 0 && list->items[list->count - 1] == counts)
        return true;
    if (list->count > 4096 && list->count > 2 * list->sorted)
        tidy(list);
    if (!MEMORY_HAS_PLACE(list->items, list->count, list->capacity))
        return false;
    list->items[list->count++] = counts;
    return true;
}

/* The sets that can be placed from one queue, of which `seen` are the first pieces. */
static bool put_placed(Collector *list, PieceCounts seen, bool drop_one) {
    if (!drop_one)
        return put(list, seen);
    for (int p = 0; p < PIECE_COUNT; p++)
        if (seen >> (4 * p) & 15 && !put(list, seen - COUNTS_ONE(p)))
            return false;
    return true;
}

/* All sets after `placed` placements. */
static bool collect(Collector *list, const Queues *queues, int placed, bool hold) {
    int used = hold && placed < queues->length ? placed + 1 : placed;
    for (size_t i = 0; i < queues->count; i = queues_same(queues, i, queues->count, used)) {
        PieceCounts seen = 0;
        for (int k = 0; k < used; k++)
            seen += COUNTS_ONE(queue_piece(queues->codes[i], k));
        if (!put_placed(list, seen, used > placed))
            return false;
    }
    tidy(list);
    return true;
}

static int32_t find(const Stock *stock, PieceCounts counts) {
    const PieceCounts *found =
        bsearch(&counts, stock->counts, stock->count, sizeof counts, compare);
    return found ? (int32_t)(found - stock->counts) : -1;
}

/* All parts of the sets in `list`, which has those of `pieces` pieces. */
static bool add_parts(Collector *list, int pieces) {
    size_t begin = 0;
    for (int k = pieces; k > 0; k--) { /* those with k pieces are the items from `begin` on */
        Collector smaller = {0};
        bool ok = true;
        for (size_t i = begin; ok && i < list->count; i++)
            ok = put_placed(&smaller, list->items[i], true);
        tidy(&smaller);
        begin = list->count;
        for (size_t i = 0; ok && i < smaller.count; i++) {
            ok = MEMORY_HAS_PLACE(list->items, list->count, list->capacity);
            if (ok)
                list->items[list->count++] = smaller.items[i];
        }
        free(smaller.items);
        if (!ok)
            return false;
    }
    return true;
}

static bool mark_placed(Stock *stock, const Queues *queues, bool hold) {
    Collector list = {0};
    bool ok = true;
    for (int k = 0; ok && k <= stock->pieces; k++) {
        list.count = list.sorted = 0;
        ok = collect(&list, queues, k, hold);
        for (size_t i = 0; ok && i < list.count; i++) {
            int32_t number = find(stock, list.items[i]);
            if (number >= 0)
                stock->placed[number] = true;
        }
    }
    free(list.items);
    return ok;
}

bool stock_init(Stock *stock, const Queues *queues, int pieces, bool hold, Status *status) {
    *stock = (Stock){.pieces = pieces};
    Collector list = {0};
    bool ok = collect(&list, queues, pieces, hold) && add_parts(&list, pieces);
    /* Different numbers of pieces, so distinct already. */
    qsort(list.items, list.count, sizeof *list.items, compare);
    stock->counts = list.items;
    stock->count = list.count;
    stock->next = memory_new(list.count + 1, sizeof *stock->next, NULL);
    stock->placed = memory_new(list.count + 1, sizeof *stock->placed, NULL);
    ok = ok && stock->next && stock->placed && mark_placed(stock, queues, hold);
    for (size_t i = 0; ok && i < stock->count; i++)
        for (int p = 0; p < PIECE_COUNT; p++)
            stock->next[i][p] = find(stock, stock->counts[i] + COUNTS_ONE(p));
    if (!ok) {
        stock_release(stock);
        status_no_memory(status);
    }
    return ok;
}

void stock_release(Stock *stock) {
    free(stock->counts);
    free(stock->next);
    free(stock->placed);
    *stock = (Stock){0};
}
