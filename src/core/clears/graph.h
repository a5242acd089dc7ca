/*
 * graph: all boards on the way from a start to a goal, and the placements between them.
 *
 * A node is a set of filled cells with the pieces that were placed; its layer is their number. An
 * edge is a reachable placement. Every node can be reached from the start and leads to the goal, so
 * a walk along the pieces of a queue never ends in a dead end except for want of pieces. Sets of
 * cells that cannot be filled exactly (clears/packing) never become nodes, which keeps the layers
 * small.
 */
#ifndef TETROPT_CLEARS_GRAPH_H
#define TETROPT_CLEARS_GRAPH_H

#include "base/pool.h"
#include "clears/packing.h"
#include "clears/stock.h"

/* The piece in the three highest bits, the number of the node in the next layer in the others. */
typedef uint32_t GraphEdge;

enum { GRAPH_NODE_BITS = 29, GRAPH_MAX_NODES = 1 << 26 };

static inline Piece edge_piece(GraphEdge edge) {
    return (Piece)(edge >> GRAPH_NODE_BITS);
}

static inline uint32_t edge_next(GraphEdge edge) {
    return edge & (((uint32_t)1 << GRAPH_NODE_BITS) - 1);
}

typedef struct GraphLayer {
    Cells *cells;
    uint32_t *sets;  /* which pieces were placed: number of the set in the stock */
    uint64_t *first; /* edges of node i: first[i]..first[i + 1] - 1, sorted by piece */
    GraphEdge *edges;
    size_t count;
} GraphLayer;

typedef struct Graph {
    GraphLayer layers[AREA_MAX_PIECES + 1];
    int pieces; /* the last layer is that of the goal: a node per set of pieces */
} Graph;

/* Asked now and then; true ends the work. */
typedef struct ClearsCut {
    bool (*asked)(void *context); /* NULL: never */
    void *context;
    /* Told how many boards with `placed` pieces were looked at; may be NULL. */
    void (*boards)(void *context, size_t done, size_t total, int placed);
} ClearsCut;

static inline bool clears_cut(ClearsCut cut) {
    return cut.asked && cut.asked(cut.context);
}

/* Builds the graph with `pieces` placements from the area's start to its full rows. False with
 * `status`: no memory, too many boards, or stopped (STATUS_INTERRUPTED). `pool` may be NULL. On
 * success the caller calls graph_release.
 */
bool graph_build(Graph *graph, const Area *area, const Stock *stock, Pool *pool, ClearsCut cut,
                 Status *status);

/* The graph in which exactly the given places are filled, in every order that the rules allow; full
 * rows are cleared on the way. With `last`, the last place is filled last, whatever the way to it.
 */
bool graph_of_places(Graph *graph, const Area *area, const Place *places, int count, bool last,
                     Status *status);
void graph_release(Graph *graph);

/* The nodes of all layers. */
size_t graph_nodes(const Graph *graph);

#endif
