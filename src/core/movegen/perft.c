/* perft: the walk over boards of any height and rule set; low ones go to the kernel at once. */
#include "movegen/perft.h"

#include "movegen/perft_walk.h"
#include "movegen/reach.h"

enum { UNWATCHED_PLIES = 5 /* a fraction of a second */ };

static int list(const PerftWalk *walk, const Columns *columns, Piece piece, Placement *out) {
    if (walk->task->rules.set == RULES_DROP)
        return drop_list(columns, piece, out);
    unsigned moves = rules_moves(&walk->task->rules);
    if (walk->task->labels)
        return reach_list_spins(columns, piece, moves, out);
    return moves & MOVES_SRS_PLUS ? reach_list(columns, piece, moves, out)
                                  : walk->kernel->list(columns, piece, moves & MOVES_180, out);
}

void perft_visit(const PerftWalk *walk, const Columns *columns, PerftTurn turn, int ply) {
    if (perft_view(walk, 0, columns_highest(columns), PERFT_MAKE_ROWS).view != PERFT_NONE) {
        walk->kernel->perft_low(walk, columns, &turn, ply);
        return;
    }
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        Piece piece = options[i].piece;
        if (ply + 1 == walk->task->depth && walk->fast) {
            walk->nodes[ply] +=
                (uint64_t)walk->kernel->count(columns, piece, walk->task->rules.rotate180);
            continue;
        }
        Placement placements[REACH_SPINS_MAX];
        int count = list(walk, columns, piece, placements);
        walk->nodes[ply] += (uint64_t)count;
        for (int k = 0; ply + 1 < walk->task->depth && k < count; k++) {
            Columns child = *columns;
            columns_lock(&child, piece, (Rotation)placements[k].rotation, placements[k].x,
                         placements[k].y);
            perft_visit(walk, &child, options[i].after, ply + 1);
        }
    }
}

/* Walks all but the last plies one by one, so that the tree is many parts between which someone can
 * watch. The part is the share from `low` to `high` of all work. False: stopped. */
static bool walk_watched(const PerftWalk *walk, const Columns *columns, PerftTurn turn, int ply,
                         double low, double high) {
    const ProgressWatch *watch = walk->task->watch;
    if (walk->task->depth - ply <= UNWATCHED_PLIES) {
        perft_visit(walk, columns, turn, ply);
        Progress progress = {.done = (uint64_t)(high * 1e15), .total = 1000000000000000};
        if (watch->report)
            watch->report(watch->context, &progress);
        return !(watch->stop && atomic_load(watch->stop));
    }
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    double step = (high - low) / (option_count > 0 ? option_count : 1);
    for (int i = 0; i < option_count; i++, low += step) {
        Placement placements[REACH_SPINS_MAX];
        int count = list(walk, columns, options[i].piece, placements);
        walk->nodes[ply] += (uint64_t)count;
        for (int k = 0; k < count; k++) {
            Columns child = *columns;
            columns_lock(&child, options[i].piece, (Rotation)placements[k].rotation,
                         placements[k].x, placements[k].y);
            if (!walk_watched(walk, &child, options[i].after, ply + 1, low + step * k / count,
                              low + step * (k + 1) / count))
                return false;
        }
    }
    return true;
}

static void make_shapes(PerftWalk *walk) {
    memset(walk->shapes, 0, sizeof walk->shapes);
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < piece_distinct_rotations[p]; r++)
            for (int i = 0; i < 4; i++) {
                Cell cell = piece_shapes[p][r].cells[i];
                walk->shapes[p][r][PERFT_SHAPE_CENTRE + cell.x] |= (uint16_t)(1u << (1 - cell.y));
            }
}

bool perft_run(const PerftTask *task, const Columns *columns, uint64_t *nodes) {
    memset(nodes, 0, sizeof *nodes * (size_t)task->depth);
    PerftWalk walk = {.task = task,
                      .kernel = task->kernel ? task->kernel : kernel_best(),
                      .nodes = nodes,
                      .width = columns->width,
                      .height = columns->height};
    walk.fast =
        task->rules.set == RULES_GUIDELINE && !task->labels && task->rules.kicks == KICKS_SRS;
    walk.lanes = walk.fast && columns->width <= KERNEL_MAX_COLUMNS;
    make_shapes(&walk);
    PerftTurn turn = perft_begin_turn(task, PIECE_NONE, 0);
    if (task->watch)
        return walk_watched(&walk, columns, turn, 0, 0, 1);
    perft_visit(&walk, columns, turn, 0);
    return true;
}
