/*
 * nectar: board evaluation for the bee colony.
 *
 * The published ones: `weights` sets rows against height, trapped and covered cells; `skyline` is
 * the share of the board, counted heavier the higher, that lies above the columns; `hybrid` is that
 * with covered cells against it. Full rows may still be on the board; they count as rows, and the
 * heights and covered cells are those with them there.
 */
#ifndef TETROPT_PLAYER_NECTAR_H
#define TETROPT_PLAYER_NECTAR_H

#include "engine/columns.h"

typedef enum NectarKind {
    NECTAR_WEIGHTS,
    NECTAR_SKYLINE,
    NECTAR_HYBRID,
    NECTAR_JUDGED /* by an evaluator: see bees.h */
} NectarKind;

#define NECTAR_CHOICES "weights|skyline|hybrid|judged"

typedef enum NectarLowest { LOWEST_ROW, LOWEST_COLUMN } NectarLowest;

/* What the nectars are made of. */
typedef struct NectarView {
    int highest; /* the tallest column */
    int lowest;  /* the lowest row that is not full, or the lowest column top */
    int trapped; /* empty cells with filled cells or walls on all four sides */
    int covered; /* empty cells under a filled one */
    int full;    /* full rows on the board */
    double open; /* the skyline: cells above the columns by all cells, a cell in row y counts y+1 */
} NectarView;

/* Measures a board; `lowest` says what its lowest is. */
NectarView nectar_look(const Columns *columns, NectarLowest lowest);

/* The nectar of a board on whose way `removed` rows are gone already; not for NECTAR_JUDGED. */
double nectar_of(NectarKind kind, const NectarView *view, int64_t removed);

#endif
