/*
 * steer: breadth-first search over the states of a falling piece. With every press the piece also
 * falls by the rows that gravity takes meanwhile.
 */
#include "live/steer.h"

#include <string.h>

typedef struct Position {
    Rotation rotation;
    int x, y;
} Position;

static int index_of(Position at) {
    return ((int)at.rotation * STEER_COLUMNS + at.x + STEER_MARGIN) * STEER_ROWS + at.y +
           STEER_MARGIN;
}

static Position position_of(int index) {
    int column = index / STEER_ROWS;
    return (Position){(Rotation)(column / STEER_COLUMNS), column % STEER_COLUMNS - STEER_MARGIN,
                      index % STEER_ROWS - STEER_MARGIN};
}

static void add(Steer *steer, Position at, int parent, Key key) {
    int index = index_of(at);
    if (steer->parent[index])
        return;
    steer->parent[index] = (uint16_t)(parent + 1);
    steer->key[index] = (uint8_t)key;
    steer->found[steer->count++] = (uint16_t)index;
}

static bool press(const Steer *steer, Key key, unsigned moves, Position *at) {
    Position next = *at;
    const Board *board = &steer->board;
    switch (key) {
    case KEY_CLOCKWISE:
    case KEY_COUNTER:
    case KEY_TURN_180:
        return moves_turn(moves, board, steer->piece, key, &at->rotation, &at->x, &at->y) > 0;
    case KEY_LEFT:
        next.x--;
        break;
    case KEY_RIGHT:
        next.x++;
        break;
    default:
        next.y--;
        break;
    }
    if (!board_fits(board, steer->piece, next.rotation, next.x, next.y))
        return false;
    *at = next;
    return true;
}

static void fall(const Steer *steer, int rows, Position *at) {
    while (rows-- > 0 && board_fits(&steer->board, steer->piece, at->rotation, at->x, at->y - 1))
        at->y--;
}

void steer_flood(Steer *steer, const Game *game, int fall_rows, bool straight) {
    static const Key order[] = {KEY_CLOCKWISE, KEY_COUNTER, KEY_TURN_180,
                                KEY_LEFT,      KEY_RIGHT,   KEY_SOFT_DROP};
    int presses = (int)(sizeof order / sizeof *order) - (straight ? 1 : 0);
    memset(steer->parent, 0, sizeof steer->parent);
    steer->board = game->board;
    steer->piece = (Piece)game->current;
    steer->count = 0;
    add(steer, (Position){(Rotation)game->rotation, game->x, game->y}, 0, KEY_COUNT);
    for (int i = 0; i < steer->count; i++)
        for (int k = 0; k < presses; k++) {
            Position at = position_of(steer->found[i]);
            if (!press(steer, order[k], rules_moves(&game->rules), &at))
                continue;
            fall(steer, fall_rows, &at);
            add(steer, at, i, order[k]);
        }
}

static Placement landing(const Steer *steer, int index) {
    Position at = position_of(index);
    int y = board_rest(&steer->board, steer->piece, at.rotation, at.x, at.y);
    return (Placement){(uint8_t)steer->piece, (uint8_t)at.rotation, (int8_t)at.x, (int8_t)y,
                       SPIN_NONE};
}

int steer_keys(const Steer *steer, Placement goal, uint8_t keys[STEER_POSITIONS + 1]) {
    int end = 0;
    while (end < steer->count && !placement_same_cells(landing(steer, steer->found[end]), goal))
        end++;
    if (end == steer->count)
        return -1;
    int count = 0;
    for (int i = end; i > 0; i = steer->parent[steer->found[i]] - 1)
        count++;
    keys[count] = KEY_HARD_DROP;
    int place = count;
    for (int i = end; i > 0; i = steer->parent[steer->found[i]] - 1)
        keys[--place] = steer->key[steer->found[i]];
    return count + 1;
}

int steer_landings(const Steer *steer, Placement *out, int capacity) {
    bool seen[STEER_POSITIONS] = {false};
    int count = 0;
    for (int i = 0; i < steer->count && count < capacity; i++) {
        Placement at = placement_canonical(landing(steer, steer->found[i]));
        int index = index_of((Position){(Rotation)at.rotation, at.x, at.y});
        if (!seen[index])
            out[count++] = at;
        seen[index] = true;
    }
    return count;
}
