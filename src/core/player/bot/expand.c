/* expand: placements from movegen/reach, evaluated by an inlined body for each CPU level. */
#include "player/bot/expand.h"

#include "base/cpu.h"
#include "movegen/reach.h"
#include "player/bot/evaluate_body.h"

enum { EXPAND_DEAD = -100000 }; /* worse than any board by the default weights */

/* A piece to place and what is left then. */
typedef struct Choice {
    Piece piece;
    uint8_t hold;
    uint16_t taken;
} Choice;

typedef struct Batch {
    const BotWeights *weights;
    const Node *node;
    const Placement *places;
    int count;
} Batch;

/* columns_remove_rows for ten columns, inlined into the loop for each processor level. */
EVALUATE_INLINE void remove_rows(uint64_t *column, uint64_t rows) {
    while (rows) {
        int y = 63 - __builtin_clzll(rows);
        uint64_t below = evaluate_below(y);
        for (int x = 0; x < BOT_COLUMNS; x++)
            column[x] = (column[x] & below) | (column[x] >> 1 & ~below);
        rows &= below;
    }
}

/* The board after a placement; returns the rows that were full. */
EVALUATE_INLINE uint64_t place(const uint64_t *from, const BotRows *rows, Placement move,
                               uint64_t *column) {
    const Shape *shape = &piece_shapes[move.piece][move.rotation];
    int left = move.x + shape->min_x, right = move.x + shape->max_x, low = move.y + shape->min_y;
    memcpy(column, from, BOT_COLUMNS * sizeof *column);
    uint64_t full = rows->before[left] & rows->from[right + 1];
    for (int x = left; x <= right; x++) {
        column[x] |= (uint64_t)shape->column[x - left] << low;
        full &= column[x];
    }
    return full;
}

EVALUATE_INLINE int evaluate_all(const Batch *batch, Choice option, Child *children, int room) {
    const Node *node = batch->node;
    const BotChain before = {node->combo, node->back_to_back};
    BotRows rows;
    evaluate_find_rows(&rows, node->column);
    int made = 0;
    for (int i = 0; i < batch->count && made < room; i++) {
        Placement move = batch->places[i];
        if (move.y + piece_shapes[move.piece][move.rotation].min_y >= POSITION_HEIGHT)
            continue;
        uint64_t column[BOT_COLUMNS], any = 0;
        uint64_t full = place(node->column, &rows, move, column);
        /* The labels of the same cells stand one after the other, the least first. */
        while (i + 1 < batch->count && batch->places[i + 1].x == move.x &&
               batch->places[i + 1].y == move.y && batch->places[i + 1].rotation == move.rotation) {
            i++;
            if (full)
                move = batch->places[i];
        }
        if (full) {
            remove_rows(column, full);
            for (int x = 0; x < BOT_COLUMNS; x++)
                any |= column[x];
        }
        BotClear clear = {move.piece, move.spin, (uint8_t)__builtin_popcountll(full), full && !any};
        Child *child = &children[made++];
        child->move = move;
        child->rows = clear.rows;
        child->hold = option.hold;
        child->taken = option.taken;
        child->chain = evaluate_chain(before, clear);
        child->reward = node->reward;
        if (full || move.piece == PIECE_T)
            child->reward += evaluate_reward(batch->weights, before, clear);
        child->value = child->reward + evaluate_columns(batch->weights, column, (Piece)option.hold,
                                                        child->chain.back_to_back);
    }
    return made;
}

#if defined(CPU_TARGET_AVX2)
CPU_TARGET_AVX2 static int evaluate_all_avx2(const Batch *batch, Choice option, Child *children,
                                             int room) {
    return evaluate_all(batch, option, children, room);
}
#endif

static int evaluate_all_baseline(const Batch *batch, Choice option, Child *children, int room) {
    return evaluate_all(batch, option, children, room);
}

static void to_columns(const Node *node, Columns *columns) {
    *columns = (Columns){.width = POSITION_WIDTH, .height = POSITION_HEIGHT};
    memcpy(columns->column, node->column, sizeof node->column);
}

