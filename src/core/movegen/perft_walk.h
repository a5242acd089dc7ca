/*
 * perft_walk: what the two halves of a perft share: perft.c, which walks any board, and
 * perft_kernel.h, which walks low ones in vector registers.
 */
#ifndef TETROPT_MOVEGEN_PERFT_WALK_H
#define TETROPT_MOVEGEN_PERFT_WALK_H

#include "movegen/perft.h"

/* Which pieces a turn offers depends only on the queue and hold, never on the board, so all
 * children of a node share it. */
typedef struct PerftTurn {
    uint8_t current, hold; /* Piece; PIECE_NONE: none */
    uint8_t next;          /* index in the queue of the piece after the current one */
} PerftTurn;

typedef struct PerftOption {
    Piece piece;
    PerftTurn after;
} PerftOption;

enum {
    PERFT_PACKED_COLUMNS =
        10, /* the widest board of which three go into a vector (LANE_PACK 3) ... */
    PERFT_PACKED_STRIDE = 11, /* ... and the lanes from one to the next */
    PERFT_LANE_ROWS = 16,     /* what the kernel walks in */
    PERFT_MAKE_ROWS = 4,      /* free above the stack where children are made: an upright I */
    PERFT_SHAPE_LANES = 48,   /* the shape in the middle of the empty columns around it */
    PERFT_SHAPE_CENTRE = 16
};

struct PerftWalk {
    const PerftTask *task;
    const Kernel *kernel;
    uint64_t *nodes;
    uint8_t width, height;
    bool fast;  /* the kernel can count by these rules */
    bool lanes; /* and walk the boards in its lanes, as far as perft_view allows */
    /* The cells of each piece as lanes (lanes.h), its centre in lane PERFT_SHAPE_CENTRE, bit 1. */
    uint16_t shapes[PIECE_COUNT][ROTATION_COUNT][PERFT_SHAPE_LANES];
};

static inline PerftTurn perft_begin_turn(const PerftTask *task, Piece hold, int next) {
    if (next < task->piece_count)
        return (PerftTurn){task->pieces[next], (uint8_t)hold, (uint8_t)(next + 1)};
    return (PerftTurn){(uint8_t)hold, PIECE_NONE, (uint8_t)next};
}

/* The pieces that can be placed, at most two; returns their number. */
static inline int perft_options(const PerftTask *task, PerftTurn turn, PerftOption options[2]) {
    if (turn.current == PIECE_NONE)
        return 0;
    options[0] =
        (PerftOption){(Piece)turn.current, perft_begin_turn(task, (Piece)turn.hold, turn.next)};
    if (!task->rules.hold)
        return 1;
    bool empty = turn.hold == PIECE_NONE;
    Piece brought = (Piece)turn.hold;
    if (empty && turn.next < task->piece_count)
        brought = (Piece)task->pieces[turn.next];
    if (brought == PIECE_NONE || brought == (Piece)turn.current)
        return 1;
    options[1] = (PerftOption){
        brought, perft_begin_turn(task, (Piece)turn.current, turn.next + (empty ? 1 : 0))};
    return 2;
}

/* How the lanes of the kernel show a board. As in KernelView they hold the top of a high stack, and
 * a piece that comes near their lower end is searched again on all of the board. */
typedef enum PerftView {
    PERFT_FLOOR, /* all of a low stack; the piece enters everywhere in the top row */
    PERFT_OPEN,  /* the top of a stack; the same */
    PERFT_SPAWN, /* the top of a stack that is nearly as high as the spawn, where the piece enters
                  */
    PERFT_SPAWN_LAST = PERFT_SPAWN + 2, /* likewise, each for stacks up to three rows higher */
    PERFT_VIEWS,
    PERFT_NONE /* not in lanes */
} PerftView;

typedef struct PerftBase {
    PerftView view;
    int base; /* the lowest row in the lanes */
} PerftBase;

/* The view of a stack of at most `top` rows with `free_rows` above it, for lanes that begin at row
 * `base` or above. */
static inline PerftBase perft_view(const PerftWalk *walk, int base, int top, int free_rows) {
    const PerftBase none = {PERFT_NONE, 0};
    const int height = walk->height;
    if (!walk->lanes)
        return none;
    int needed = top + free_rows - PERFT_LANE_ROWS;
    if (top + KERNEL_FREE_ROWS <= height) {
        base = base > needed ? base : needed;
        if (base <= 0)
            return (PerftBase){PERFT_FLOOR, 0};
        return base <= PERFT_LANE_ROWS ? (PerftBase){PERFT_OPEN, base} : none;
    }
    /* Only few bases, so that boards side by side have the spawn in the same row. */
    int steps = top < height ? 0 : (top - height) / 3 + 1;
    PerftBase found = {(PerftView)(PERFT_SPAWN + steps),
                       height - 1 + KERNEL_CLIMB_ROWS - PERFT_LANE_ROWS + 3 * steps};
    return found.view <= PERFT_SPAWN_LAST && found.base >= base && found.base > 0 &&
                   found.base <= PERFT_LANE_ROWS
               ? found
               : none;
}

/* The bit of the spawn's row in lanes from `base` on (lanes.h); 0, the top row, where the piece
 * enters everywhere. */
static inline int perft_spawn_bit(const PerftWalk *walk, PerftBase at) {
    return at.view >= PERFT_SPAWN ? PERFT_LANE_ROWS - (walk->height - at.base) : 0;
}

/* Counts below a board of any height. `ply` pieces were placed. */
void perft_visit(const PerftWalk *walk, const Columns *columns, PerftTurn turn, int ply);

#endif
