/*
 * plan: the search of the header, read in this order: plan_step is the search itself, plan_moves
 * the answer, plan_advance keeps the search when the position changes. Each is numbered steps.
 *
 * Within a step expand_items and add_layers run on several threads.
 */
#include "player/bot/plan.h"

#include "base/check.h"
#include "base/memory.h"
#include "player/bot/expand.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAYERS = PLAN_DEPTH_MAX + 1,
    ITEMS_MAX = LAYERS * PLAN_WIDTH_MAX,
    LAYER_CAPACITY_MIN = 1024,
    CHECK_NODES = 2000 /* plans up to this size are checked after every step, in debug builds */
};

/* One node of a step and its children. */
typedef struct Item {
    int depth;
    int32_t index, weighed;
    int count; /* children, or placements evaluated while it was weighed */
    Child children[EXPAND_MAX];
} Item;

struct Plan {
    BotWeights weights;
    int width; /* nodes of a layer in one step: fewer plan better, more share better */
    Pool *pool;
    Position root;
    Layer layers[LAYERS];
    Layer *order[LAYERS]; /* by depth: placements rotate it */
    int depth_max;        /* placements that the queue allows, at most PLAN_DEPTH_MAX */
    uint64_t nodes, nodes_total;
    /* By depth: the nodes that are to be expanded again (look_again), from the first to the end. */
    int32_t again[LAYERS], again_end[LAYERS];
    int32_t *forward[2]; /* scratch of advance: where each node of a layer went */
    int64_t *best[2];    /* scratch of moves: the best end below each node */
    int item_count;
    Item items[ITEMS_MAX];
};

/* How many nodes a layer can have so that all layers together take about `bytes`. */
static int32_t capacity_for(size_t bytes) {
    /* A node, up to 4 places in the table for it, and the scratch of one layer. */
    size_t each = sizeof(Node) + 4 * sizeof(int32_t);
    size_t capacity = bytes / (LAYERS * each + 2 * sizeof(int32_t) + 2 * sizeof(int64_t));
    capacity = capacity < LAYER_CAPACITY_MIN ? LAYER_CAPACITY_MIN : capacity;
    return capacity > INT32_MAX / 4 ? INT32_MAX / 4 : (int32_t)capacity;
}

static bool allocate(Plan *plan, int32_t capacity) {
    bool ok = true;
    for (int i = 0; i < LAYERS; i++) {
        ok = ok && layer_init(&plan->layers[i], capacity);
        plan->order[i] = &plan->layers[i];
    }
    for (int i = 0; i < 2; i++) {
        plan->forward[i] = malloc((size_t)capacity * sizeof(int32_t));
        plan->best[i] = malloc((size_t)capacity * sizeof(int64_t));
        ok = ok && plan->forward[i] && plan->best[i];
    }
    return ok;
}

Plan *plan_new(const PlanSettings *settings, Status *status) {
    Plan *plan = memory_new(1, sizeof *plan, status);
    if (!plan)
        return NULL;
    plan->weights = settings->weights;
    plan->width = settings->width > 0 ? settings->width : PLAN_WIDTH;
    if (allocate(plan, capacity_for(settings->memory_bytes)))
        plan->pool = pool_new(settings->threads, status);
    else
        status_no_memory(status);
    if (!plan->pool) {
        plan_free(plan);
        return NULL;
    }
    Position empty;
    position_init(&empty);
    plan_reset(plan, &empty);
    return plan;
}

void plan_free(Plan *plan) {
    if (!plan)
        return;
    for (int i = 0; i < LAYERS; i++)
        layer_release(&plan->layers[i]);
    pool_free(plan->pool);
    for (int i = 0; i < 2; i++) {
        free(plan->forward[i]);
        free(plan->best[i]);
    }
    free(plan);
}

/* With an empty hold a line that uses it takes a piece more: all lines end with the shorter ones,
 * so that they can be compared. */
static int depth_of(const Position *position) {
    int depth = position->queue_count;
    if (position->hold == PIECE_NONE && !position->hold_off && depth > 1)
        depth--;
    return depth < PLAN_DEPTH_MAX ? depth : PLAN_DEPTH_MAX;
}

