/*
 * perft_turn: which pieces a turn of a perft offers. It depends on the queue and hold alone, never
 * on the board, so all children of a node share it.
 */
#ifndef TETROPT_MOVEGEN_PERFT_TURN_H
#define TETROPT_MOVEGEN_PERFT_TURN_H

#include "movegen/perft.h"

typedef struct PerftTurn {
    uint8_t current, hold; /* Piece; PIECE_NONE: none */
    uint8_t next;          /* index in the queue of the piece after the current one */
} PerftTurn;

typedef struct PerftOption {
    Piece piece;
    PerftTurn after;
} PerftOption;

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

#endif
