/*
 * perft_kernel: a perft over low boards, which stay in vector registers from ply to ply. A template
 * on top of perft_count.h and reach_kernel.h with LANE_BITS 16 and LANE_PACK 1. Where there is an
 * instance of perft_count.h that packs boards, the includer defines PERFT_PACKED as its function.
 */
#include "movegen/perft_walk.h"

enum {
    /* 4 states, and in a column of 16 rows at most every second one is a rest. */
    FN(CHILDREN_MAX) = ROTATION_COUNT * PERFT_LOW_COLUMNS * 8
};

/* The children of a node; `tops` are bounds of their heights. */
typedef struct FN(Children) {
    Lane boards[(FN(CHILDREN_MAX) + 4) * LANE_STRIDE];
    uint8_t tops[FN(CHILDREN_MAX)];
    int count;
} FN(Children);

TARGET static void FN(find_locks)(const Vec *free, Piece piece, bool rotate180,
                                  Vec locks[ROTATION_COUNT]) {
    Flood flood;
#define CASE(p)                                                                                    \
    case p:                                                                                        \
        FN(begin)(&flood, *free, FN(splat)(1), p, false);                                          \
        FN(spread)(&flood, p, rotate180);                                                          \
        locks[0] = FN(locks)(&flood, p, 0);                                                        \
        locks[1] = FN(locks)(&flood, p, 1);                                                        \
        locks[2] = FN(locks)(&flood, p, 2);                                                        \
        locks[3] = FN(locks)(&flood, p, 3);                                                        \
        break;
    switch (piece) {
        CASE(PIECE_I)
        CASE(PIECE_O)
        CASE(PIECE_T)
        CASE(PIECE_S)
        CASE(PIECE_Z)
        CASE(PIECE_J)
        CASE(PIECE_L)
    case PIECE_COUNT:
        break;
    }
#undef CASE
}

INLINE void FN(to_columns)(Vec free, const PerftWalk *walk, Columns *columns) {
    Lane lanes[16];
    free = FN(reversed)(free);
    memcpy(lanes, &free, sizeof lanes);
    *columns = (Columns){.width = walk->width, .height = walk->height};
    for (int x = 0; x < walk->width; x++)
        columns->column[x] = (Lane)~lanes[x];
}

/* Takes out the rows that are full and returns how many there were. `top_row` are the columns. */
INLINE int FN(clear_rows)(Vec *free, Vec top_row, int width) {
    Lane lanes[16], open = 0;
    memcpy(lanes, free, sizeof lanes);
    for (int x = 0; x < width; x++)
        open |= lanes[x];
    unsigned full = (Lane)~open;
    /* From the top, so that the rows below keep their place. */
    for (unsigned rows = full; rows; rows &= rows - 1) {
        Lane row = (Lane)(rows & -rows), above = (Lane)(row - 1);
        *free = (*free & (Lane) ~(above | row)) | (*free & above) << 1 | top_row;
    }
    return __builtin_popcount(full);
}

/* For each column the rows that are full in all columns before it, and in it and all after. */
typedef struct FN(FullRows) {
    Lane before[17], from[17];
} FN(FullRows);

INLINE void FN(find_full_rows)(FN(FullRows) * full, Vec free, int width) {
    Lane lanes[16];
    memcpy(lanes, &free, sizeof lanes);
    full->before[0] = full->from[width] = (Lane)-1;
    for (int x = 0; x < width; x++)
        full->before[x + 1] = full->before[x] & (Lane)~lanes[x];
    for (int x = width; x-- > 0;)
        full->from[x] = full->from[x + 1] & (Lane)~lanes[x];
}

/* One node of the walk. */
typedef struct FN(Node) {
    Vec free;
    int top; /* the stack is at most this high */
    int ply;
} FN(Node);

/* Makes the children of a node for a piece and its locks, `stride` lanes apart. Those too high for
 * these lanes are counted at once, by the walk for any board. */
