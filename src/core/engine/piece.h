/*
 * piece: the seven tetrominoes, their four states and their kicks, as constant tables.
 *
 * Everything is derived at compile time from the cells of the north state and the offset table of
 * the Super Rotation System, so there is one place where each number stands. Coordinates: x grows
 * to the right, y upwards, (0,0) is the rotation centre.
 */
#ifndef TETROPT_ENGINE_PIECE_H
#define TETROPT_ENGINE_PIECE_H

#include <stdint.h>

typedef enum Piece {
    PIECE_I,
    PIECE_O,
    PIECE_T,
    PIECE_S,
    PIECE_Z,
    PIECE_J,
    PIECE_L,
    PIECE_COUNT,
    PIECE_NONE = PIECE_COUNT /* an empty hold, the end of a list */
} Piece;

typedef enum Rotation { NORTH, EAST, SOUTH, WEST, ROTATION_COUNT } Rotation;

typedef enum Turn { TURN_CLOCKWISE, TURN_COUNTER, TURN_COUNT } Turn;

enum { KICK_COUNT = 5 };

typedef struct Cell {
    int8_t x, y;
} Cell;

/* A piece in one state. */
typedef struct Shape {
    Cell cells[4];
    int8_t min_x, max_x, min_y, max_y;
    uint64_t mask; /* four rows of 16 bits, the lowest row in the lowest bits; the cell with the
                      smallest x in bit 0 of its row */
    /* Of the columns min_x, min_x + 1, ...: */
    int8_t bottom[4];  /* the lowest y; 100 where there is no cell */
    int8_t top[4];     /* the highest y; -100 where there is none */
    uint8_t column[4]; /* the cells as bits, bit 0 for y = min_y; 0 where there is none */
} Shape;

extern const Shape piece_shapes[PIECE_COUNT][ROTATION_COUNT];

/* By how much the centre moves for kick k when rotating from a state. */
extern const Cell piece_kicks[PIECE_COUNT][ROTATION_COUNT][TURN_COUNT][KICK_COUNT];

/* 1 for O (every further test would be the same), 5 for the others. */
extern const uint8_t piece_kick_counts[PIECE_COUNT];

/* The states that look different: 2 for I S Z, 1 for O, 4 for T J L. */
extern const uint8_t piece_distinct_rotations[PIECE_COUNT];

/* The state that fills the same cells and stands first, and by how much the centre moves to it. */
extern const uint8_t piece_canonical_rotation[PIECE_COUNT][ROTATION_COUNT];
extern const Cell piece_canonical_shift[PIECE_COUNT][ROTATION_COUNT];

/* "IOTSZJL", in the order of the enumeration. */
extern const char piece_letters[PIECE_COUNT + 1];
extern const char *const rotation_names[ROTATION_COUNT];

static inline Rotation rotation_after(Rotation from, Turn turn) {
    return (Rotation)((from + (turn == TURN_CLOCKWISE ? 1 : 3)) & 3);
}

/* The piece of a letter (upper case), or PIECE_NONE. */
Piece piece_from_letter(char letter);

/* The state called "north", "east", "south" or "west", or -1. */
int rotation_from_name(const char *name);

#endif
