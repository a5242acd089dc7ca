#include "movegen/perft.h"

#include "movegen/perft_walk.h"
#include "movegen/reach.h"

static int list(const PerftWalk *walk, const Columns *columns, Piece piece, Placement *out) {
    if (walk->task->rules.set == RULES_DROP)
        return drop_list(columns, piece, out);
    return reach_list(columns, piece, walk->task->rules.rotate180, out);
}

void perft_visit(const PerftWalk *walk, const Columns *columns, PerftTurn turn, int ply) {
    if (columns_highest(columns) <= walk->low_rows) {
        walk->kernel->perft_low(walk, columns, &turn, ply);
        return;
    }
    PerftOption options[2];
    int option_count = perft_options(walk->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        Placement placements[REACH_MAX];
        int count = list(walk, columns, options[i].piece, placements);
        walk->nodes[ply] += (uint64_t)count;
        if (ply + 1 == walk->task->depth)
            continue;
        for (int k = 0; k < count; k++) {
            Columns child = *columns;
            columns_lock(&child, options[i].piece, (Rotation)placements[k].rotation,
                         placements[k].x, placements[k].y);
            perft_visit(walk, &child, options[i].after, ply + 1);
        }
    }
}

static void make_shapes(PerftWalk *walk) {
    memset(walk->shapes, 0, sizeof walk->shapes);
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (int i = 0; i < 4; i++) {
                Cell cell = piece_shapes[p][r].cells[i];
                walk->shapes[p][r][16 + cell.x] |= (uint16_t)(1u << (1 - cell.y));
            }
}

void perft_run(const PerftTask *task, const Columns *columns, uint64_t *nodes) {
    memset(nodes, 0, sizeof *nodes * (size_t)task->depth);
    PerftWalk walk = {.task = task,
                      .kernel = task->kernel ? task->kernel : kernel_best(),
                      .nodes = nodes,
                      .width = columns->width,
                      .height = columns->height};
    walk.low_rows = -1;
    if (task->rules.set == RULES_GUIDELINE && columns->width <= PERFT_LOW_COLUMNS)
        walk.low_rows =
            columns->height - 3 < PERFT_LOW_ROWS ? columns->height - 3 : PERFT_LOW_ROWS;
    make_shapes(&walk);
    perft_visit(&walk, columns, perft_begin_turn(task, PIECE_NONE, 0), 0);
}
