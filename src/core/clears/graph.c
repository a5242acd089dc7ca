/*
 * graph: layer after layer from the start, then back from the goal to drop what does not lead to
 * it.
 */
#include "clears/graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Table { /* from (cells, set) to the number of a node; 0 is free, else number + 1 */
    uint32_t *slots;
    size_t size, used;
} Table;

/* A board that follows another one. */
typedef struct Successor {
    Cells after;
    uint32_t set;
    uint8_t piece;
} Successor;

enum {
    CHUNK_NODES = 16,
    ROUND_CHUNKS = 64,
    SHARED_NODES = 512 /* fewer are done before a thread has started */
};

/* The successors of some nodes, which one thread finds. */
typedef struct Chunk {
    Successor *list;
    size_t count, capacity;
    size_t ends[CHUNK_NODES]; /* of every node in the list */
    bool failed;              /* memory */
} Chunk;

typedef struct Expander { /* of one thread */
    PackMemo *memo;
} Expander;

typedef struct Builder {
    const Area *area;
    const Stock *stock;
    Places places;
    Pool *pool; /* NULL: one thread */
    Expander *expanders;
    Chunk chunks[ROUND_CHUNKS];
    const GraphLayer *layer; /* that is being expanded */
    size_t round_first;
    const Place *only; /* graph_of_places: no other ones; NULL: any */
    int only_count;
    unsigned pieces; /* of them, as bits */
    Table table;
    size_t cell_capacity, set_capacity, first_capacity, edge_capacity;
} Builder;

static size_t mix(Cells cells, uint32_t set) {
    uint64_t key = (cells + set) * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
    return (size_t)(key ^ key >> 32);
}

static size_t table_find(const Table *table, const GraphLayer *layer, Cells cells, uint32_t set) {
    size_t slot = mix(cells, set) & (table->size - 1);
    while (table->slots[slot]) {
        uint32_t node = table->slots[slot] - 1;
        if (layer->cells[node] == cells && layer->sets[node] == set)
            break;
        slot = (slot + 1) & (table->size - 1);
    }
    return slot;
}

static bool table_enlarge(Table *table, const GraphLayer *layer) {
    Table larger = {.size = table->size ? 2 * table->size : 1024, .used = table->used};
    larger.slots = memory_new(larger.size, sizeof *larger.slots, NULL);
    if (!larger.slots)
        return false;
    for (uint32_t i = 0; i < table->used; i++)
        larger.slots[table_find(&larger, layer, layer->cells[i], layer->sets[i])] = i + 1;
    free(table->slots);
    *table = larger;
    return true;
}

/* The number of a node in a layer, which is new or was there; -1: no memory. */
static int64_t node_of(Builder *builder, GraphLayer *layer, Cells cells, uint32_t set) {
    Table *table = &builder->table;
    if (table->used >= table->size / 2 && !table_enlarge(table, layer))
        return -1;
    size_t slot = table_find(table, layer, cells, set);
    if (table->slots[slot])
        return table->slots[slot] - 1;
    if (layer->count >= GRAPH_MAX_NODES ||
        !MEMORY_HAS_PLACE(layer->cells, layer->count, builder->cell_capacity) ||
        !MEMORY_HAS_PLACE(layer->sets, layer->count, builder->set_capacity))
        return -1;
    layer->cells[layer->count] = cells;
    layer->sets[layer->count] = set;
    table->slots[slot] = (uint32_t)++layer->count;
    table->used++;
    return (int64_t)layer->count - 1;
}

/* Whether a node that has just been filled by `piece` can still lead to the goal. */
static bool accepted(const Builder *builder, Expander *expander, Piece piece, Cells added,
                     Cells after, uint32_t set) {
    if (!builder->only)
        return packable(expander->memo, &builder->places, builder->stock, builder->area->full,
                        after, set);
    for (int i = 0; i < builder->only_count; i++)
        if (builder->only[i].cells == added && builder->only[i].piece == piece)
            return true;
    return false;
}

/* Lists the successors of node `i` of layer `depth`. */
static bool expand(const Builder *builder, Expander *expander, const GraphLayer *layer, size_t i,
                   Chunk *chunk) {
    const Stock *stock = builder->stock;
    uint32_t set = layer->sets[i];
    Cells filled = layer->cells[i];
    Landing landings[LANDINGS_MAX];
    for (int p = 0; p < PIECE_COUNT; p++) {
        int32_t next = stock ? stock->next[set][p] : (int32_t)(builder->pieces >> p & 1) - 1;
        if (next < 0 || (stock && !stock->placed[next]))
            continue;
        int count = area_landings(builder->area, filled, (Piece)p, landings);
        for (int k = 0; k < count; k++) {
            Cells after = filled | landings[k].cells;
            if (!accepted(builder, expander, (Piece)p, landings[k].cells, after, (uint32_t)next))
                continue;
            if (!MEMORY_HAS_PLACE(chunk->list, chunk->count, chunk->capacity))
                return false;
            chunk->list[chunk->count++] = (Successor){after, (uint32_t)next, (uint8_t)p};
        }
    }
    return true;
}

