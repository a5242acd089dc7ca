/*
 * layer: the positions after the same number of placements, each once, the best waiting first.
 *
 * Invariant: a node that waits is in the bucket of its value; a table finds every node that is in
 * use by its board. Memory is fixed when the layer is made. When too many nodes wait, the worst of
 * them are dropped and `floor` rises: nodes of a lower value are no longer accepted.
 *
 * Buckets rather than a heap: adding and taking are a few loads, and letting the worst half go is a
 * walk from the other end.
 */
#ifndef TETROPT_PLAYER_BOT_LAYER_H
#define TETROPT_PLAYER_BOT_LAYER_H

#include "player/bot/evaluate.h"

enum {
    LAYER_BUCKETS = 4096,
    LAYER_BUCKET_SHIFT = 3, /* values that differ by less than 8 share a bucket */
    LAYER_ZERO =
        LAYER_BUCKETS * 5 / 8, /* the bucket of the value 0: more boards are bad than good */
    LAYER_NONE = -1
};

typedef enum NodeState {
    NODE_FREE,
    NODE_WAITING,
    NODE_STALE,  /* waits, but a better way to the same board was found */
    NODE_GROWN,  /* its children were made */
    NODE_WEIGHED /* the queue ends here; `weighed` is its expected value over what may come */
} NodeState;

typedef struct Node {
    uint64_t column[BOT_COLUMNS];
    int32_t parent; /* in the layer before */
    int32_t link;   /* the next of the same bucket, or the next free one */
    int32_t reward; /* of all placements since the root */
    int32_t value;  /* reward and value of the board */
    int32_t weighed;
    Placement move; /* the last one */
    uint8_t hold, combo, back_to_back, state;
    uint8_t waiting; /* rows of garbage */
    uint8_t lift;    /* rows of it that came up since the root; `column` does not hold them */
    uint16_t taken;  /* pieces of the queue used since the root */
} Node;

typedef struct Layer {
    Node *nodes;
    /* Open addressing, LAYER_NONE where there is nothing; at most half full. The bits of an entry
       in index_mask are the number of a node, those above belong to its hash. */
    int32_t *table;
    int32_t index_mask;
    int32_t table_size, table_size_max, table_count; /* only as much of it as is needed is in use */
    int32_t count, capacity, free_list;
    int32_t waiting, waiting_max;
    int32_t best; /* no node waits in a bucket above */
    int32_t floor;
    bool full; /* something had to be left out for want of room */
    int32_t buckets[LAYER_BUCKETS];
} Layer;

/* Room for `capacity` nodes; false when there is no memory. To be released in any case. */
bool layer_init(Layer *layer, int32_t capacity);
void layer_release(Layer *layer);

/* No nodes. */
void layer_clear(Layer *layer);

/* True when a place of `nodes` holds a position, and one that nothing better has replaced. */
static inline bool layer_in_use(const Node *node) {
    return node->state != NODE_FREE && node->state != NODE_STALE;
}

static inline int layer_bucket(int32_t value) {
    int bucket = (value >> LAYER_BUCKET_SHIFT) + LAYER_ZERO;
    return bucket < 0 ? 0 : bucket >= LAYER_BUCKETS ? LAYER_BUCKETS - 1 : bucket;
}

/* True when a node of that value may be taken in. */
static inline bool layer_wants(const Layer *layer, int32_t value) {
    return layer_bucket(value) >= layer->floor;
}

/* A number for the position, to find it by. */
uint64_t layer_hash(const Node *node);

/* Takes a copy of the node in, as one that waits, unless the same position is there with at least
 * that reward. Whoever adds many calls layer_prefetch some nodes before, then layer_prefetch_node:
 * waiting for memory was half of the time of the search. */
void layer_add(Layer *layer, const Node *node, uint64_t hash);
void layer_prefetch(const Layer *layer, uint64_t hash);
void layer_prefetch_node(const Layer *layer, uint64_t hash);

/* The best node that waits, or LAYER_NONE; it waits no longer and counts as NODE_GROWN. */
int32_t layer_take(Layer *layer);

/* After nodes, their states and `count` were changed from outside: packed from 0, none free. Finds
 * all else anew. */
void layer_rebuild(Layer *layer);

/* True when both are the same position; how they were reached does not matter. */
bool layer_same(const Node *a, const Node *b);

/* For tests: the invariant. */
bool layer_ok(const Layer *layer, const char **reason);

#endif
