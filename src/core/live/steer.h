/*
 * steer: the places that a falling piece can still reach.
 *
 * movegen finds what can be reached from the spawn by any number of presses. Here the piece is
 * somewhere on its way and falls some rows after every press. A breadth-first walk over positions
 * answers both questions: where it can land, and by which keys. Of two ways the shorter one is
 * taken, of equally short ones that which turns, then moves, then drops.
 */
#ifndef TETROPT_LIVE_STEER_H
#define TETROPT_LIVE_STEER_H

#include "engine/game.h"

enum {
    STEER_MARGIN = 2, /* a centre can be two columns or rows outside of the board */
    STEER_COLUMNS = BOARD_MAX_WIDTH + 2 * STEER_MARGIN,
    STEER_ROWS = BOARD_MAX_ROWS + 2 * STEER_MARGIN,
    STEER_POSITIONS = ROTATION_COUNT * STEER_COLUMNS * STEER_ROWS
};

typedef struct Steer {
    Board board;
    Piece piece;
    uint16_t parent[STEER_POSITIONS]; /* index + 1 in `found` of where it came from; 0: not found */
    uint8_t key[STEER_POSITIONS];     /* the press that led there */
    uint16_t found[STEER_POSITIONS];  /* positions in the order in which they were found */
    int count;
} Steer;

/* Finds all positions of the current piece. It falls `fall_rows` after every press, the first
 * excluded; `straight` allows no presses of soft drop (the rule set `drop`). */
void steer_flood(Steer *steer, const Game *game, int fall_rows, bool straight);

/* The keys to a position from which a hard drop fills the cells of `goal`, with that hard drop at
 * the end, written to `keys`; returns their number, -1 when there is no way. */
int steer_keys(const Steer *steer, Placement goal, uint8_t keys[STEER_POSITIONS + 1]);

/* Writes every placement that can be made (distinct cells) and returns how many. */
int steer_landings(const Steer *steer, Placement *out, int capacity);

#endif
