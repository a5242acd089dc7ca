/*
 * reach_table: where a piece can lock, for rotation tables and spins that the vector code does not
 * know. Ten times slower than reach, which calls it for SRS+ and for spins of every piece.
 */
#ifndef TETROPT_MOVEGEN_REACH_TABLE_H
#define TETROPT_MOVEGEN_REACH_TABLE_H

#include "engine/columns.h"
#include "engine/kicks.h"
#include "engine/placement.h"

/* As reach_list, with this table; at most `room` placements are written. */
int reach_table_list(const KickTable *table, const Columns *columns, Piece piece, bool rotate180,
                     Placement *out, int room);

/* As reach_list_spins, with this table; `moves` (engine/game.h) says which pieces can spin. */
int reach_table_spins(const KickTable *table, const Columns *columns, Piece piece, unsigned moves,
                      Placement *out, int room);

/* The engine's own table, with 180-degree rotations without kicks, which keep the centre. */
void reach_table_srs(KickTable *table);

#endif
