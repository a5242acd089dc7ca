/* piece: the tables of piece_tables.h, once for the whole program. */
#include "engine/piece.h"
#include "engine/piece_tables.h"

#include <string.h>

const Shape piece_shapes[PIECE_COUNT][ROTATION_COUNT] = PIECE_SHAPES;

const Cell piece_kicks[PIECE_COUNT][ROTATION_COUNT][TURN_COUNT][KICK_COUNT] = PIECE_KICKS;

const uint8_t piece_kick_counts[PIECE_COUNT] = {5, 1, 5, 5, 5, 5, 5}; /* IOTSZJL */
const uint8_t piece_distinct_rotations[PIECE_COUNT] = {2, 1, 4, 2, 2, 4, 4};

const uint8_t piece_canonical_rotation[PIECE_COUNT][ROTATION_COUNT] = PIECE_CANONICAL_ROTATIONS;

const Cell piece_canonical_shift[PIECE_COUNT][ROTATION_COUNT] = PIECE_CANONICAL_SHIFTS;

const char piece_letters[PIECE_COUNT + 1] = "IOTSZJL";
const char *const rotation_names[ROTATION_COUNT] = {"north", "east", "south", "west"};

Piece piece_from_letter(char letter) {
    const char *at = letter ? strchr(piece_letters, letter) : NULL;
    return at ? (Piece)(at - piece_letters) : PIECE_NONE;
}

int rotation_from_name(const char *name) {
    for (int i = 0; i < ROTATION_COUNT; i++)
        if (strcmp(name, rotation_names[i]) == 0)
            return i;
    return -1;
}
