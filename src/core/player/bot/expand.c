/* expand: placements from movegen/reach, evaluated by an inlined body for each CPU level. */
#include "player/bot/expand.h"

#include "base/cpu.h"
#include "movegen/reach.h"
#include "player/bot/evaluate_body.h"

enum {
    EXPAND_DEAD = -100000, /* worse than any board by the default weights */
    UPRIGHT_I_ROWS = 4
};

/* A piece to place and what is left then. */
typedef struct Choice {
    Piece piece;
    uint8_t hold;
    uint16_t taken;
} Choice;

typedef struct Batch {
    const BotWeights *weights;
    const Position *root;
    const Node *node;
    const Placement *places;
    int count;
    EvaluateBoards *evaluate;
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

/* What a placement does to the garbage that waits for the node. What comes up lifts the board, so
 * that the next piece may not fit in; where its hole is nobody knows yet, so the board's value is
 * not changed. */
static void meet_garbage(const Batch *batch, BotChain before, BotClear clear, Child *child) {
    const BotGarbage *garbage = &batch->root->garbage;
    int waiting = batch->node->waiting;
    int due = batch->node->taken == 0 ? garbage->due : waiting; /* the root's own, or all */
    if (garbage->countering && clear.rows > 0) {
        int cancelled = evaluate_least(evaluate_attack(before, clear), waiting);
        waiting -= cancelled;
        due -= evaluate_least(cancelled, due);
    }
    int rise = garbage->blocking && clear.rows > 0 ? 0 : due;
    if (garbage->cap > 0)
        rise = evaluate_least(rise, garbage->cap);
    child->waiting = (uint8_t)(waiting - rise);
    child->lift = (uint8_t)(child->lift + rise);
}

/* Boards that wait until there are enough for all lanes, and their children. */
typedef struct Lanes {
    uint32_t boards[BOT_COLUMNS][EVALUATE_LANES];
    Child *children[EVALUATE_LANES];
    int count;
} Lanes;

/* Evaluates the boards that wait and sets all lanes to the board of the node. */
EVALUATE_INLINE void flush(const Batch *batch, Lanes *lanes) {
    int32_t values[EVALUATE_LANES];
    if (lanes->count > 0)
        batch->evaluate(batch->weights, (const uint32_t(*)[EVALUATE_LANES])lanes->boards,
                        lanes->count, values);
    for (int i = 0; i < lanes->count; i++)
        lanes->children[i]->value += values[i];
    lanes->count = 0;
    for (int x = 0; x < BOT_COLUMNS; x++)
        for (int i = 0; i < EVALUATE_LANES; i++)
            lanes->boards[x][i] = (uint32_t)batch->node->column[x];
}

/* The child's piece, reward and chain, and of its value all except the board's. */
EVALUATE_INLINE void make_child(const Batch *batch, Choice option, Placement move, BotClear clear,
                                Child *child) {
    const Node *node = batch->node;
    const BotChain before = {node->combo, node->back_to_back};
    child->move = move;
    child->rows = clear.rows;
    child->hold = option.hold;
    child->taken = option.taken;
    child->chain = clear.rows ? evaluate_chain(before, clear) : (BotChain){0, before.back_to_back};
    child->reward = node->reward;
    if (clear.rows || move.piece == PIECE_T)
        child->reward += evaluate_reward(batch->weights, before, clear);
    child->waiting = 0;
    child->lift = node->lift;
    if (node->waiting > 0)
        meet_garbage(batch, before, clear, child);
    child->value =
        child->reward + (int32_t)batch->weights->waiting * child->waiting +
        (int32_t)evaluate_hand(batch->weights, (Piece)option.hold, child->chain.back_to_back);
}

EVALUATE_INLINE int evaluate_all(const Batch *batch, Choice option, Child *children, int room) {
    const uint64_t *from = batch->node->column;
    BotRows rows;
    evaluate_find_rows(&rows, from);
    uint64_t filled = 0;
    for (int x = 0; x < BOT_COLUMNS; x++)
        filled |= from[x];
    const bool low = columns_height(filled) + UPRIGHT_I_ROWS <= EVALUATE_LANE_ROWS;
    Lanes lanes;
    lanes.count = 0;
    flush(batch, &lanes);
    int made = 0;
    for (int i = 0; i < batch->count && made < room; i++) {
        /* 1. Which rows does the placement fill? */
        Placement move = batch->places[i];
        const Shape *shape = &piece_shapes[move.piece][move.rotation];
        int left = move.x + shape->min_x, right = move.x + shape->max_x;
        int bottom = move.y + shape->min_y;
        if (bottom + batch->node->lift >= POSITION_HEIGHT)
            continue;
        uint64_t full = rows.before[left] & rows.from[right + 1];
        for (int x = left; full && x <= right; x++)
            full &= from[x] | (uint64_t)shape->column[x - left] << bottom;

        /* 2. The labels of the same cells stand one after the other, the least first. */
        while (i + 1 < batch->count && batch->places[i + 1].x == move.x &&
               batch->places[i + 1].y == move.y && batch->places[i + 1].rotation == move.rotation) {
            i++;
            if (full)
                move = batch->places[i];
        }

        /* 3. Without full rows only the columns of the piece differ from the node's. */
        Child *child = &children[made++];
        if (low && !full) {
            make_child(batch, option, move, (BotClear){move.piece, move.spin, 0, false}, child);
            for (int x = left; x <= right; x++)
                lanes.boards[x][lanes.count] |= (uint32_t)shape->column[x - left] << bottom;
        } else {
            uint64_t column[BOT_COLUMNS], any = 0;
            place(from, &rows, move, column);
            remove_rows(column, full);
            for (int x = 0; x < BOT_COLUMNS; x++)
                any |= column[x];
            BotClear clear = {move.piece, move.spin, (uint8_t)__builtin_popcountll(full),
                              !any && batch->node->lift == 0};
            make_child(batch, option, move, clear, child);
            if (!low) {
                child->value += evaluate_columns(batch->weights, column, PIECE_NONE, false);
                continue;
            }
            for (int x = 0; x < BOT_COLUMNS; x++)
                lanes.boards[x][lanes.count] = (uint32_t)column[x];
        }

        /* 4. The value of the board, many at a time. */
        lanes.children[lanes.count++] = child;
        if (lanes.count == EVALUATE_LANES)
            flush(batch, &lanes);
    }
    flush(batch, &lanes);
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

static int expand_option(const BotWeights *weights, const Position *root, const Node *node,
                         const Columns *columns, Choice option, Child *children, int room) {
    Placement places[REACH_SPINS_MAX];
    Batch batch = {weights, root, node, places, 0, evaluate_boards_portable};
    batch.count = reach_list_spins(columns, option.piece, root->moves, places);
#if defined(CPU_TARGET_AVX2)
    if (cpu_level() >= CPU_AVX2) {
        batch.evaluate = cpu_level() >= CPU_AVX512 ? evaluate_boards_avx512 : evaluate_boards_avx2;
        return evaluate_all_avx2(&batch, option, children, room);
    }
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
    if (position_spawn_blocked(&columns, current, node->lift))
        return 0;
    Choice option = {current, node->hold, (uint16_t)(node->taken + 1)};
    int count = expand_option(weights, root, node, &columns, option, children, EXPAND_MAX);
    if (hold_option(root, node, current, &option))
        count += expand_option(weights, root, node, &columns, option, children + count,
                               EXPAND_MAX - count);
    return count;
}

void expand_make(const Node *parent, const Child *child, Node *node) {
    BotRows rows;
    evaluate_find_rows(&rows, parent->column);
    uint64_t full = place(parent->column, &rows, child->move, node->column);
    if (full)
        remove_rows(node->column, full);
    node->waiting = child->waiting;
    node->lift = child->lift;
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
        int count = expand_option(weights, root, node, &columns, option, scratch, EXPAND_MAX);
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
        if (!position_spawn_blocked(&columns, (Piece)piece, node->lift)) {
            Choice option = {(Piece)piece, node->hold, taken};
            int count = expand_option(weights, root, node, &columns, option, scratch, EXPAND_MAX);
            best = best_of(scratch, count);
            best = by_hold > best ? by_hold : best;
            *evaluated += count;
        }
        sum += share * best;
        weight += share;
    }
    return (int32_t)(sum / (weight ? weight : 1));
}
