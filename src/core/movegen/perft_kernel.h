/*
 * perft_kernel: a perft over low boards, which stay in vector registers from ply to ply. A template
 * on top of perft_count.h and reach_kernel.h with LANE_BITS 16 and LANE_PACK 1. Where there is an
 * instance of perft_count.h that packs boards, the includer defines PERFT_PACKED as its function.
 */
#include "movegen/perft_walk.h"

enum {
    /* 4 states, and in a column of 16 rows at most every second one is a rest. */
    FN(CHILDREN_MAX) = ROTATION_COUNT * KERNEL_MAX_COLUMNS * 8
};

/* The children of a node; `tops` are bounds of their heights. */
typedef struct FN(Children) {
    Lane boards[(FN(CHILDREN_MAX) + 4) * LANE_STRIDE];
    uint8_t tops[FN(CHILDREN_MAX)];
    int count;
} FN(Children);

INLINE void FN(to_columns)(Vec free, const PerftWalk *walk, Columns *columns) {
    Lane lanes[16];
    free = FN(reversed)(free);
    memcpy(lanes, &free, sizeof lanes);
    *columns = (Columns){.width = walk->width, .height = walk->height};
    for (int x = 0; x < walk->width; x++)
        columns->column[x] = (Lane)~lanes[x];
}

/* Clears the full lines and returns their number. `top_row` are the columns. */
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

/* What is rare about a child: takes out full rows, and counts at once what is too high for these
 * lanes, by the walk for any board. Returns false when it was counted. */
TARGET static __attribute__((noinline)) bool FN(finish_child)(const PerftWalk *walk,
                                                              const FN(Node) * node,
                                                              PerftTurn after, Vec *child,
                                                              int *top) {
    *top -= FN(clear_rows)(child, node->free & 1, walk->width);
    if (*top <= perft_low_rows(walk, node->ply + 1))
        return true;
    Columns columns;
    FN(to_columns)(*child, walk, &columns);
    walk->nodes[node->ply]++;
    perft_visit(walk, &columns, after, node->ply + 1);
    return false;
}

/* Makes the children of a node for a piece and its locks, `stride` lanes apart. */
INLINE void FN(make_children)(const PerftWalk *walk, const FN(Node) * node,
                              const PerftOption *option, const Vec locks[ROTATION_COUNT],
                              const int stride, FN(Children) * children) {
    const Vec free = node->free;
    const int node_top = node->top, low_rows = perft_low_rows(walk, node->ply + 1);
    FN(FullRows) full;
    FN(find_full_rows)(&full, free, walk->width);
    Lane *out = children->boards;
    uint8_t *tops = children->tops;
    for (int r = 0; r < piece_distinct_rotations[option->piece]; r++) {
        const Shape *shape = &piece_shapes[option->piece][r];
        const int min_x = shape->min_x, after_x = shape->max_x + 1;
        const Lane *cells = walk->shapes[option->piece][r] + PERFT_SHAPE_CENTRE;
        const int end = walk->width - shape->max_x, top_of_cells = LANE_TOP + shape->max_y + 1;
        Lane sets[16];
        memcpy(sets, &locks[r], sizeof sets);
        for (int x = -min_x; x < end; x++) {
            const Vec column_cells = FN(load)(cells - x);
            /* Some row is full except for these columns. */
            const bool nearly = full.before[x + min_x] & full.from[x + after_x];
            for (unsigned set = sets[x]; set; set &= set - 1) {
                int bit = __builtin_ctz(set), top = top_of_cells - bit;
                Vec child = free & ~(column_cells << (bit - 1));
                top = top > node_top ? top : node_top;
                if (__builtin_expect(nearly || top > low_rows, 0) &&
                    !FN(finish_child)(walk, node, option->after, &child, &top))
                    continue;
                memcpy(out, &child, sizeof child);
                out += stride;
                *tops++ = (uint8_t)top;
            }
        }
    }
    const Vec none = {0};
    for (int i = 0; i < 3; i++)
        memcpy(out + i * stride, &none, sizeof none);
    children->count = (int)(tops - children->tops);
    walk->nodes[node->ply] += (uint64_t)children->count;
}

INLINE void FN(find_children)(const PerftWalk *walk, const Vec *free, Piece piece,
                              Vec locks[ROTATION_COUNT]) {
    const FN(Entry) entry = {*free, FN(splat)(1), false, 0};
    FN(find_locks)(&entry, piece, walk->task->rules.rotate180, locks);
}

/* The last ply: the placements of a piece on all boards of a list. */
INLINE uint64_t FN(count_all)(const PerftWalk *walk, const Lane *boards, int count, Piece piece) {
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Vec locks[ROTATION_COUNT], free = FN(load)(boards + i * LANE_STRIDE);
        FN(find_children)(walk, &free, piece, locks);
        sum += (uint64_t)FN(count_locks)(locks, piece_distinct_rotations[piece]);
    }
    return sum;
}

/* The last two plies: makes the children and counts what they allow. */
TARGET static void FN(visit_last_two)(const PerftWalk *walk, const FN(Node) * node,
                                      const PerftOption *option, const Vec locks[ROTATION_COUNT]) {
    FN(Children) children;
    PerftOption last[2];
    int last_count = perft_options(walk->task, option->after, last);
    uint64_t *nodes = &walk->nodes[node->ply + 1];
#if defined(PERFT_PACKED)
    if (walk->width <= PERFT_PACKED_COLUMNS) {
        FN(make_children)(walk, node, option, locks, PERFT_PACKED_STRIDE, &children);
        for (int i = 0; i < last_count; i++)
            *nodes += PERFT_PACKED(children.boards, children.count, last[i].piece,
                                   walk->task->rules.rotate180);
        return;
    }
#endif
    FN(make_children)(walk, node, option, locks, LANE_STRIDE, &children);
    for (int i = 0; i < last_count; i++)
        *nodes += FN(count_all)(walk, children.boards, children.count, last[i].piece);
}

TARGET static void FN(visit)(const PerftWalk *walk, const FN(Node) * node, PerftTurn turn) {
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        Vec locks[ROTATION_COUNT];
        FN(find_children)(walk, &node->free, options[i].piece, locks);
        if (node->ply + 1 == walk->task->depth) {
            walk->nodes[node->ply] +=
                (uint64_t)FN(count_locks)(locks, piece_distinct_rotations[options[i].piece]);
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
    FN(Node) root = {FN(free)(columns, 0), columns_highest(columns), ply};
    FN(visit)(walk, &root, *turn);
}
