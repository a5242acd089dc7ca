/*
 * path: 1. the graph of all boards; 2. the places on its edges; 3. all packings from these places;
 * 4. for each packing the part of the graph with its places, and the queues that can walk it.
 */
#include "clears/path.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Packings between two looks at the clock: fewer where each has many queues to decide. */
enum { ROUND = 256, ROUND_QUEUES = 1 << 22, PACK_STEPS = 1 << 16 };

typedef struct Packing {
    uint16_t places[AREA_MAX_PIECES];
} Packing;

/* Which rows are cleared before which: bit 8 * a + b when row a is full before row b. A piece that
 * skips a row comes after it was cleared, so its own rows are later than that one. */
typedef uint64_t RowOrder;

enum { ORDER_MAX_ROWS = 8 };

typedef struct Worker {
    uint32_t *local[AREA_MAX_PIECES + 1]; /* per node of a layer: its number in `part`, + 1 */
    uint32_t *nodes[AREA_MAX_PIECES + 1]; /* the nodes of `part` by their numbers in the graph */
    size_t node_capacity[AREA_MAX_PIECES + 1], edge_capacity[AREA_MAX_PIECES + 1];
    Graph part;
    uint8_t *solved;
    bool failed; /* memory */
} Worker;

typedef struct Search {
    const Area *area;
    const Queues *queues;
    bool hold;
    Stock stock;
    Graph graph;
    Places places;    /* those on edges */
    RowOrder *orders; /* of every place; NULL: too many rows */
    Packing *packings;
    size_t count, capacity;
    Packing current;
    ClearsCut cut;
    bool stopped, failed, too_many;
    size_t steps; /* of pack */
    Worker *workers;
    unsigned threads;
    uint8_t **results; /* of a round: per packing the solved queues; NULL: none */
    size_t first;      /* packing of the round */
} Search;

/* ---- 2. places */

/* Sorts and drops duplicates; returns how many are left. */
static size_t tidy(Place *list, size_t count) {
    size_t kept = 0;
    qsort(list, count, sizeof *list, place_compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || place_compare(&list[kept - 1], &list[i]) != 0)
            list[kept++] = list[i];
    return kept;
}

/* Every place that is on some edge, sorted by its lowest cell. */
static bool collect_places(Search *search, Status *status) {
    Place *list = NULL;
    size_t count = 0, capacity = 0, sorted = 0;
    for (int k = 0; k < search->graph.pieces; k++) {
        const GraphLayer *layer = &search->graph.layers[k];
        for (size_t i = 0; i < layer->count; i++)
            for (uint64_t e = layer->first[i]; e < layer->first[i + 1]; e++) {
                Cells added = layer[1].cells[edge_next(layer->edges[e])] & ~layer->cells[i];
                if (count > 2 * sorted + 4096)
                    count = sorted = tidy(list, count);
                if (!MEMORY_HAS_PLACE(list, count, capacity)) {
                    free(list);
                    return status_no_memory(status);
                }
                list[count++] =
                    (Place){.cells = added, .piece = (uint8_t)edge_piece(layer->edges[e])};
            }
    }
    count = count > 0 ? tidy(list, count) : 0;
    return places_take(&search->places, search->area, list, count, status);
}

/* ---- 3. packings */

/* What the place says about the order of its rows. */
static RowOrder order_of(const Area *area, const Place *place) {
    unsigned rows = 0;
    for (int y = 0; y < area->lines; y++)
        rows |= (unsigned)((place->cells & area->row << y) != 0) << y;
    RowOrder order = 0;
    for (int y = __builtin_ctz(rows); rows >> y; y++)
        if (!(rows >> y & 1))
            order |= (RowOrder)rows << (8 * y);
    return order;
}

static bool find_orders(Search *search, Status *status) {
    if (search->area->lines > ORDER_MAX_ROWS)
        return true;
    search->orders = memory_new(search->places.first[64] + 1, sizeof *search->orders, status);
    for (uint32_t i = 0; search->orders && i < search->places.first[64]; i++)
        search->orders[i] = order_of(search->area, &search->places.list[i]);
    return search->orders != NULL;
}

