/*
 * stock: sets are kept in a hash table while they are found. Those of the queues come first, with
 * the work of a common beginning done once; then the parts of those that have all pieces.
 */
#include "clears/stock.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct Found {
    PieceCounts counts;
    bool used, placed, part; /* `part`: of a set with all pieces */
} Found;

typedef struct Table {
    Found *slots;
    size_t size, used;
} Table;

static Found *slot_of(const Table *table, PieceCounts counts) {
    uint64_t key = counts * (uint64_t)0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(key >> 40) & (table->size - 1);
    while (table->slots[slot].used && table->slots[slot].counts != counts)
        slot = (slot + 1) & (table->size - 1);
    return &table->slots[slot];
}

/* The entry of a set, which is new or was there; NULL: no memory. */
static Found *put(Table *table, PieceCounts counts) {
    if (2 * table->used >= table->size) {
        Table larger = {.size = table->size ? 2 * table->size : 1024, .used = table->used};
        larger.slots = memory_new(larger.size, sizeof *larger.slots, NULL);
        if (!larger.slots)
            return NULL;
        for (size_t i = 0; i < table->size; i++)
            if (table->slots[i].used)
                *slot_of(&larger, table->slots[i].counts) = table->slots[i];
        free(table->slots);
        *table = larger;
    }
    Found *found = slot_of(table, counts);
    if (!found->used) {
        *found = (Found){.counts = counts, .used = true};
        table->used++;
    }
    return found;
}

static int count_pieces(PieceCounts counts) {
    int sum = 0;
    for (; counts; counts >>= 4)
        sum += (int)(counts & 15);
    return sum;
}

static bool put_placed(Table *table, PieceCounts counts) {
    Found *found = put(table, counts);
    if (found)
        found->placed = true;
    return found != NULL;
}

/* What can have been placed when `seen`, `count` pieces, have come. */
static bool put_seen(Table *table, PieceCounts seen, int count, const Queues *queues, int pieces,
                     bool hold) {
    bool ok = true;
    if (count <= pieces && (!hold || count == queues->length || count == 0))
        ok = put_placed(table, seen);
    for (int p = 0; ok && hold && count - 1 <= pieces && p < PIECE_COUNT; p++)
        if (seen >> (4 * p) & 15)
            ok = put_placed(table, seen - COUNTS_ONE(p));
    return ok;
}

/* All sets that some queue can have placed. */
static bool collect(Table *table, const Queues *queues, int pieces, bool hold) {
    PieceCounts seen[PATTERN_MAX_PIECES + 1] = {0};
    int most = pieces + hold < queues->length ? pieces + hold : queues->length;
    bool ok = put_seen(table, 0, 0, queues, pieces, hold);
    for (size_t i = 0; ok && i < queues->count; i++) {
        int same = 0; /* pieces in common with the queue before */
        if (i > 0)
            same = __builtin_clzll(queues->codes[i] ^ queues->codes[i - 1]) / 3;
        for (int k = same; ok && k < most; k++) {
            seen[k + 1] = seen[k] + COUNTS_ONE(queue_piece(queues->codes[i], k));
            ok = put_seen(table, seen[k + 1], k + 1, queues, pieces, hold);
        }
    }
    return ok;
}

/* Marks a set and all its parts. */
static bool mark_parts(Table *table, PieceCounts counts) {
    Found *found = put(table, counts);
    if (!found || found->part)
        return found != NULL;
    found->part = true;
    for (int p = 0; p < PIECE_COUNT; p++)
        if (counts >> (4 * p) & 15 && !mark_parts(table, counts - COUNTS_ONE(p)))
            return false;
    return true;
}

static bool mark_all_parts(Table *table, int pieces) {
    Table before = *table; /* mark_parts may move the slots */
    before.slots = memory_new(before.size, sizeof *before.slots, NULL);
    if (!before.slots)
        return false;
    for (size_t i = 0; i < before.size; i++)
        before.slots[i] = table->slots[i];
    bool ok = true;
    for (size_t i = 0; ok && i < before.size; i++)
        if (before.slots[i].used && before.slots[i].placed &&
            count_pieces(before.slots[i].counts) == pieces)
            ok = mark_parts(table, before.slots[i].counts);
    free(before.slots);
    return ok;
}

static int compare(const void *a, const void *b) {
    PieceCounts x = *(const PieceCounts *)a, y = *(const PieceCounts *)b;
    return x < y ? -1 : x > y;
}

static int32_t find(const Stock *stock, PieceCounts counts) {
    const PieceCounts *found =
        bsearch(&counts, stock->counts, stock->count, sizeof counts, compare);
    return found ? (int32_t)(found - stock->counts) : -1;
}

/* By how much the pieces to come can change the difference between the empty cells of even and of
 * odd columns: L, J and an upright T by 2, an upright I by 4. The larger sets come later. */
static void find_changes(Stock *stock) {
    static const uint8_t changes[PIECE_COUNT] = {
        [PIECE_I] = 4, [PIECE_T] = 2, [PIECE_J] = 2, [PIECE_L] = 2};
    for (size_t i = stock->count; i-- > 0;)
        for (int p = 0; p < PIECE_COUNT; p++) {
            int32_t next = stock->next[i][p];
            if (next >= 0 && stock->change[next] + changes[p] > stock->change[i])
                stock->change[i] = (uint8_t)(stock->change[next] + changes[p]);
        }
}

bool stock_init(Stock *stock, const Queues *queues, int pieces, bool hold, Status *status) {
    *stock = (Stock){.pieces = pieces};
    Table table = {0};
    bool ok = collect(&table, queues, pieces, hold) && mark_all_parts(&table, pieces);
    stock->counts = memory_new(table.used + 1, sizeof *stock->counts, NULL);
    stock->next = memory_new(table.used + 1, sizeof *stock->next, NULL);
    stock->placed = memory_new(table.used + 1, sizeof *stock->placed, NULL);
    stock->change = memory_new(table.used + 1, sizeof *stock->change, NULL);
    ok = ok && stock->counts && stock->next && stock->placed && stock->change;
    for (size_t i = 0; ok && i < table.size; i++)
        if (table.slots[i].used && table.slots[i].part)
            stock->counts[stock->count++] = table.slots[i].counts;
    if (ok)
        qsort(stock->counts, stock->count, sizeof *stock->counts, compare);
    for (size_t i = 0; ok && i < stock->count; i++) {
        stock->placed[i] = slot_of(&table, stock->counts[i])->placed;
        for (int p = 0; p < PIECE_COUNT; p++)
            stock->next[i][p] = find(stock, stock->counts[i] + COUNTS_ONE(p));
    }
    free(table.slots);
    if (!ok) {
        stock_release(stock);
        return status_no_memory(status);
    }
    find_changes(stock);
    return true;
}

void stock_release(Stock *stock) {
    free(stock->counts);
    free(stock->next);
    free(stock->placed);
    free(stock->change);
    *stock = (Stock){0};
}
