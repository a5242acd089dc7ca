/* keys: presses on the engine's board, one at a time. */
#include "player/keys.h"

enum { MOVES = 4 }; /* left, right, down, clockwise */

static const double LOCK_CHANCE = 0.3;

void keys_begin(KeysTrail *trail, const Board *board) {
    trail->count = 1;
    trail->positions[0] =
        (KeysPosition){NORTH, (int8_t)board_spawn_x(board), (int8_t)board_spawn_y(board)};
}

static bool press(const Board *board, Piece piece, unsigned move, KeysPosition *at) {
    static const Cell shifts[MOVES - 1] = {{-1, 0}, {1, 0}, {0, -1}};
    Rotation rotation = (Rotation)at->rotation;
    int x = at->x, y = at->y;
    if (move == MOVES - 1) {
        if (board_turn(board, piece, TURN_CLOCKWISE, &rotation, &x, &y) == 0)
            return false;
    } else {
        x += shifts[move].x;
        y += shifts[move].y;
        if (!board_fits(board, piece, rotation, x, y))
            return false;
    }
    *at = (KeysPosition){(uint8_t)rotation, (int8_t)x, (int8_t)y};
    return true;
}

/* A random press of those that do something; false when there is none. */
static bool press_any(const Board *board, Piece piece, KeysPosition *at, Rng *rng) {
    unsigned left = (1u << MOVES) - 1;
    while (left) {
        unsigned move = (unsigned)(rng_next(rng) >> 62);
        if (!(left >> move & 1))
            continue;
        if (press(board, piece, move, at))
            return true;
        left &= ~(1u << move);
    }
    return false;
}

void keys_walk(KeysTrail *trail, const Board *board, Piece piece, Rng *rng) {
    KeysPosition at = trail->positions[trail->count - 1];
    while (trail->count < KEYS_MAX) {
        bool rests = !board_fits(board, piece, (Rotation)at.rotation, at.x, at.y - 1);
        if (rests && rng_chance(rng, LOCK_CHANCE))
            return;
        if (!press_any(board, piece, &at, rng))
            return;
        trail->positions[trail->count++] = at;
    }
    KeysPosition *last = &trail->positions[trail->count - 1];
    last->y = (int8_t)board_rest(board, piece, (Rotation)at.rotation, at.x, at.y);
}