/* Adds what a place says. False: no row of a circle can be the first one. */
static bool add_order(const Search *search, uint32_t place, RowOrder *order) {
    const RowOrder itself = 0x8040201008040201u, firsts = 0x0101010101010101u;
    if (!search->orders || !(search->orders[place] & ~*order))
        return true;
    RowOrder all = *order | search->orders[place];
    for (int k = 0; k < search->area->lines; k++) /* what is before k is before what follows k */
        all |= (all >> k & firsts) * (all >> (8 * k) & 0xff);
    *order = all;
    return !(all & itself);
}

static void pack(Search *search, Cells filled, uint32_t set, int depth, RowOrder order) {
    if (++search->steps % PACK_STEPS == 0 && clears_cut(search->cut))
        search->stopped = true;
    if (search->stopped || search->failed || search->too_many)
        return;
    if (filled == search->area->full) {
        if (search->count >= PATH_MAX_PACKINGS)
            search->too_many = true;
        else if (!MEMORY_HAS_PLACE(search->packings, search->count, search->capacity))
            search->failed = true;
        else
            search->packings[search->count++] = search->current;
        return;
    }
    Cells empty = search->area->full & ~filled;
    PlaceWalk walk = places_low(&search->places, ~empty, __builtin_ctzll(empty));
    for (const Place *place; (place = place_next(&walk));) {
        int32_t next = search->stock.next[set][place->piece];
        if (next < 0 ||
            !places_plausible(&search->places, empty & ~place->cells, search->stock.change[next]))
            continue;
        uint32_t number = (uint32_t)(place - search->places.list);
        RowOrder after = order;
        if (!add_order(search, number, &after))
            continue;
        search->current.places[depth] = (uint16_t)number;
        pack(search, filled | place->cells, (uint32_t)next, depth + 1, after);
    }
}

/* ---- 4. the queues of a packing */

/* The number of a node in the part; it is added when it is new. */
static bool part_node(Worker *worker, const Graph *graph, int k, uint32_t node, uint32_t *number) {
    GraphLayer *layer = &worker->part.layers[k];
    if (!worker->local[k][node]) {
        size_t capacity = worker->node_capacity[k];
        if (layer->count + 1 >= capacity) {
            size_t larger = capacity ? 2 * capacity : 64;
            uint32_t *nodes = realloc(worker->nodes[k], larger * sizeof *nodes);
            worker->nodes[k] = nodes ? nodes : worker->nodes[k];
            uint64_t *first = realloc(layer->first, (larger + 1) * sizeof *first);
            layer->first = first ? first : layer->first;
            Cells *cells = realloc(layer->cells, larger * sizeof *cells);
            layer->cells = cells ? cells : layer->cells;
            if (!nodes || !first || !cells)
                return false;
            worker->node_capacity[k] = larger;
        }
        worker->nodes[k][layer->count] = node;
        layer->cells[layer->count] = graph->layers[k].cells[node];
        worker->local[k][node] = (uint32_t)++layer->count;
    }
    *number = worker->local[k][node] - 1;
    return true;
}

/* The edges of node i of the part that fill one of the places. */
static bool part_edges(const Search *search, Worker *worker, int k, size_t i,
                       const Place *owner[64], size_t *edges) {
    const GraphLayer *layer = &search->graph.layers[k];
    GraphLayer *part = &worker->part.layers[k];
    uint32_t node = worker->nodes[k][i];
    for (uint64_t e = layer->first[node]; e < layer->first[node + 1]; e++) {
        Cells added = layer[1].cells[edge_next(layer->edges[e])] & ~layer->cells[node];
        const Place *place = owner[__builtin_ctzll(added)];
        uint32_t to;
        if (place->cells != added || place->piece != edge_piece(layer->edges[e]))
            continue;
        if (!part_node(worker, &search->graph, k + 1, edge_next(layer->edges[e]), &to) ||
            !MEMORY_HAS_PLACE(part->edges, *edges, worker->edge_capacity[k]))
            return false;
        part->edges[(*edges)++] = (uint32_t)place->piece << GRAPH_NODE_BITS | to;
    }
    part->first[i + 1] = *edges;
    return true;
}

