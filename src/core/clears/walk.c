/*
 * walk: `advance` walks sets of nodes, `finish` sets of orders; `begin` chooses where one becomes
 * the other.
 *
 * A set of orders of k pieces has 8^k bits: bit number p1 p2 ... pk, read as octal digits. Those
 * that begin with p are an aligned part of it.
 */
#include "clears/walk.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ORDER_PIECES = 6,
    HOLDS = PIECE_COUNT /* without hold, only the first is used */
};

typedef struct Scratch {
    uint8_t *masks[AREA_MAX_PIECES + 1];  /* per node of a layer, bit h: held piece h */
    uint32_t *lists[AREA_MAX_PIECES + 1]; /* the nodes whose mask is not 0 */
    uint64_t *orders;                     /* HOLDS sets for every number of pieces left */
} Scratch;

struct Walk {
    const Graph *graph;
    int length;
    bool hold;
    int last;         /* pieces that are left when sets of orders take over */
    uint64_t *orders; /* of the nodes of that layer */
    Scratch *scratch;
    unsigned threads;
};

/* Words of a set of orders of k pieces. */
static size_t words(int k) {
    return k <= 2 ? 1 : (size_t)1 << (3 * k - 6);
}

/* ---- the orders of every node */

static void add_orders(uint64_t *set, int left, Piece piece, const uint64_t *rest) {
    if (left >= 3) {
        size_t count = words(left - 1);
        for (size_t i = 0; i < count; i++)
            set[(size_t)piece * count + i] |= rest[i];
    } else
        *set |= *rest << (left == 2 ? 8 * piece : piece);
}

/* The sets of the layer with `left` pieces left, from those of the next one. */
static uint64_t *layer_orders(const Graph *graph, int left, const uint64_t *next, Status *status) {
    const GraphLayer *layer = &graph->layers[graph->pieces - left];
    size_t size = words(left), smaller = left > 0 ? words(left - 1) : 0;
    uint64_t *sets = memory_new(layer->count + 1, size * sizeof *sets, status);
    for (size_t i = 0; sets && i < layer->count; i++) {
        if (left == 0)
            sets[i] = 1;
        for (uint64_t e = left > 0 ? layer->first[i] : 0; left > 0 && e < layer->first[i + 1]; e++)
            add_orders(sets + i * size, left, edge_piece(layer->edges[e]),
                       next + edge_next(layer->edges[e]) * smaller);
    }
    return sets;
}

/* How many pieces the sets of orders can have: those of the layer must not be too large. */
static int order_pieces(const Graph *graph, size_t bytes) {
    int left = 0;
    while (left < graph->pieces && left < MOST_ORDER_PIECES &&
           graph->layers[graph->pieces - left - 1].count * words(left + 1) * 8 <= bytes)
        left++;
    return left;
}

static bool make_orders(Walk *walk, size_t bytes, Status *status) {
    walk->last = order_pieces(walk->graph, bytes);
    for (int left = 0; left <= walk->last; left++) {
        uint64_t *sets = layer_orders(walk->graph, left, walk->orders, status);
        free(walk->orders);
        walk->orders = sets;
        if (!sets)
            return false;
    }
    return true;
}

/* ---- memory */

static bool scratch_init(const Walk *walk, Scratch *scratch, Status *status) {
    const Graph *graph = walk->graph;
    size_t total = 0;
    for (int k = 0; k <= graph->pieces - walk->last; k++) {
        scratch->masks[k] = memory_new(graph->layers[k].count + 1, 1, status);
        scratch->lists[k] = memory_new(graph->layers[k].count + 1, sizeof(uint32_t), status);
        if (!scratch->masks[k] || !scratch->lists[k])
            return false;
    }
    for (int left = 0; left <= walk->last; left++)
        total += words(left) * HOLDS;
    scratch->orders = memory_new(total, sizeof *scratch->orders, status);
    return scratch->orders != NULL;
}

Walk *walk_new(const Graph *graph, int length, bool hold, size_t order_bytes, unsigned threads,
               Status *status) {
    Walk *walk = memory_new(1, sizeof *walk, status);
    if (!walk)
        return NULL;
    *walk = (Walk){.graph = graph, .length = length, .hold = hold, .threads = threads};
    walk->scratch = memory_new(threads, sizeof *walk->scratch, status);
    bool ok = walk->scratch && make_orders(walk, order_bytes, status);
    for (unsigned i = 0; ok && i < threads; i++)
        ok = scratch_init(walk, &walk->scratch[i], status);
    if (ok)
        return walk;
    walk_free(walk);
    return NULL;
}

void walk_free(Walk *walk) {
    if (!walk)
        return;
    for (unsigned i = 0; walk->scratch && i < walk->threads; i++) {
        for (int k = 0; k <= AREA_MAX_PIECES; k++) {
            free(walk->scratch[i].masks[k]);
            free(walk->scratch[i].lists[k]);
        }
        free(walk->scratch[i].orders);
    }
    free(walk->scratch);
    free(walk->orders);
    free(walk);
}

/* ---- the walk */

typedef struct Step {
    const Walk *walk;
    Scratch *scratch;
    const Queues *queues;
    uint8_t *solved;
    size_t count; /* solved */
} Step;

static void mark(Step *step, size_t first, size_t last, bool solved) {
    memset(step->solved + first, solved, last - first);
    step->count += solved ? last - first : 0;
}

static uint64_t *orders_at(const Step *step, int left) {
    uint64_t *at = step->scratch->orders;
    for (int k = 0; k < left; k++)
        at += words(k) * HOLDS;
    return at;
}