/* Fills the chunks first..last-1 of a round. */
static void expand_chunks(void *context, size_t first, size_t last, unsigned worker) {
    Builder *builder = context;
    const GraphLayer *layer = builder->layer;
    for (size_t c = first; c < last; c++) {
        Chunk *chunk = &builder->chunks[c];
        chunk->count = 0;
        for (size_t n = 0; n < CHUNK_NODES; n++) {
            size_t i = builder->round_first + c * CHUNK_NODES + n;
            if (i < layer->count && !expand(builder, &builder->expanders[worker], layer, i, chunk))
                chunk->failed = true;
            chunk->ends[n] = chunk->count;
        }
    }
}

/* Adds the successors of a round to the graph, in the order of their nodes. */
static bool insert(Builder *builder, GraphLayer *layer, uint64_t *edges) {
    for (size_t c = 0; c < ROUND_CHUNKS; c++) {
        const Chunk *chunk = &builder->chunks[c];
        size_t k = 0;
        if (chunk->failed)
            return false;
        for (size_t n = 0; n < CHUNK_NODES; n++) {
            size_t i = builder->round_first + c * CHUNK_NODES + n;
            if (i >= layer->count)
                return true;
            for (; k < chunk->ends[n]; k++) {
                const Successor *to = &chunk->list[k];
                int64_t node = node_of(builder, layer + 1, to->after, to->set);
                if (node < 0 || !MEMORY_HAS_PLACE(layer->edges, *edges, builder->edge_capacity))
                    return false;
                layer->edges[(*edges)++] = (uint32_t)to->piece << GRAPH_NODE_BITS | (uint32_t)node;
            }
            layer->first[i + 1] = *edges;
        }
    }
    return true;
}

static bool build_layer(Builder *builder, Graph *graph, int depth, ClearsCut cut, Status *status) {
    GraphLayer *layer = &graph->layers[depth];
    uint64_t edges = 0;
    free(builder->table.slots);
    builder->table = (Table){0};
    builder->layer = layer;
    builder->cell_capacity = builder->set_capacity = builder->edge_capacity = 0;
    layer->first = memory_new(layer->count + 1, sizeof *layer->first, status);
    if (!layer->first)
        return false;
    for (builder->round_first = 0; builder->round_first < layer->count;
         builder->round_first += CHUNK_NODES * ROUND_CHUNKS) {
        size_t left = layer->count - builder->round_first;
        size_t chunks = (left + CHUNK_NODES - 1) / CHUNK_NODES;
        chunks = chunks < ROUND_CHUNKS ? chunks : ROUND_CHUNKS;
        if (clears_cut(cut))
            return status_fail(status, STATUS_INTERRUPTED, "stopped");
        if (cut.boards)
            cut.boards(cut.context, builder->round_first, layer->count, depth);
        if (builder->pool && left >= SHARED_NODES)
            pool_run(builder->pool, chunks, 1, expand_chunks, builder);
        else
            expand_chunks(builder, 0, chunks, 0);
        if (!insert(builder, layer, &edges))
            return layer[1].count < GRAPH_MAX_NODES
                       ? status_no_memory(status)
                       : status_fail(status, STATUS_INPUT,
                                     "patterns: more than %d boards of %d pieces; give fewer "
                                     "queues or lines",
                                     GRAPH_MAX_NODES, depth + 1);
    }
    return true;
}

/* Drops the nodes of a layer that have no edges left, after those of the layer above: `kept` maps
 * the nodes above to their new numbers, UINT32_MAX: dropped; it is replaced by the map of this
 * layer. */
static bool prune(GraphLayer *layer, uint32_t **kept, Status *status) {
    uint32_t *map = memory_new(layer->count + 1, sizeof *map, status);
    if (!map)
        return false;
    size_t nodes = 0;
    uint64_t edges = 0;
    for (size_t i = 0; i < layer->count; i++) {
        uint64_t begin = edges;
        for (uint64_t e = layer->first[i]; e < layer->first[i + 1]; e++) {
            uint32_t next = (*kept)[edge_next(layer->edges[e])];
            if (next != UINT32_MAX)
                layer->edges[edges++] =
                    (uint32_t)edge_piece(layer->edges[e]) << GRAPH_NODE_BITS | next;
        }
        map[i] = edges > begin ? (uint32_t)nodes : UINT32_MAX;
        if (edges == begin)
            continue;
        layer->cells[nodes] = layer->cells[i];
        layer->sets[nodes] = layer->sets[i];
        layer->first[nodes++] = begin; /* nodes <= i: what is overwritten was read */
    }
    /* first[i + 1] of the loop must not be overwritten early: nodes++ <= i. */
    layer->first[nodes] = edges;
    layer->count = nodes;
    free(*kept);
    *kept = map;
    return true;
}