static bool make_part(const Search *search, Worker *worker, const Packing *packing) {
    int pieces = search->graph.pieces;
    const Place *owner[64] = {0};
    for (int i = 0; i < pieces; i++) {
        const Place *place = &search->places.list[packing->places[i]];
        for (Cells cells = place->cells; cells; cells &= cells - 1)
            owner[__builtin_ctzll(cells)] = place;
    }
    for (int k = 0; k <= pieces; k++) {
        GraphLayer *part = &worker->part.layers[k];
        for (size_t i = 0; i < part->count; i++)
            worker->local[k][worker->nodes[k][i]] = 0;
        part->count = 0;
    }
    worker->part.pieces = pieces;
    uint32_t root;
    if (!part_node(worker, &search->graph, 0, 0, &root))
        return false;
    for (int k = 0; k < pieces; k++) {
        size_t edges = 0;
        if (worker->part.layers[k].count == 0)
            return true;
        worker->part.layers[k].first[0] = 0;
        for (size_t i = 0; i < worker->part.layers[k].count; i++)
            if (!part_edges(search, worker, k, i, owner, &edges))
                return false;
    }
    return true;
}

/* The queues that build the packing; NULL: none, or no memory (worker->failed). */
static uint8_t *packing_queues(const Search *search, Worker *worker, const Packing *packing) {
    const Graph *part = &worker->part;
    if (!make_part(search, worker, packing)) {
        worker->failed = true;
        return NULL;
    }
    if (part->layers[part->pieces].count == 0)
        return NULL;
    const Queues *queues = search->queues;
    Walk *walk = walk_new(part, queues->length, search->hold, WALK_FEW_BYTES, 1, NULL);
    uint8_t *solved = memory_new(queues->count, 1, NULL);
    size_t count = walk && solved ? walk_range(walk, queues, 0, queues->count, 0, solved) : 0;
    worker->failed |= !walk || !solved;
    walk_free(walk);
    if (count > 0)
        return solved;
    free(solved);
    return NULL;
}

static void serve(void *context, size_t first, size_t last, unsigned number) {
    Search *search = context;
    for (size_t i = first; i < last; i++)
        search->results[i] =
            packing_queues(search, &search->workers[number], &search->packings[search->first + i]);
}

/* The places of packing number i. */
static void places_of(const Search *search, size_t i, Place places[AREA_MAX_PIECES]) {
    for (int k = 0; k < search->graph.pieces; k++)
        places[k] = search->places.list[search->packings[i].places[k]];
}

/* What an earlier search has decided. */
static bool recall_all(Search *search, Solutions *list, Status *status) {
    bool ok = true;
    for (; ok && search->first < search->count && decided_next(&list->decided); search->first++) {
        Place places[AREA_MAX_PIECES];
        places_of(search, search->first, places);
        ok = solutions_recall(list, places, search->graph.pieces, search->queues->count, status);
    }
    return ok;
}

static bool keep_result(Search *search, Solutions *list, size_t i, Status *status) {
    Place places[AREA_MAX_PIECES];
    places_of(search, search->first + i, places);
    bool ok = solutions_decide(list, places, search->graph.pieces, search->results[i],
                               search->queues->count, status);
    free(search->results[i]);
    search->results[i] = NULL;
    return ok;
}

static size_t round_size(const Search *search) {
    size_t few = ROUND_QUEUES / search->queues->count, least = 4 * search->threads;
    return few > ROUND ? ROUND : few < least ? least < ROUND ? least : ROUND : few;
}