/* The orders of `from` that begin with the piece. */
static void orders_after(uint64_t *to, const uint64_t *from, int left, Piece piece) {
    if (left >= 3) {
        size_t count = words(left - 1);
        for (size_t i = 0; i < count; i++)
            to[i] |= from[(size_t)piece * count + i];
    } else
        *to |= left == 2 ? *from >> (8 * piece) & 0xff : *from >> piece & 1;
}

static bool any_orders(const uint64_t *sets, size_t count) {
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= sets[i];
    return any != 0;
}

/* From sets of orders of `left` pieces by held piece to those of one less, when `piece` comes. */
static bool order_step(const Step *step, int left, Piece piece) {
    const uint64_t *from = orders_at(step, left);
    uint64_t *to = orders_at(step, left - 1);
    size_t large = words(left), small = words(left - 1);
    int holds = step->walk->hold ? HOLDS : 1;
    memset(to, 0, small * (size_t)holds * sizeof *to);
    if (!step->walk->hold)
        orders_after(to, from, left, piece);
    for (int h = 0; step->walk->hold && h < HOLDS; h++) {
        const uint64_t *set = from + (size_t)h * large;
        orders_after(to + (size_t)h * small, set, left, piece);
        orders_after(to + (size_t)piece * small, set, left, (Piece)h);
    }
    return any_orders(to, small * (size_t)holds);
}

/* The queue has ended: the held piece is the last one. */
static bool held_is_last(const Step *step) {
    const uint64_t *sets = orders_at(step, 1);
    for (int h = 0; h < HOLDS; h++)
        if (sets[h] >> h & 1)
            return true;
    return false;
}

/* The queues first..last-1 share their first `depth` pieces; `left` are still to be placed. */
static void finish(Step *step, size_t first, size_t last, int depth, int left) {
    if (left == 0 || depth == step->walk->length) {
        mark(step, first, last, left == 0 || (step->walk->hold && left == 1 && held_is_last(step)));
        return;
    }
    for (size_t i = first, end; i < last; i = end) {
        end = queues_same(step->queues, i, last, depth + 1);
        if (order_step(step, left, queue_piece(step->queues->codes[i], depth)))
            finish(step, i, end, depth + 1, left - 1);
        else
            mark(step, i, end, false);
    }
}

/* The nodes of the next layer that are reached when `piece` comes; returns their number. */
static size_t node_step(const Step *step, int layer_number, size_t count, Piece piece) {
    const GraphLayer *layer = &step->walk->graph->layers[layer_number];
    const uint8_t *masks = step->scratch->masks[layer_number];
    const uint32_t *list = step->scratch->lists[layer_number];
    uint8_t *next_masks = step->scratch->masks[layer_number + 1];
    uint32_t *next_list = step->scratch->lists[layer_number + 1];
    bool hold = step->walk->hold;
    size_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned mask = masks[list[i]];
        for (uint64_t e = layer->first[list[i]]; e < layer->first[list[i] + 1]; e++) {
            Piece placed = edge_piece(layer->edges[e]);
            unsigned now = placed == piece ? mask : 0;
            if (hold && mask >> placed & 1)
                now |= 1u << piece;
            if (!now)
                continue;
            uint32_t next = edge_next(layer->edges[e]);
            if (!next_masks[next])
                next_list[reached++] = next;
            next_masks[next] |= (uint8_t)now;
        }
    }
    return reached;
}

static void clear_nodes(const Step *step, int layer, size_t count) {
    for (size_t i = 0; i < count; i++)
        step->scratch->masks[layer][step->scratch->lists[layer][i]] = 0;
}

/* From a set of nodes to sets of orders. */
static void nodes_to_orders(const Step *step, int layer, size_t count) {
    const Walk *walk = step->walk;
    size_t size = words(walk->last);
    uint64_t *sets = orders_at(step, walk->last);
    memset(sets, 0, size * HOLDS * sizeof *sets);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = step->scratch->lists[layer][i];
        const uint64_t *orders = walk->orders + node * size;
        for (unsigned mask = step->scratch->masks[layer][node]; mask; mask &= mask - 1) {
            uint64_t *set = sets + (size_t)__builtin_ctz(mask) * size;
            for (size_t k = 0; k < size; k++)
                set[k] |= orders[k];
        }
    }
}

/* As finish, with `count` nodes of a layer. */
static void advance(Step *step, size_t first, size_t last, int depth, int layer, size_t count) {
    int left = step->walk->graph->pieces - layer;
    if (left == step->walk->last) {
        nodes_to_orders(step, layer, count);
        finish(step, first, last, depth, left);
        return;
    }
    if (depth == step->walk->length) { /* more pieces are needed than the queue has */
        mark(step, first, last, false);
        return;
    }
    for (size_t i = first, end; i < last; i = end) {
        end = queues_same(step->queues, i, last, depth + 1);
        size_t reached = node_step(step, layer, count, queue_piece(step->queues->codes[i], depth));
        if (reached > 0)
            advance(step, i, end, depth + 1, layer + 1, reached);
        else
            mark(step, i, end, false);
        clear_nodes(step, layer + 1, reached);
    }
}

size_t walk_range(Walk *walk, const Queues *queues, size_t first, size_t last, unsigned worker,
                  uint8_t *solved) {
    Step step = {walk, &walk->scratch[worker], queues, solved, 0};
    if (walk->graph->layers[0].count == 0) {
        mark(&step, first, last, false);
        return 0;
    }
    step.scratch->lists[0][0] = 0;
    /* Without hold the mask only says that the node is reached. */
    for (size_t i = first, end; i < last; i = end) {
        int taken = walk->hold ? 1 : 0;
        end = queues_same(queues, i, last, taken);
        step.scratch->masks[0][0] =
            (uint8_t)(walk->hold ? 1u << queue_piece(queues->codes[i], 0) : 1u);
        advance(&step, i, end, taken, 0, 1);
    }
    step.scratch->masks[0][0] = 0;
    return step.count;
}
