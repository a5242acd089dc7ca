/* layer: the best node first, each position once, and what happens when there are too many. */
#include <signal.h>

#include <criterion/criterion.h>

#include "base/rng.h"
#include "player/bot/layer.h"

static void add(Layer *layer, const Node *node) {
    layer_add(layer, node, layer_hash(node));
}

Test(layer, best_first_each_once) {
    Layer layer;
    const char *reason;
    cr_assert(layer_init(&layer, 4096));
    Rng rng;
    rng_init(&rng, 33, 0);
    for (int i = 0; i < 20000; i++) {
        Node node = {.parent = 0};
        node.column[0] = rng_below(&rng, 3000);
        node.reward = rng_between(&rng, -10, 10);
        node.value = node.reward + (int32_t)node.column[0];
        if (layer_wants(&layer, node.value))
            add(&layer, &node);
        if (i % 1000 == 0)
            cr_assert(layer_ok(&layer, &reason), "%s", reason);
    }
    cr_assert(layer_ok(&layer, &reason), "%s", reason);
    cr_expect_leq(layer.waiting, 1024);
    int last = LAYER_BUCKETS, taken = 0;
    bool seen[3000] = {false};
    for (int32_t i; (i = layer_take(&layer)) != LAYER_NONE; taken++) {
        Node *node = &layer.nodes[i];
        cr_assert_leq(layer_bucket(node->value), last);
        last = layer_bucket(node->value);
        cr_assert(!seen[node->column[0]]);
        seen[node->column[0]] = true;
        node->state = NODE_GROWN;
    }
    cr_expect_gt(taken, 100);
    cr_expect(seen[2999], "the best was kept");
    cr_assert(layer_ok(&layer, &reason), "%s", reason);
    layer_release(&layer);
}

/* Weights can be such that all boards are worse than the lowest bucket. Then none can be let go
 * before the others; it must neither lose them all nor look through all of them at every addition.
 */
Test(layer, one_bucket_for_all, .timeout = 30) {
    enum { CAPACITY = 1 << 17 };
    Layer layer;
    const char *reason;
    cr_assert(layer_init(&layer, CAPACITY));
    Node good = {.parent = 0, .value = 1000};
    add(&layer, &good);
    cr_assert_neq(layer_take(&layer), LAYER_NONE);
    for (int i = 1; i < CAPACITY; i++) {
        Node node = {.parent = 0, .value = -1000000};
        node.column[0] = (uint64_t)i;
        add(&layer, &node);
    }
    cr_assert(layer_ok(&layer, &reason), "%s", reason);
    cr_expect_eq(layer.waiting, CAPACITY - 1);
    cr_expect(!layer.full);
    add(&layer, &(Node){.column[0] = CAPACITY, .value = -1000000});
    cr_expect(layer.full);
    layer_release(&layer);
}

Test(layer, a_better_way_replaces_the_other) {
    Layer layer;
    cr_assert(layer_init(&layer, 64));
    Node node = {.reward = 5, .value = 5, .parent = 1};
    add(&layer, &node);
    node.reward = node.value = 4;
    node.parent = 2;
    add(&layer, &node);
    node.reward = node.value = 60;
    node.parent = 3;
    add(&layer, &node);
    int32_t index = layer_take(&layer);
    cr_assert_neq(index, LAYER_NONE);
    cr_expect_eq(layer.nodes[index].parent, 3);
    cr_expect_eq(layer_take(&layer), LAYER_NONE);
    layer_release(&layer);
}