INLINE void FN(make_children)(const PerftWalk *walk, const FN(Node) * node,
                              const PerftOption *option, const Vec locks[ROTATION_COUNT],
                              const int stride, FN(Children) * children) {
    const Vec free = node->free;
    FN(FullRows) full;
    FN(find_full_rows)(&full, free, walk->width);
    Lane *out = children->boards;
    int count = 0;
    for (int r = 0; r < piece_distinct_rotations[option->piece]; r++) {
        const Shape *shape = &piece_shapes[option->piece][r];
        const Lane *cells = walk->shapes[option->piece][r] + 16;
        Lane sets[16];
        memcpy(sets, &locks[r], sizeof sets);
        for (int x = -shape->min_x; x + shape->max_x < walk->width; x++) {
            unsigned nearly = full.before[x + shape->min_x] & full.from[x + shape->max_x + 1];
            for (unsigned set = sets[x]; set; set &= set - 1) {
                int bit = __builtin_ctz(set), top = LANE_TOP - bit + shape->max_y + 1;
                Vec child = free & ~(FN(load)(cells - x) << (bit - 1));
                top = top > node->top ? top : node->top;
                if (nearly)
                    top -= FN(clear_rows)(&child, free & 1, walk->width);
                if (top > walk->low_rows) {
                    Columns columns;
                    FN(to_columns)(child, walk, &columns);
                    walk->nodes[node->ply]++;
                    perft_visit(walk, &columns, option->after, node->ply + 1);
                    continue;
                }
                memcpy(out, &child, sizeof child);
                out += stride;
                children->tops[count++] = (uint8_t)top;
            }
        }
    }
    const Vec none = {0};
    for (int i = 0; i < 3; i++)
        memcpy(out + i * stride, &none, sizeof none);
    children->count = count;
    walk->nodes[node->ply] += (uint64_t)count;
}

/* The last two plies: makes the children and counts what they allow. */
TARGET static void FN(visit_last_two)(const PerftWalk *walk, const FN(Node) * node,
                                      const PerftOption *option, const Vec locks[ROTATION_COUNT]) {
    FN(Children) children;
    PerftOption last[2];
    int last_count = perft_options(walk->task, option->after, last);
    uint64_t *nodes = &walk->nodes[node->ply + 1];
    bool rotate180 = walk->task->rules.rotate180;
#if defined(PERFT_PACKED)
    if (walk->width <= PERFT_PACKED_COLUMNS) {
        FN(make_children)(walk, node, option, locks, PERFT_PACKED_STRIDE, &children);
        for (int i = 0; i < last_count; i++)
            *nodes += PERFT_PACKED(children.boards, children.count, last[i].piece, rotate180);
        return;
    }
#endif
    FN(make_children)(walk, node, option, locks, LANE_STRIDE, &children);
    for (int i = 0; i < last_count; i++)
        *nodes += FN(count_all)(children.boards, children.count, last[i].piece, rotate180);
}

TARGET static void FN(visit)(const PerftWalk *walk, const FN(Node) * node, PerftTurn turn) {
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        Vec locks[ROTATION_COUNT];
        FN(find_locks)(&node->free, options[i].piece, walk->task->rules.rotate180, locks);
        if (node->ply + 1 == walk->task->depth) {
            uint64_t sum = 0;
            for (int r = 0; r < ROTATION_COUNT; r++)
                sum += FN(sum)(FN(lane_sums)(locks[r]));
            walk->nodes[node->ply] += sum;
            continue;
        }
        if (node->ply + 2 == walk->task->depth) {
            FN(visit_last_two)(walk, node, &options[i], locks);
            continue;
        }
        FN(Children) children;
        FN(make_children)(walk, node, &options[i], locks, LANE_STRIDE, &children);
        for (int k = 0; k < children.count; k++) {
            FN(Node)
            child = {FN(load)(children.boards + k * LANE_STRIDE), children.tops[k], node->ply + 1};
            FN(visit)(walk, &child, options[i].after);
        }
    }
}

TARGET static void FN(perft_low)(const PerftWalk *walk, const Columns *columns,
                                 const PerftTurn *turn, int ply) {
    FN(Node) root = {FN(free)(columns), columns_highest(columns), ply};
    FN(visit)(walk, &root, *turn);
}
