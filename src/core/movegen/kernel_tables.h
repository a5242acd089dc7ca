/*
 * kernel_tables: the piece tables as constants of the including file, so that the compiler can
 * shift by constants (engine/piece_tables.h).
 */
#ifndef TETROPT_MOVEGEN_KERNEL_TABLES_H
#define TETROPT_MOVEGEN_KERNEL_TABLES_H

#include "engine/piece.h"
#include "engine/piece_tables.h"

static const Shape kernel_shapes[PIECE_COUNT][ROTATION_COUNT] = PIECE_SHAPES;
static const Cell kernel_kicks[PIECE_COUNT][ROTATION_COUNT][TURN_COUNT][KICK_COUNT] = PIECE_KICKS;
static const Cell kernel_shifts[PIECE_COUNT][ROTATION_COUNT] = PIECE_CANONICAL_SHIFTS;

#endif
