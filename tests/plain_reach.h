/*
 * plain_reach: the placements of a piece found the slow and obvious way, for the tests of movegen.
 *
 * A breadth-first search over (x, y, rotation, what the last action was), every cell looked at by
 * itself. Nothing is shared with the fast generator but the piece tables.
 */
#ifndef TETROPT_TESTS_PLAIN_REACH_H
#define TETROPT_TESTS_PLAIN_REACH_H

#include "engine/game.h"

#include <string.h>

/* The last action: a move, a turn by kick 1 to 4, a turn by kick 5. */
enum { LAST_MOVE, LAST_TURN, LAST_FIFTH, LAST_COUNT };

typedef struct PlainReach {
    /* Presses from the spawn, by the state; 0 where it cannot be reached, 1 at the spawn. */
    uint16_t distance[BOARD_MAX_WIDTH][64][ROTATION_COUNT][LAST_COUNT];
    /* Bits of Spin: the labels with which the piece can lock there, in canonical coordinates. */
    uint8_t labels[ROTATION_COUNT][BOARD_MAX_WIDTH][64];
    int count; /* placements distinct by cells */
} PlainReach;

static inline bool plain_fits(const Board *board, Piece piece, int rotation, int x, int y) {
    for (int i = 0; i < 4; i++) {
        Cell cell = piece_shapes[piece][rotation].cells[i];
        int cx = x + cell.x, cy = y + cell.y;
        if (cx < 0 || cx >= board->width || cy < 0 || cy >= board_rows(board))
            return false;
        if (board_cell(board, cx, cy))
            return false;
    }
    return true;
}

typedef struct PlainState {
    int8_t x, y, rotation, last;
} PlainState;

typedef struct PlainQueue {
    PlainState states[BOARD_MAX_WIDTH * 64 * ROTATION_COUNT * LAST_COUNT];
    int head, tail;
} PlainQueue;

static inline void plain_visit(PlainReach *reach, PlainQueue *queue, int x, int y, int rotation,
                               int last, uint16_t distance) {
    uint16_t *place = &reach->distance[x][y][rotation][last];
    if (*place)
        return;
    *place = distance;
    queue->states[queue->tail++] =
        (PlainState){(int8_t)x, (int8_t)y, (int8_t)rotation, (int8_t)last};
}

static inline void plain_expand(const Board *board, Piece piece, bool rotate180, PlainReach *reach,
                                PlainQueue *queue, PlainState s) {
    uint16_t next = (uint16_t)(reach->distance[s.x][s.y][s.rotation][s.last] + 1);
    static const Cell moves[3] = {{-1, 0}, {1, 0}, {0, -1}};
    for (int i = 0; i < 3; i++)
        if (plain_fits(board, piece, s.rotation, s.x + moves[i].x, s.y + moves[i].y))
            plain_visit(reach, queue, s.x + moves[i].x, s.y + moves[i].y, s.rotation, LAST_MOVE,
                        next);
    for (int turn = 0; turn < TURN_COUNT; turn++) {
        int rotation = (s.rotation + (turn == TURN_CLOCKWISE ? 1 : 3)) % 4;
        for (int k = 0; k < KICK_COUNT; k++) {
            Cell kick = piece_kicks[piece][s.rotation][turn][k];
            if (!plain_fits(board, piece, rotation, s.x + kick.x, s.y + kick.y))
                continue;
            plain_visit(reach, queue, s.x + kick.x, s.y + kick.y, rotation,
                        k == 4 ? LAST_FIFTH : LAST_TURN, next);
            break;
        }
    }
    int half = (s.rotation + 2) % 4;
    if (rotate180 && plain_fits(board, piece, half, s.x, s.y))
        plain_visit(reach, queue, s.x, s.y, half, LAST_TURN, next);
}

static inline void plain_reach(const Board *board, Piece piece, bool rotate180, PlainReach *reach) {
    static const int kicks[LAST_COUNT] = {0, 1, 5};
    static PlainQueue queue;
    memset(reach, 0, sizeof *reach);
    queue.head = queue.tail = 0;
    int x = board->width / 2 - 1, y = board->height - 1;
    if (plain_fits(board, piece, NORTH, x, y))
        plain_visit(reach, &queue, x, y, NORTH, LAST_MOVE, 1);
    while (queue.head < queue.tail) {
        PlainState s = queue.states[queue.head++];
        if (!plain_fits(board, piece, s.rotation, s.x, s.y - 1)) {
            Spin spin =
                game_spin(board, piece, (Rotation)s.rotation, s.x, s.y, kicks[(int)s.last], 0);
            Placement placement = placement_canonical(
                (Placement){(uint8_t)piece, (uint8_t)s.rotation, s.x, s.y, SPIN_NONE});
            uint8_t *labels = &reach->labels[placement.rotation][placement.x][placement.y];
            reach->count += *labels == 0;
            *labels |= (uint8_t)(1u << spin);
        }
        plain_expand(board, piece, rotate180, reach, &queue, s);
    }
}

#endif