static void root_node(const Position *position, Node *node) {
    *node = (Node){.parent = LAYER_NONE,
                   .hold = position->hold,
                   .waiting = position->garbage.waiting,
                   .combo = position->chain.combo,
                   .back_to_back = position->chain.back_to_back};
    memcpy(node->column, position->columns.column, sizeof node->column);
}

static void set_root(Plan *plan, const Position *position) {
    memset(plan->again_end, 0, sizeof plan->again_end);
    plan->root = *position;
    plan->depth_max = depth_of(position);
    plan->nodes = 0;
}

void plan_reset(Plan *plan, const Position *position) {
    set_root(plan, position);
    for (int i = 0; i < LAYERS; i++)
        layer_clear(plan->order[i]);
    Node root;
    root_node(position, &root);
    layer_add(plan->order[0], &root, layer_hash(&root));
    CHECK_OK(plan_ok, plan);
}

/* The invariant after a step. Checking takes as long as the plan is large, so large plans are only
 * checked when the position changes. */
static void check_small(const Plan *plan) {
    if (plan->nodes < CHECK_NODES)
        CHECK_OK(plan_ok, plan);
}

/* --- Moving on. --- */

/* True when at least `wanted` nodes are in use. */
static bool has_nodes(const Layer *layer, int wanted) {
    for (int32_t i = 0; i < layer->count && wanted > 0; i++)
        wanted -= layer_in_use(&layer->nodes[i]);
    return wanted <= 0;
}

/* The same board, hold and chain; queues are compared apart. */
static bool same_position(const Position *a, const Position *b) {
    Node x, y;
    root_node(a, &x);
    root_node(b, &y);
    return layer_same(&x, &y);
}

/* The child of the root that is the new position, or LAYER_NONE. */
static int32_t find_child(const Plan *plan, const Position *position) {
    const Layer *layer = plan->order[1];
    Node wanted;
    root_node(position, &wanted);
    for (int32_t i = 0; i < layer->count; i++) {
        const Node *node = &layer->nodes[i];
        if (!layer_in_use(node))
            continue;
        wanted.taken = node->taken;
        if (layer_same(node, &wanted) &&
            plan->root.queue_count >= node->taken + position->queue_count &&
            memcmp(plan->root.queue + node->taken, position->queue,
                   (size_t)position->queue_count) == 0)
            return i;
    }
    return LAYER_NONE;
}

/* From layer `first` on, packs and keeps the nodes whose parent was kept: forward[0] says where the
 * `parents` nodes of the layer above went. They are counted from `origin` on. */
static void pack_below(Plan *plan, int first, int32_t parents, const Node *origin) {
    for (int d = first; d < LAYERS; d++) {
        Layer *layer = plan->order[d];
        int32_t count = layer->count, kept = 0;
        int32_t *forward = plan->forward[0], *next = plan->forward[1];
        for (int32_t i = 0; i < count; i++) {
            Node moved = layer->nodes[i];
            next[i] = LAYER_NONE;
            if (!layer_in_use(&moved) || moved.parent >= parents ||
                forward[moved.parent] == LAYER_NONE)
                continue;
            next[i] = kept;
            moved.parent = forward[moved.parent];
            moved.reward -= origin->reward;
            moved.value -= origin->reward;
            moved.weighed -= origin->reward;
            moved.taken = (uint16_t)(moved.taken - origin->taken);
            layer->nodes[kept++] = moved;
        }
        layer->count = kept;
        layer_rebuild(layer);
        plan->forward[0] = next;
        plan->forward[1] = forward;
        parents = count;
    }
}

/* Makes that child of the root the root. */
static void descend(Plan *plan, int32_t child) {
    /* 1. The layers move up by one; the old root's layer becomes the last. */
    Layer *old = plan->order[0];
    Node root = plan->order[1]->nodes[child];
    memmove(plan->order, plan->order + 1, PLAN_DEPTH_MAX * sizeof *plan->order);
    plan->order[PLAN_DEPTH_MAX] = old;
    layer_clear(old);

    /* 2. What descends from the child is kept, counted from it. */
    int32_t parents = plan->order[0]->count;
    for (int32_t i = 0; i < parents; i++)
        plan->forward[0][i] = i == child ? 0 : LAYER_NONE;
    pack_below(plan, 1, parents, &root);

    /* 3. Layer 0 is the new root only. */
    root.parent = LAYER_NONE;
    root.value -= root.reward;
    root.reward = 0;
    root.taken = 0;
    plan->order[0]->nodes[0] = root;
    plan->order[0]->count = 1;
    layer_rebuild(plan->order[0]);
}

