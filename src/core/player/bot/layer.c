/* layer: nodes in one array, found by a hash table, waiting in buckets that are linked lists. */
#include "player/bot/layer.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE_MIN = 1024 };

bool layer_init(Layer *layer, int32_t capacity) {
    int32_t table = TABLE_SIZE_MIN;
    while (table < 2 * capacity)
        table *= 2;
    int32_t mask = 1;
    while (mask < capacity)
        mask = 2 * mask + 1;
    *layer = (Layer){.capacity = capacity,
                     .index_mask = mask,
                     .table_size_max = table,
                     .waiting_max = capacity / 4 > 0 ? capacity / 4 : 1};
    layer->nodes = malloc((size_t)capacity * sizeof *layer->nodes);
    layer->table = malloc((size_t)table * sizeof *layer->table);
    if (!layer->nodes || !layer->table)
        return false;
    layer_clear(layer);
    return true;
}

void layer_release(Layer *layer) {
    free(layer->nodes);
    free(layer->table);
    *layer = (Layer){0};
}

void layer_clear(Layer *layer) {
    layer->count = 0;
    layer_rebuild(layer);
}

bool layer_same(const Node *a, const Node *b) {
    uint64_t differ = 0;
    for (int x = 0; x < BOT_COLUMNS; x++)
        differ |= a->column[x] ^ b->column[x];
    return differ == 0 && a->hold == b->hold && a->taken == b->taken && a->combo == b->combo &&
           a->back_to_back == b->back_to_back && a->waiting == b->waiting && a->lift == b->lift;
}

uint64_t layer_hash(const Node *node) {
    /* Random odd numbers. The products do not wait for each other. */
    static const uint64_t factors[BOT_COLUMNS] = {
        0xf238f89b35daa571, 0xa2ac77fd36c68c2b, 0xdb5be285678f1f9d, 0x565b8fb4ee302ee3,
        0xa5a7d0e28115dd9b, 0x931f33f5525bb613, 0x81849382035e26fb, 0xb006c93f30575f95,
        0xc296ab1301adfa29, 0x8080af8d857a05c5};
    uint64_t sum =
        ((uint64_t)node->hold | (uint64_t)node->combo << 8 | (uint64_t)node->back_to_back << 16 |
         (uint64_t)node->taken << 24 | (uint64_t)node->waiting << 40 | (uint64_t)node->lift << 48) *
        0x9e3779b97f4a7c15u;
    for (int x = 0; x < BOT_COLUMNS; x++)
        sum += node->column[x] * factors[x];
    sum = (sum ^ sum >> 32) * 0xd6e8feb86659fd93u;
    return sum ^ sum >> 32;
}

/* The bits of an entry of the table above the number of the node: most entries of other positions
 * differ there, so their nodes, which are not in the cache, are not read. */
static int32_t tag_of(const Layer *layer, uint64_t hash) {
    return (int32_t)(hash >> 32) & INT32_MAX & ~layer->index_mask;
}

/* The place of a hash in the table. */
static int32_t place_of(const Layer *layer, uint64_t hash) {
    return (int32_t)((uint32_t)hash & ((uint32_t)layer->table_size - 1));
}

void layer_prefetch(const Layer *layer, uint64_t hash) {
    __builtin_prefetch(&layer->table[place_of(layer, hash)]);
}

void layer_prefetch_node(const Layer *layer, uint64_t hash) {
    int32_t entry = layer->table[place_of(layer, hash)];
    if (entry == LAYER_NONE || (entry & ~layer->index_mask) != tag_of(layer, hash))
        return;
    const char *node = (const char *)&layer->nodes[entry & layer->index_mask];
    __builtin_prefetch(node);
    __builtin_prefetch(node + 64);
}

/* Where the position stands in the table, or the empty place where it would. */
static int32_t *find(Layer *layer, const Node *node, uint64_t hash) {
    int32_t at = place_of(layer, hash), tag = tag_of(layer, hash);
    for (;; at = (at + 1) & (layer->table_size - 1)) {
        int32_t entry = layer->table[at];
        if (entry == LAYER_NONE)
            break;
        if ((entry & ~layer->index_mask) == tag &&
            layer_same(&layer->nodes[entry & layer->index_mask], node))
            break;
    }
    return &layer->table[at];
}

/* Puts the node into the bucket of its value. */
static void let_wait(Layer *layer, int32_t index) {
    Node *node = &layer->nodes[index];
    int bucket = layer_bucket(node->value);
    node->state = NODE_WAITING;
    node->link = layer->buckets[bucket];
    layer->buckets[bucket] = index;
    layer->waiting++;
    layer->best = bucket > layer->best ? bucket : layer->best;
}

/* Frees the place of a node that is in no bucket any more. */
static void let_go(Layer *layer, int32_t index) {
    layer->nodes[index].state = NODE_FREE;
    layer->nodes[index].link = layer->free_list;
    layer->free_list = index;
}