static bool prune_all(Graph *graph, Status *status) {
    GraphLayer *last = &graph->layers[graph->pieces];
    uint32_t *kept = memory_new(last->count + 1, sizeof *kept, status);
    if (!kept)
        return false;
    for (size_t i = 0; i < last->count; i++)
        kept[i] = (uint32_t)i;
    bool ok = true;
    for (int k = graph->pieces - 1; ok && k >= 0; k--)
        ok = prune(&graph->layers[k], &kept, status);
    free(kept);
    return ok;
}

/* Builds every layer from the start; `any`: there is a way to the goal. Frees what only building
 * needs. */
static bool build_layers(Builder *builder, Graph *graph, bool any, ClearsCut cut, Status *status) {
    bool ok = !any || node_of(builder, &graph->layers[0], builder->area->start, 0) >= 0 ||
              status_no_memory(status);
    for (int k = 0; ok && k < graph->pieces; k++)
        ok = build_layer(builder, graph, k, cut, status);
    free(builder->table.slots);
    for (int c = 0; c < ROUND_CHUNKS; c++)
        free(builder->chunks[c].list);
    return ok && prune_all(graph, status);
}

bool graph_build(Graph *graph, const Area *area, const Stock *stock, Pool *pool, ClearsCut cut,
                 Status *status) {
    unsigned threads = pool ? pool_threads(pool) : 1;
    Builder builder = {.area = area,
                       .stock = stock,
                       .pool = threads > 1 ? pool : NULL,
                       .expanders = memory_new(threads, sizeof *builder.expanders, status)};
    *graph = (Graph){.pieces = stock->pieces};
    bool ok = builder.expanders && places_init(&builder.places, area, status);
    for (unsigned t = 0; ok && t < threads; t++)
        ok = (builder.expanders[t].memo = pack_memo_new(status)) != NULL;
    bool any =
        ok && stock->count > 0 &&
        packable(builder.expanders[0].memo, &builder.places, stock, area->full, area->start, 0);
    ok = ok && build_layers(&builder, graph, any, cut, status);
    places_release(&builder.places);
    for (unsigned t = 0; builder.expanders && t < threads; t++)
        pack_memo_free(builder.expanders[t].memo);
    free(builder.expanders);
    if (!ok)
        graph_release(graph);
    return ok;
}

/* Adds one layer: the place after all others. */
static bool append(Graph *graph, const Place *place, Status *status) {
    GraphLayer *layer = &graph->layers[graph->pieces], *above = layer + 1;
    free(layer->first);
    layer->first = memory_new(layer->count + 1, sizeof *layer->first, status);
    layer->edges = memory_new(1, sizeof *layer->edges, status);
    above->cells = memory_new(1, sizeof *above->cells, status);
    if (!layer->first || !layer->edges || !above->cells)
        return false;
    if (layer->count > 0) {
        layer->first[1] = 1;
        layer->edges[0] = (uint32_t)place->piece << GRAPH_NODE_BITS;
        above->cells[0] = layer->cells[0] | place->cells;
        above->count = 1;
    }
    return true;
}

bool graph_of_places(Graph *graph, const Area *area, const Place *places, int count, bool last,
                     Status *status) {
    int any_order = last ? count - 1 : count;
    Expander expander = {NULL};
    Builder builder = {
        .area = area, .only = places, .only_count = any_order, .expanders = &expander};
    *graph = (Graph){.pieces = any_order};
    for (int i = 0; i < any_order; i++)
        builder.pieces |= 1u << places[i].piece;
    bool ok = build_layers(&builder, graph, true, (ClearsCut){0}, status) &&
              (!last || append(graph, &places[count - 1], status));
    graph->pieces = count;
    if (!ok)
        graph_release(graph);
    return ok;
}

void graph_release(Graph *graph) {
    for (int k = 0; k <= graph->pieces; k++) {
        GraphLayer *layer = &graph->layers[k];
        free(layer->cells);
        free(layer->sets);
        free(layer->first);
        free(layer->edges);
    }
    *graph = (Graph){0};
}

size_t graph_nodes(const Graph *graph) {
    size_t count = 0;
    for (int k = 0; k <= graph->pieces; k++)
        count += graph->layers[k].count;
    return count;
}