/* Nodes that were weighed over the pieces that may come wait for the piece that has come. */
static void wake_weighed(Plan *plan) {
    for (int d = 0; d < LAYERS; d++) {
        Layer *layer = plan->order[d];
        bool woken = false;
        int32_t kept = 0;
        for (int32_t i = 0; i < layer->count; i++)
            woken |= layer->nodes[i].state == NODE_WEIGHED;
        if (!woken)
            continue;
        /* Below them there is nothing, so they can be packed. */
        for (int32_t i = 0; i < layer->count; i++) {
            Node *node = &layer->nodes[i];
            if (!layer_in_use(node))
                continue;
            if (node->state == NODE_WEIGHED)
                node->state = NODE_WAITING;
            layer->nodes[kept++] = *node;
        }
        layer->count = kept;
        layer_rebuild(layer);
    }
}

void plan_advance(Plan *plan, const Position *position) {
    /* 1. Is it the root with more pieces in the queue, or one of the root's children? */
    const Position *root = &plan->root;
    int count = root->queue_count;
    bool longer = same_position(root, position) && position->queue_count >= count &&
                  memcmp(root->queue, position->queue, (size_t)count) == 0;
    int32_t child = longer ? LAYER_NONE : find_child(plan, position);

    /* 2. If neither, nothing can be kept. Nor when the root had a single piece: that was searched
     * without hold, which a second piece makes possible. */
    bool first_hold = longer && root->hold == PIECE_NONE && count == 1;
    if ((!longer && child == LAYER_NONE) || first_hold) {
        plan_reset(plan, position);
        return;
    }

    /* 3. Keep what descends from the new root. */
    uint64_t nodes = plan->nodes;
    if (!longer)
        descend(plan, child);
    /* Its children may have been reached by better lines as well, and are gone with these. */
    if (plan->order[0]->nodes[0].state == NODE_GROWN && !has_nodes(plan->order[1], 1)) {
        plan_reset(plan, position);
        return;
    }

    /* 4. With more pieces known, the ends of the lines wait again. */
    bool deeper = depth_of(position) > plan->depth_max - !longer;
    set_root(plan, position);
    if (longer)
        plan->nodes = nodes;
    if (deeper)
        wake_weighed(plan);
    CHECK_OK(plan_ok, plan);
}

/* --- Searching. --- */

int plan_depth(const Plan *plan) {
    int depth = plan->depth_max;
    while (depth > 0 && !has_nodes(plan->order[depth], 1))
        depth--;
    return depth;
}

/* Ends of lines compare by their depth, then by whether they were weighed, then by value: one
 * number for all three. */
static int64_t end_of(const Node *node, int depth, int depth_max) {
    bool weighed = depth == depth_max && node->state == NODE_WEIGHED;
    int64_t rank = 2 * depth + weighed;
    return rank * ((int64_t)1 << 32) + (weighed ? node->weighed : node->value);
}

/* For each node of layer `top` the best end of a line below it; `depth` is the deepest layer. */
static const int64_t *best_ends(Plan *plan, int depth, int top) {
    int64_t *below = plan->best[0], *here = plan->best[1];
    for (int d = depth; d >= top; d--) {
        const Layer *layer = plan->order[d], *next = d < depth ? plan->order[d + 1] : NULL;
        for (int32_t i = 0; i < layer->count; i++)
            here[i] = end_of(&layer->nodes[i], d, plan->depth_max);
        for (int32_t i = 0; next && i < next->count; i++)
            if (layer_in_use(&next->nodes[i]) && below[i] > here[next->nodes[i].parent])
                here[next->nodes[i].parent] = below[i];
        int64_t *swap = below;
        below = here;
        here = swap;
    }
    return below;
}

