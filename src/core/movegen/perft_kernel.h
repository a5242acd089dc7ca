/*
 * perft_kernel: a perft over boards, or the tops of boards (perft_view), which stay in vector
 * registers from ply to ply. A template on top of perft_count.h and reach_kernel.h with LANE_BITS
 * 16 and LANE_PACK 1. Where there is an instance of perft_count.h that packs boards, the includer
 * defines PERFT_PACKED(name) as the names of its functions.
 */
#include "movegen/perft_walk.h"
#include "movegen/reach.h"

enum {
    /* 4 states, and in a column of 16 rows at most every second one is a rest. */
    FN(CHILDREN_MAX) = ROTATION_COUNT * KERNEL_MAX_COLUMNS * 8
};

/* The children of a node that are seen in the same way; `tops` are bounds of their heights. */
typedef struct FN(Children) {
    Lane boards[(FN(CHILDREN_MAX) + 4) * LANE_STRIDE];
    uint8_t tops[FN(CHILDREN_MAX)];
    int count;
} FN(Children);

/* One node of the walk: the free cells of a board, in the lanes and under them. */
typedef struct FN(Node) {
    Vec free, under; /* bit 0 of `under` is the row below the lanes */
    PerftBase at;
    int top; /* the stack is at most this high */
    int ply;
} FN(Node);

/* The lanes `free` of a child, and what is under them, moved to row `base`, at most one lower. Rows
 * are only cut off when the piece raised the top of the stack, so those are as before. */
INLINE void FN(move_base)(const FN(Node) * node, int base, Vec *free, Vec *under) {
    const int rows = base - node->at.base;
    *under = node->under;
    if (rows == 0)
        return;
    if (rows < 0) {
        *free = *free >> 1 | *under << LANE_TOP;
        *under >>= 1;
        return;
    }
    *under = *under << rows | *free >> (LANE_BITS - rows);
    *free = *free << rows | (node->free & 1) * (Lane)((1 << rows) - 1);
}

INLINE void FN(to_columns)(Vec free, Vec under, int base, const PerftWalk *walk, Columns *columns) {
    Lane lanes[16], low[16];
    free = FN(reversed)(free);
    under = FN(reversed)(under);
    memcpy(lanes, &free, sizeof lanes);
    memcpy(low, &under, sizeof low);
    *columns = (Columns){.width = walk->width, .height = walk->height};
    for (int x = 0; x < walk->width; x++)
        columns->column[x] =
            (uint64_t)(Lane)~lanes[x] << base | (uint64_t)(Lane)~low[x] >> (LANE_BITS - base);
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

/* The view of a child that is only counted: it needs a row less above the stack than its parent. */
INLINE PerftBase FN(last_view)(const PerftWalk *walk, const FN(Node) * node, int top) {
    return perft_view(walk, node->at.base - 1, top, KERNEL_FREE_ROWS);
}

/* Puts a child where it belongs that is not in the same view as a low parent, or fills rows. At the
 * last ply its lanes begin where its view wants, before as those of its parent. False: it is to be
 * stored among those of the first view. */
TARGET static __attribute__((noinline)) bool FN(sort_child)(const PerftWalk *walk,
                                                            const FN(Node) * node, PerftTurn after,
                                                            bool nearly, int stride, Vec *child,
                                                            int *top, FN(Children) * children) {
    if (nearly)
        *top -= FN(clear_rows)(child, node->free & 1, walk->width);
    const bool last = node->ply + 2 == walk->task->depth;
    PerftBase at = last ? FN(last_view)(walk, node, *top)
                        : perft_view(walk, node->at.base, *top, PERFT_MAKE_ROWS);
    if (at.view == PERFT_NONE) {
        Columns columns;
        FN(to_columns)(*child, node->under, node->at.base, walk, &columns);
        walk->nodes[node->ply]++;
        perft_visit(walk, &columns, after, node->ply + 1);
        return true;
    }
    if (!last || (at.view == PERFT_FLOOR && node->at.view == PERFT_FLOOR))
        return false;
    Vec under;
    FN(move_base)(node, at.base, child, &under);
    FN(Children) *list = &children[at.view];
    memcpy(list->boards + list->count * stride, child, sizeof *child);
    list->tops[list->count++] = (uint8_t)*top;
    return true;
}

/* Makes the children of a node for a piece and its locks, `stride` lanes apart; at the last ply but
 * one a list for each view, before that one. */
INLINE void FN(make_children)(const PerftWalk *walk, const FN(Node) * node,
                              const PerftOption *option, const Vec locks[ROTATION_COUNT],
                              const int stride, FN(Children) * children) {
    const Vec free = node->free;
    const bool last = node->ply + 2 == walk->task->depth;
    const int node_top = node->top, room = last ? KERNEL_FREE_ROWS : PERFT_MAKE_ROWS;
    const int open_rows = walk->height - KERNEL_FREE_ROWS;
    int low_rows = node->at.base + LANE_BITS - room;
    low_rows = open_rows < low_rows ? open_rows : low_rows;
    if (last && node->at.view != PERFT_FLOOR)
        low_rows = -1;
    for (int view = 0; view < (last ? PERFT_VIEWS : 1); view++)
        children[view].count = 0;
    FN(FullRows) full;
    FN(find_full_rows)(&full, free, walk->width);
    Lane *out = children->boards;
    uint8_t *tops = children->tops;
    for (int r = 0; r < piece_distinct_rotations[option->piece]; r++) {
        const Shape *shape = &piece_shapes[option->piece][r];
        const int min_x = shape->min_x, after_x = shape->max_x + 1;
        const Lane *cells = walk->shapes[option->piece][r] + PERFT_SHAPE_CENTRE;
        const int end = walk->width - shape->max_x;
        const int top_of_cells = node->at.base + LANE_TOP + shape->max_y + 1;
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
                    FN(sort_child)(walk, node, option->after, nearly, stride, &child, &top,
                                   children))
                    continue;
                memcpy(out, &child, sizeof child);
                out += stride;
                *tops++ = (uint8_t)top;
            }
        }
    }
    children->count += (int)(tops - children->tops);
    const Vec none = {0};
    for (int view = 0; view < (last ? PERFT_VIEWS : 1); view++) {
        if (children[view].count == 0)
            continue;
        walk->nodes[node->ply] += (uint64_t)children[view].count;
        for (int i = 0; i < 3; i++)
            memcpy(children[view].boards + (children[view].count + i) * stride, &none, sizeof none);
    }
}