static int expand_option(const BotWeights *weights, const Node *node, const Columns *columns,
                         Choice option, Child *children, int room) {
    Placement places[REACH_SPINS_MAX];
    Batch batch = {weights, node, places, 0};
    batch.count = reach_list_spins(columns, option.piece, false, places);
#if defined(CPU_TARGET_AVX2)
    if (cpu_level() >= CPU_AVX2)
        return evaluate_all_avx2(&batch, option, children, room);
#endif
    return evaluate_all_baseline(&batch, option, children, room);
}

/* The piece that hold brings when `current` is to be placed; false when there is none, or it is the
 * same. */
static bool hold_option(const Position *root, const Node *node, Piece current, Choice *option) {
    uint16_t next = (uint16_t)(node->taken + 1);
    if (root->hold_off || (root->hold_used && node->taken == 0))
        return false;
    if (node->hold != PIECE_NONE)
        *option = (Choice){(Piece)node->hold, (uint8_t)current, next};
    else if (next < root->queue_count)
        *option = (Choice){(Piece)root->queue[next], (uint8_t)current, (uint16_t)(next + 1)};
    else
        return false;
    return option->piece != current;
}

int expand_node(const BotWeights *weights, const Position *root, const Node *node,
                Child children[EXPAND_MAX]) {
    Columns columns;
    if (node->taken >= root->queue_count)
        return 0;
    to_columns(node, &columns);
    Piece current = (Piece)root->queue[node->taken];
    if (position_spawn_blocked(&columns, current))
        return 0;
    Choice option = {current, node->hold, (uint16_t)(node->taken + 1)};
    int count = expand_option(weights, node, &columns, option, children, EXPAND_MAX);
    if (hold_option(root, node, current, &option))
        count +=
            expand_option(weights, node, &columns, option, children + count, EXPAND_MAX - count);
    return count;
}

void expand_make(const Node *parent, const Child *child, Node *node) {
    BotRows rows;
    evaluate_find_rows(&rows, parent->column);
    uint64_t full = place(parent->column, &rows, child->move, node->column);
    if (full)
        remove_rows(node->column, full);
    node->reward = child->reward;
    node->value = child->value;
    node->weighed = 0;
    node->move = child->move;
    node->hold = child->hold;
    node->combo = child->chain.combo;
    node->back_to_back = child->chain.back_to_back;
    node->taken = child->taken;
}

static int32_t best_of(const Child *children, int count) {
    int32_t best = EXPAND_DEAD;
    for (int i = 0; i < count; i++)
        best = children[i].value > best ? children[i].value : best;
    return best;
}

int32_t expand_weigh(const BotWeights *weights, const Position *root, const Node *node,
                     Child scratch[EXPAND_MAX], int *evaluated) {
    Columns columns;
    to_columns(node, &columns);
    const uint16_t taken = (uint16_t)(node->taken + 1);
    bool known = node->taken < root->queue_count;
    int32_t by_hold = EXPAND_DEAD;
    if (node->hold != PIECE_NONE) {
        /* What goes to hold is not known: as if it were nothing. */
        Choice option = {(Piece)node->hold, PIECE_NONE, taken};
        int count = expand_option(weights, node, &columns, option, scratch, EXPAND_MAX);
        by_hold = best_of(scratch, count);
        *evaluated += count;
    }
    int64_t sum = 0, weight = 0;
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        int64_t share = known             ? root->queue[node->taken] == piece
                        : root->bag.known ? root->bag.left[piece]
                                          : 1;
        if (share == 0)
            continue;
        int32_t best = EXPAND_DEAD;
        if (!position_spawn_blocked(&columns, (Piece)piece)) {
            Choice option = {(Piece)piece, node->hold, taken};
            int count = expand_option(weights, node, &columns, option, scratch, EXPAND_MAX);
            best = best_of(scratch, count);
            best = by_hold > best ? by_hold : best;
            *evaluated += count;
        }
        sum += share * best;
        weight += share;
    }
    return (int32_t)(sum / (weight ? weight : 1));
}