/* Drops lines when there is no room for more: of the first layer with a choice the nodes with the
 * worse ends, and what descends from them. False when there is no choice left. */
static bool make_room(Plan *plan) {
    /* 1. The first layer with more than one node in use. */
    memset(plan->again_end, 0, sizeof plan->again_end);
    int depth = plan_depth(plan), top = 1;
    while (top <= depth && !has_nodes(plan->order[top], 2))
        top++;
    if (top > depth)
        return false;

    /* 2. Those with an end in the better half of the range stay. */
    Layer *layer = plan->order[top];
    const int64_t *ends = best_ends(plan, depth, top);
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int32_t i = 0; i < layer->count; i++)
        if (layer_in_use(&layer->nodes[i])) {
            low = ends[i] < low ? ends[i] : low;
            high = ends[i] > high ? ends[i] : high;
        }
    int64_t least = low + (high - low) / 2 + 1; /* equal ends: the first of them stays */

    /* 3. Pack the layer, then those below. */
    int32_t count = layer->count, kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool keep =
            layer_in_use(&layer->nodes[i]) && (ends[i] >= least || (low == high && kept == 0));
        plan->forward[0][i] = keep ? kept : LAYER_NONE;
        if (keep)
            layer->nodes[kept++] = layer->nodes[i];
    }
    layer->count = kept;
    layer_rebuild(layer);
    pack_below(plan, top + 1, count, &(Node){0});
    CHECK_OK(plan_ok, plan);
    return true;
}

static void expand_items(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    Plan *plan = context;
    for (size_t i = first; i < last; i++) {
        Item *item = &plan->items[i];
        const Node *node = &plan->order[item->depth]->nodes[item->index];
        item->count = 0;
        if (item->depth < plan->depth_max)
            item->count = expand_node(&plan->weights, &plan->root, node, item->children);
        else
            item->weighed =
                expand_weigh(&plan->weights, &plan->root, node, item->children, &item->count);
    }
}

/* Adds the children of an item to the next layer, in their order. */
static void add_children(Plan *plan, const Item *item) {
    enum { GROUP = 16 }; /* nodes whose places in memory are fetched side by side */
    const Node *parent = &plan->order[item->depth]->nodes[item->index];
    Layer *next = plan->order[item->depth + 1];
    Node nodes[GROUP];
    uint64_t hashes[GROUP];
    for (int k = 0; k < item->count;) {
        int count = 0;
        for (; k < item->count && count < GROUP; k++) {
            if (!layer_wants(next, item->children[k].value))
                continue;
            Node *node = &nodes[count];
            expand_make(parent, &item->children[k], node);
            node->parent = item->index;
            hashes[count] = layer_hash(node);
            layer_prefetch(next, hashes[count++]);
        }
        for (int i = 0; i < count; i++)
            layer_prefetch_node(next, hashes[i]);
        for (int i = 0; i < count; i++)
            if (layer_wants(next, nodes[i].value)) /* adding may raise what it wants */
                layer_add(next, &nodes[i], hashes[i]);
    }
}

/* Adds the children of the items of some depths: each layer by one thread. */
static void add_layers(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    Plan *plan = context;
    for (int i = 0; i < plan->item_count; i++) {
        size_t depth = (size_t)plan->items[i].depth;
        if (depth >= first && depth < last)
            add_children(plan, &plan->items[i]);
    }
}

/* When nothing waits although layers have dropped nodes: they accept them again, and the layers
 * above expand their nodes once more to find them. False when no layer has dropped any. */
static bool look_again(Plan *plan) {
    bool any = false;
    for (int depth = 0; depth < plan->depth_max; depth++) {
        Layer *next = plan->order[depth + 1];
        if (next->floor == 0 || next->full)
            continue;
        next->floor = 0;
        plan->again[depth] = 0;
        plan->again_end[depth] = plan->order[depth]->count;
        any = true;
    }
    return any;
}

/* The next node to expand, or LAYER_NONE. */
static int32_t take_node(Plan *plan, int depth) {
    Layer *layer = plan->order[depth];
    int32_t index = layer_take(layer);
    while (index == LAYER_NONE && plan->again[depth] < plan->again_end[depth]) {
        int32_t next = plan->again[depth]++;
        index = layer->nodes[next].state == NODE_GROWN ? next : LAYER_NONE;
    }
    return index;
}