/* How a piece enters the lanes `free`. */
INLINE FN(Entry) FN(entry_of)(const PerftWalk *walk, Vec free, PerftBase at, Piece piece) {
    FN(Entry)
    entry = {free, FN(splat)(1), at.view >= PERFT_SPAWN, at.base > 0 ? FN(deep)(piece) : 0};
    if (entry.north) {
        Lane start[16] = {0};
        start[walk->width / 2 - 1] = (Lane)(1u << perft_spawn_bit(walk, at));
        entry.start = FN(load)(start);
    }
    return entry;
}

/* Counts a child of the last ply on all of its board. `child` is what the lanes hold. */
TARGET static __attribute__((noinline)) uint64_t
FN(count_whole)(const PerftWalk *walk, const FN(Node) * node, Vec child, int base, Piece piece) {
    /* What was cut off is as it was before the child, see move_base. */
    Vec free = node->free, under;
    Columns columns;
    FN(move_base)(node, base, &free, &under);
    FN(to_columns)(child, under, base, walk, &columns);
    return (uint64_t)walk->kernel->count_whole(&columns, piece, walk->task->rules.rotate180);
}

/* The last ply: the placements of a piece on all boards of a list. */
INLINE void FN(count_all)(const PerftWalk *walk, const FN(Node) * node, const FN(Children) * list,
                          PerftView view, const PerftOption *option) {
    uint64_t sum = 0;
    for (int i = 0; i < list->count; i++) {
        const PerftBase at = view == PERFT_FLOOR ? (PerftBase){PERFT_FLOOR, 0}
                                                 : FN(last_view)(walk, node, list->tops[i]);
        Vec locks[ROTATION_COUNT], free = FN(load)(list->boards + i * LANE_STRIDE);
        const FN(Entry) entry = FN(entry_of)(walk, free, at, option->piece);
        if (FN(find_locks)(&entry, option->piece, walk->task->rules.rotate180, locks))
            sum += (uint64_t)FN(count_locks)(locks, piece_distinct_rotations[option->piece]);
        else
            sum += FN(count_whole)(walk, node, free, at.base, option->piece);
    }
    walk->nodes[node->ply + 1] += sum;
}

#if defined(PERFT_PACKED)
/* The same, three boards at a time. */
INLINE void FN(count_packed)(const PerftWalk *walk, const FN(Node) * node,
                             const FN(Children) * list, PerftView view, const PerftOption *option) {
    const bool rotate180 = walk->task->rules.rotate180;
    uint64_t *nodes = &walk->nodes[node->ply + 1];
    if (view == PERFT_FLOOR) {
        *nodes += PERFT_PACKED(count_all)(list->boards, list->count, option->piece, rotate180);
        return;
    }
    const PerftBase first = FN(last_view)(walk, node, list->tops[0]);
    const int spawn_x = view >= PERFT_SPAWN ? walk->width / 2 - 1 : -1;
    int failed[FN(CHILDREN_MAX)], failed_count;
    *nodes += PERFT_PACKED(count_cut)(list->boards, list->count, option->piece, rotate180,
                                      perft_spawn_bit(walk, first), spawn_x, failed, &failed_count);
    for (int f = 0; f < failed_count; f++) {
        int i = failed[f];
        PerftBase at = FN(last_view)(walk, node, list->tops[i]);
        Vec free = FN(load)(list->boards + i * PERFT_PACKED_STRIDE);
        *nodes += FN(count_whole)(walk, node, free, at.base, option->piece);
    }
}
#endif