/* The table from the nodes alone, with room for twice as many. */
static void rebuild_table(Layer *layer) {
    int32_t size = TABLE_SIZE_MIN;
    while (size < layer->table_size_max && size / 8 < layer->count)
        size *= 2;
    layer->table_size = size;
    layer->table_count = 0;
    memset(layer->table, 0xff, (size_t)size * sizeof *layer->table);
    for (int32_t i = 0; i < layer->count; i++) {
        if (!layer_in_use(&layer->nodes[i]))
            continue;
        uint64_t hash = layer_hash(&layer->nodes[i]);
        int32_t *place = find(layer, &layer->nodes[i], hash);
        layer->table_count += *place == LAYER_NONE;
        if (*place == LAYER_NONE ||
            layer->nodes[*place & layer->index_mask].reward < layer->nodes[i].reward)
            *place = i | tag_of(layer, hash);
    }
}

/* Lets the worst half of those that wait go; false where they all are in the best bucket, and stay.
 */
static bool thin(Layer *layer) {
    int32_t target = layer->waiting_max / 2, before = layer->waiting;
    while (layer->best > layer->floor && layer->buckets[layer->best] == LAYER_NONE)
        layer->best--;
    while (layer->waiting > target && layer->floor < layer->best) {
        int32_t index = layer->buckets[layer->floor];
        while (index != LAYER_NONE) {
            int32_t next = layer->nodes[index].link;
            let_go(layer, index);
            layer->waiting--;
            index = next;
        }
        layer->buckets[layer->floor++] = LAYER_NONE;
    }
    return layer->waiting < before;
}

/* A place for one more node, or LAYER_NONE and the layer is full. */
static int32_t find_room(Layer *layer) {
    int32_t index = layer->free_list;
    if (index != LAYER_NONE) {
        layer->free_list = layer->nodes[index].link;
        return index;
    }
    if (layer->count < layer->capacity)
        return layer->count++;
    layer->full = true;
    return LAYER_NONE;
}

void layer_add(Layer *layer, const Node *node, uint64_t hash) {
    int32_t *place = find(layer, node, hash);
    Node *other = *place == LAYER_NONE ? NULL : &layer->nodes[*place & layer->index_mask];
    if (other && other->reward >= node->reward)
        return;
    int32_t index = find_room(layer);
    if (index == LAYER_NONE)
        return;
    if (other && other->state == NODE_WAITING)
        other->state = NODE_STALE;
    layer->table_count += !other;
    *place = index | tag_of(layer, hash);
    layer->nodes[index] = *node;
    let_wait(layer, index);
    bool thinned = layer->waiting > layer->waiting_max && thin(layer);
    if (thinned || layer->table_count > layer->table_size / 2)
        rebuild_table(layer);
}

int32_t layer_take(Layer *layer) {
    while (layer->waiting > 0) {
        int32_t index = layer->buckets[layer->best];
        if (index == LAYER_NONE) {
            layer->best--;
            continue;
        }
        layer->buckets[layer->best] = layer->nodes[index].link;
        layer->waiting--;
        if (layer->nodes[index].state == NODE_WAITING) {
            layer->nodes[index].state = NODE_GROWN;
            return index;
        }
        let_go(layer, index);
    }
    layer->best = 0;
    return LAYER_NONE;
}

void layer_rebuild(Layer *layer) {
    memset(layer->buckets, 0xff, sizeof layer->buckets);
    layer->free_list = LAYER_NONE;
    layer->waiting = layer->best = layer->floor = 0;
    layer->full = false;
    /* From the last, so that of equal ones the first is taken first. */
    for (int32_t i = layer->count; i-- > 0;)
        if (layer->nodes[i].state == NODE_WAITING)
            let_wait(layer, i);
    rebuild_table(layer);
}

static int32_t count_waiting(const Layer *layer, const char **reason) {
    int32_t count = 0;
    for (int bucket = 0; bucket < LAYER_BUCKETS; bucket++)
        for (int32_t i = layer->buckets[bucket]; i != LAYER_NONE; i = layer->nodes[i].link) {
            const Node *node = &layer->nodes[i];
            if (node->state != NODE_WAITING && node->state != NODE_STALE)
                *reason = "a node in a bucket does not wait";
            if (layer_bucket(node->value) != bucket)
                *reason = "a node is in the wrong bucket";
            if (bucket > layer->best)
                *reason = "a node waits above the best bucket";
            if (++count > layer->count)
                return count;
        }
    return count;
}

bool layer_ok(const Layer *layer, const char **reason) {
    *reason = NULL;
    if (count_waiting(layer, reason) != layer->waiting)
        *reason = "the count of waiting nodes is wrong";
    if (layer->count < 0 || layer->count > layer->capacity)
        *reason = "more nodes than there is room for";
    int32_t in_table = 0;
    for (int32_t i = 0; i < layer->table_size; i++) {
        if (layer->table[i] == LAYER_NONE)
            continue;
        in_table++;
        if (layer->table[i] < 0 || (layer->table[i] & layer->index_mask) >= layer->count)
            *reason = "the table points outside";
    }
    if (in_table != layer->table_count || in_table > layer->table_size / 2)
        *reason = "the table is too full";
    return *reason == NULL;
}
