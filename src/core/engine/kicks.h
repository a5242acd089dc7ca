/*
 * kicks: tables of rotation tests, as plain data that code or a file can fill.
 *
 * The engine's own table is that of the Super Rotation System (piece_kicks); the fast move
 * generators know only that one. A KickTable holds any other. Its tests move the rotation centre
 * that the engine uses (engine/piece.h).
 */
#ifndef TETROPT_ENGINE_KICKS_H
#define TETROPT_ENGINE_KICKS_H

#include "engine/piece.h"

enum { KICK_TABLE_TESTS = 16 };

/* The tests of one rotation, in order. */
typedef struct KickTests {
    Cell tests[KICK_TABLE_TESTS];
    int count; /* 0: this rotation does not exist */
} KickTests;

typedef struct KickTable {
    KickTests from[PIECE_COUNT][ROTATION_COUNT][ROTATION_COUNT]; /* [piece][from][to] */
} KickTable;

/* The named tables. */
typedef enum KickKind { KICKS_SRS, KICKS_SRS_PLUS, KICKS_COUNT } KickKind;

#define KICKS_CHOICES "srs|srs-plus"

/* The table of SRS+, with kicks for 180-degree rotations. */
extern const KickTable kicks_srs_plus_table;

#endif
