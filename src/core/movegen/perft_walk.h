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
    PERFT_SHAPE_LANES = 48,   /* the shape in the middle of the empty columns around it */
    PERFT_SHAPE_CENTRE = 16
};

struct PerftWalk {
    const PerftTask *task;
    const Kernel *kernel;
    uint64_t *nodes;
    uint8_t width, height;
    bool fast; /* the kernel can count by these rules */
    /* Boards at most this high are walked by the kernel, -1: none are. Where children are made
       there must be room for an upright I on top, at the last ply only for the search. */
    int make_rows, count_rows;
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

/* How high a board may be for the kernel after `ply` pieces. */
static inline int perft_low_rows(const PerftWalk *walk, int ply) {
    return ply + 1 == walk->task->depth ? walk->count_rows : walk->make_rows;
}

/* Counts below a board of any height. `ply` pieces were placed. */
void perft_visit(const PerftWalk *walk, const Columns *columns, PerftTurn turn, int ply);

#endif