static bool serve_all(Search *search, Solutions *list, Pool *pool, PathReport *report,
                      void *context, Status *status) {
    size_t round = round_size(search);
    bool ok = recall_all(search, list, status);
    while (ok && search->first < search->count && !search->stopped) {
        size_t left = search->count - search->first, count = left < round ? left : round;
        if (search->count > ROUND || round < ROUND)
            pool_run(pool, count, round < ROUND ? 1 : 8, serve, search);
        else
            serve(search, 0, count, 0);
        for (unsigned t = 0; t < search->threads; t++)
            ok = ok && (!search->workers[t].failed || status_no_memory(status));
        for (size_t i = 0; i < count; i++)
            if (ok)
                ok = keep_result(search, list, i, status);
            else
                free(search->results[i]);
        search->first += count;
        search->stopped = clears_cut(search->cut) && search->first < search->count;
        if (ok && report)
            report(context, search->first, search->count);
    }
    return ok;
}

/* ---- memory */

static bool make_workers(Search *search, Status *status) {
    search->workers = memory_new(search->threads, sizeof *search->workers, status);
    search->results = memory_new(ROUND, sizeof *search->results, status);
    if (!search->workers || !search->results)
        return false;
    for (unsigned t = 0; t < search->threads; t++)
        for (int k = 0; k <= search->graph.pieces; k++) {
            search->workers[t].local[k] =
                memory_new(search->graph.layers[k].count + 1, sizeof(uint32_t), status);
            if (!search->workers[t].local[k])
                return false;
        }
    return true;
}

static void release(Search *search) {
    for (unsigned t = 0; search->workers && t < search->threads; t++) {
        for (int k = 0; k <= AREA_MAX_PIECES; k++) {
            free(search->workers[t].local[k]);
            free(search->workers[t].nodes[k]);
        }
        search->workers[t].part.pieces = AREA_MAX_PIECES;
        graph_release(&search->workers[t].part);
    }
    free(search->workers);
    free(search->results);
    free(search->packings);
    free(search->orders);
    places_release(&search->places);
    graph_release(&search->graph);
    stock_release(&search->stock);
}

bool path_run(Solutions *list, const Area *area, const Queues *queues, bool hold, Pool *pool,
              ClearsCut cut, PathReport *report, void *context, bool *complete, Status *status) {
    Search search = {
        .area = area, .queues = queues, .hold = hold, .cut = cut, .threads = pool_threads(pool)};
    *complete = false;
    if (!stock_init(&search.stock, queues, area_pieces(area), hold, status))
        return false;
    bool ok = graph_build(&search.graph, area, &search.stock, pool, cut, status);
    if (!ok && status->code == STATUS_INTERRUPTED) {
        *status = (Status){.code = STATUS_OK};
        stock_release(&search.stock);
        return true;
    }
    ok = ok && collect_places(&search, status) && find_orders(&search, status);
    if (ok && search.graph.layers[0].count > 0)
        pack(&search, area->start, 0, 0, 0);
    if (ok && search.too_many)
        ok = status_fail(status, STATUS_INPUT, "patterns: more than %d packings; give fewer queues",
                         PATH_MAX_PACKINGS);
    ok = ok && (!search.failed || status_no_memory(status)) && make_workers(&search, status);
    ok = ok && serve_all(&search, list, pool, report, context, status);
    solutions_sort(list);
    *complete = ok && !search.stopped;
    release(&search);
    return ok;
}

bool path_serves(const Area *area, const Place *places, int count, bool last, const Queues *queues,
                 bool hold, uint8_t *solved, Status *status) {
    Graph graph;
    if (!graph_of_places(&graph, area, places, count, last, status))
        return false;
    Walk *walk = walk_new(&graph, queues->length, hold, WALK_FEW_BYTES, 1, status);
    if (walk)
        walk_range(walk, queues, 0, queues->count, 0, solved);
    walk_free(walk);
    graph_release(&graph);
    return walk != NULL;
}
