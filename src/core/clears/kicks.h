/*
 * kicks: tables of rotation tests other than the engine's, read from files, and where a piece can
 * go with them.
 *
 * A file has one line per piece or group of pieces and rotation:
 *
 *     # from > to, then the tests in order; x to the right, y upwards
 *     JLSTZ N>E (0,0) (-1,0) (-1,1) (0,-2) (-1,-2)
 *
 * N, E, S and W are the states of the engine (engine/piece.h); the offsets move the rotation centre
 * that the engine uses, so (0,0) of I and O is not the rotation in place that players see.
 * A rotation without a line does not exist. N>S is a 180-degree rotation, which `--drop 180` uses.
 * `#` starts a comment.
 */
#ifndef TETROPT_CLEARS_KICKS_H
#define TETROPT_CLEARS_KICKS_H

#include "base/status.h"
#include "engine/columns.h"
#include "engine/kicks.h"
#include "engine/placement.h"

/* The engine's own table (with 180-degree rotations in place), and rotations without any kick. */
void kicks_srs(KickTable *table);
void kicks_none(KickTable *table);

/* Reads a file. False with `status`, which names the line. */
bool kicks_parse(const char *text, KickTable *table, Status *status);

/* As reach_list of movegen, with this table. */
int kicks_list(const KickTable *table, const Columns *columns, Piece piece, bool rotate180,
               Placement *out, int room);

/* As path_fewest of movegen, with this table: the fewest presses that lock the piece in the cells
 * of `goal`, the hard drop at the end. `hard` allows no soft drop. Returns their number, or -1: no
 * way of at most `room` presses. */
int kicks_path(const KickTable *table, const Columns *columns, Placement goal, bool rotate180,
               bool hard, uint8_t *keys, int room);

/* Presses a key. False when nothing changes. `at` is the position of the piece. */
bool kicks_press(const KickTable *table, const Board *board, Key key, Placement *at);

#endif
