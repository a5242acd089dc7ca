/*
 * weighted: the best of all reachable placements of the current and the held piece.
 *
 * `fit` counts against covering a gap that a piece soon to come would fill exactly. A gap is a run
 * of neighbouring columns of the surface on which some state of a piece comes to rest without
 * leaving an empty cell under it. For every gap that the held piece or one of the next three fits,
 * and in whose columns the placement leaves a cell, it takes away fit / (piece types that fit it).
 *
 * `perfect-fit` rewards the opposite: a placement that fills such a gap exactly gets
 * perfect-fit / (piece types that fit it). One column is a gap for it only between higher
 * neighbours or walls; else an upright I would fit perfectly everywhere.
 */
#ifndef TETROPT_PLAYER_WEIGHTED_H
#define TETROPT_PLAYER_WEIGHTED_H

#include "player/player.h"

/* The sum over the gaps that `placement` covers, before it is multiplied by the weight `fit`; bit p
 * of `wanted` says that piece p is held or comes soon. For the agent and its tests. */
double weighted_fit(const Columns *columns, Placement placement, unsigned wanted);

/* 1 / (piece types that fit the gap) for a placement that fills it exactly, else 0; before it is
 * multiplied by the weight `perfect-fit`. */
double weighted_perfect_fit(const Columns *columns, Placement placement);

#endif