/* Takes the best waiting nodes of every layer, unless the next layer is full. Where the queue ends
 * there is no next layer, and a node costs more. True when some layer is full. */
static bool take_items(Plan *plan) {
    bool full = false;
    plan->item_count = 0;
    for (int depth = 0; depth <= plan->depth_max && plan->depth_max > 0; depth++) {
        bool last = depth == plan->depth_max;
        if (!last && plan->order[depth + 1]->full) {
            full = true;
            continue;
        }
        /* To weigh a node costs as much as to expand several. */
        for (int i = 0; i < (last ? (plan->width + 1) / 2 : plan->width); i++) {
            int32_t index = take_node(plan, depth);
            if (index == LAYER_NONE)
                break;
            Item *item = &plan->items[plan->item_count++];
            item->depth = depth;
            item->index = index;
        }
    }
    return full;
}

bool plan_step(Plan *plan) {
    /* 1. Take the best waiting nodes. When there are none, memory may be the reason. */
    for (;;) {
        bool full = take_items(plan);
        if (plan->item_count > 0)
            break;
        if (!look_again(plan) && !(full && make_room(plan)))
            return false;
    }

    /* 2. Expand them side by side: each thread writes to its own items only. */
    pool_run(plan->pool, (size_t)plan->item_count, 1, expand_items, plan);

    /* 3. Children go into the next layer, layers side by side, each in the order of the items, so
     * that threads do not matter. */
    pool_run(plan->pool, (size_t)plan->depth_max, 1, add_layers, plan);

    /* 4. At the end of the queue the expected value goes into the node itself. */
    for (int i = 0; i < plan->item_count; i++) {
        const Item *item = &plan->items[i];
        Node *node = &plan->order[item->depth]->nodes[item->index];
        plan->nodes += (uint64_t)item->count;
        plan->nodes_total += (uint64_t)item->count;
        if (item->depth == plan->depth_max) {
            node->state = NODE_WEIGHED;
            node->weighed = item->weighed;
        }
    }
    check_small(plan);
    return plan->item_count > 0;
}

/* --- Answering. --- */

uint64_t plan_nodes(const Plan *plan) {
    return plan->nodes;
}

uint64_t plan_nodes_total(const Plan *plan) {
    return plan->nodes_total;
}

typedef struct Ranked {
    int64_t end;
    int32_t node;
} Ranked;

static int by_end(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->end != y->end)
        return x->end < y->end ? 1 : -1;
    return x->node < y->node ? -1 : 1;
}

int plan_moves(Plan *plan, Placement moves[PLAN_MOVES_MAX]) {
    enum { RANKED_MAX = 2 * EXPAND_MAX };
    Ranked ranked[RANKED_MAX];
    int count = 0, depth = plan_depth(plan);
    if (depth == 0)
        return 0;
    const Layer *first = plan->order[1];
    const int64_t *ends = best_ends(plan, depth, 1);
    for (int32_t i = 0; i < first->count && count < RANKED_MAX; i++)
        if (layer_in_use(&first->nodes[i]))
            ranked[count++] = (Ranked){ends[i], i};
    qsort(ranked, (size_t)count, sizeof *ranked, by_end);
    count = count < PLAN_MOVES_MAX ? count : PLAN_MOVES_MAX;
    for (int i = 0; i < count; i++)
        moves[i] = first->nodes[ranked[i].node].move;
    return count;
}

bool plan_ok(const Plan *plan, const char **reason) {
    for (int d = 0; d < LAYERS; d++) {
        if (!layer_ok(plan->order[d], reason))
            return false;
        for (int32_t i = 0; i < plan->order[d]->count; i++) {
            const Node *node = &plan->order[d]->nodes[i];
            if (!layer_in_use(node))
                continue;
            *reason = "a node has no parent";
            if (d == 0 ? node->parent != LAYER_NONE
                       : node->parent < 0 || node->parent >= plan->order[d - 1]->count ||
                             plan->order[d - 1]->nodes[node->parent].state != NODE_GROWN)
                return false;
        }
    }
    *reason = NULL;
    return true;
}
