#include "movegen/perft.h"

#include "movegen/perft_turn.h"
#include "movegen/reach.h"

typedef struct Perft {
    const PerftTask *task;
    const Kernel *kernel;
    uint64_t *nodes;
} Perft;

static int list(const Perft *perft, const Columns *columns, Piece piece, Placement *out) {
    if (perft->task->rules.set == RULES_DROP)
        return drop_list(columns, piece, out);
    return reach_list(columns, piece, perft->task->rules.rotate180, out);
}

static void visit(const Perft *perft, const Columns *columns, PerftTurn turn, int ply) {
    PerftOption options[2];
    int option_count = perft_options(perft->task, turn, options);
    for (int i = 0; i < option_count; i++) {
        Placement placements[REACH_MAX];
        int count = list(perft, columns, options[i].piece, placements);
        perft->nodes[ply] += (uint64_t)count;
        if (ply + 1 == perft->task->depth)
            continue;
        for (int k = 0; k < count; k++) {
            Columns child = *columns;
            columns_lock(&child, options[i].piece, (Rotation)placements[k].rotation,
                         placements[k].x, placements[k].y);
            visit(perft, &child, options[i].after, ply + 1);
        }
    }
}

void perft_run(const PerftTask *task, const Columns *columns, uint64_t *nodes) {
    memset(nodes, 0, sizeof *nodes * (size_t)task->depth);
    Perft perft = {task, task->kernel ? task->kernel : kernel_best(), nodes};
    visit(&perft, columns, perft_begin_turn(task, PIECE_NONE, 0), 0);
}