/* The last two plies: makes the children and counts what they allow. */
TARGET static void FN(visit_last_two)(const PerftWalk *walk, const FN(Node) * node,
                                      const PerftOption *option, const Vec locks[ROTATION_COUNT]) {
    FN(Children) children[PERFT_VIEWS];
    PerftOption last[2];
    int last_count = perft_options(walk->task, option->after, last);
#if defined(PERFT_PACKED)
    if (walk->width <= PERFT_PACKED_COLUMNS) {
        FN(make_children)(walk, node, option, locks, PERFT_PACKED_STRIDE, children);
        for (int view = 0; view < PERFT_VIEWS; view++)
            for (int i = 0; children[view].count > 0 && i < last_count; i++)
                FN(count_packed)(walk, node, &children[view], (PerftView)view, &last[i]);
        return;
    }
#endif
    FN(make_children)(walk, node, option, locks, LANE_STRIDE, children);
    for (int view = 0; view < PERFT_VIEWS; view++)
        for (int i = 0; i < last_count; i++)
            FN(count_all)(walk, node, &children[view], (PerftView)view, &last[i]);
}

/* The locks of a piece that comes below the lanes; those that are not all in them are visited at
 * once.
 */
TARGET static __attribute__((noinline)) void FN(find_whole)(const PerftWalk *walk,
                                                            const FN(Node) * node,
                                                            const PerftOption *option,
                                                            Vec locks[ROTATION_COUNT]) {
    Lane sets[ROTATION_COUNT][16] = {{0}};
    Placement places[REACH_MAX];
    Columns columns;
    FN(to_columns)(node->free, node->under, node->at.base, walk, &columns);
    int count = walk->kernel->list(&columns, option->piece, walk->task->rules.rotate180, places);
    for (int i = 0; i < count; i++) {
        const Placement at = places[i];
        const int row = at.y - node->at.base;
        if (row + piece_shapes[at.piece][at.rotation].min_y >= 0) {
            sets[at.rotation][at.x] |= (Lane)(1u << (LANE_TOP - row));
            continue;
        }
        Columns child = columns;
        columns_lock(&child, option->piece, (Rotation)at.rotation, at.x, at.y);
        walk->nodes[node->ply]++;
        if (node->ply + 1 < walk->task->depth)
            perft_visit(walk, &child, option->after, node->ply + 1);
    }
    for (int r = 0; r < ROTATION_COUNT; r++)
        locks[r] = FN(load)(sets[r]);
}

TARGET static void FN(visit)(const PerftWalk *walk, const FN(Node) * node, PerftTurn turn) {
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        const Piece piece = options[i].piece;
        const FN(Entry) entry = FN(entry_of)(walk, node->free, node->at, piece);
        Vec locks[ROTATION_COUNT];
        if (!FN(find_locks)(&entry, piece, walk->task->rules.rotate180, locks))
            FN(find_whole)(walk, node, &options[i], locks);
        if (node->ply + 1 == walk->task->depth) {
            walk->nodes[node->ply] +=
                (uint64_t)FN(count_locks)(locks, piece_distinct_rotations[piece]);
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
            child = {.free = FN(load)(children.boards + k * LANE_STRIDE),
                     .top = children.tops[k],
                     .ply = node->ply + 1};
            child.at = perft_view(walk, node->at.base, child.top, PERFT_MAKE_ROWS);
            FN(move_base)(node, child.at.base, &child.free, &child.under);
            FN(visit)(walk, &child, options[i].after);
        }
    }
}

TARGET static void FN(perft_low)(const PerftWalk *walk, const Columns *columns,
                                 const PerftTurn *turn, int ply) {
    FN(Node) root = {.top = columns_highest(columns), .ply = ply};
    root.at = perft_view(walk, 0, root.top, PERFT_MAKE_ROWS);
    root.free = FN(free)(columns, root.at.base);
    Columns under = *columns; /* the rows under the lanes, in the highest places of theirs */
    for (int x = 0; x < columns->width; x++)
        under.column[x] = columns->column[x] << (LANE_BITS - root.at.base);
    root.under = FN(free)(&under, 0);
    FN(visit)(walk, &root, *turn);
}
