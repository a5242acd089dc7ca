/*
 * nectar: board evaluation for the bee colony.
 *
 * The published ones: `weights` sets rows against height, trapped and covered cells; `skyline` is
 * the share of the board, counted heavier the higher, that lies above the columns, times rows;
 * `skyline-1` and `skyline-2` are its earlier versions: the share of the cells, all counted alike,
 * and the heavier share without rows; `hybrid` is skyline with covered cells against it. Full rows
 * may still be on the board; they count as rows, and the heights and covered cells are those with
 * them there.
 */
#ifndef TETROPT_PLAYER_NECTAR_H
#define TETROPT_PLAYER_NECTAR_H

#include "engine/columns.h"

typedef enum NectarKind {
    NECTAR_WEIGHTS,
    NECTAR_SKYLINE,
    NECTAR_HYBRID,
    NECTAR_JUDGED, /* by an evaluator: see bees.c */
    NECTAR_SKYLINE_1,
    NECTAR_SKYLINE_2
} NectarKind;

#define NECTAR_CHOICES "weights|skyline|hybrid|judged|skyline-1|skyline-2"

/* What the terms of `weights` are multiplied by. */
typedef struct NectarWeights {
    double span, trapped, covered, rows, height;
    /* The divisor of `hybrid` as in the published program, covered * (cells + 1) + 1; else as in
     * its text, cells + 1. */
    bool published_hybrid;
} NectarWeights;

/* The published weights, as words for a table of options. */
#define NECTAR_SPAN "1"
#define NECTAR_TRAPPED "3"
#define NECTAR_COVERED "2"
#define NECTAR_ROWS "1000"
#define NECTAR_HEIGHT "1"
extern const NectarWeights nectar_default_weights; /* the same */

typedef enum NectarLowest { LOWEST_ROW, LOWEST_COLUMN } NectarLowest;

/* What the nectars are made of. */
typedef struct NectarView {
    int highest; /* the tallest column */
    int lowest;  /* the lowest row that is not full, or the lowest column top */
    int trapped; /* empty cells with filled cells or walls on all four sides */
    int covered; /* empty cells under a filled one */
    int full;    /* full rows on the board */
    double open; /* the skyline: cells above the columns by all cells, a cell in row y counts y+1 */
    double open_cells; /* the same with every cell counting 1 */
} NectarView;

/* Measures a board; `lowest` says what its lowest is. */
NectarView nectar_look(const Columns *columns, NectarLowest lowest);

/* The nectar of a board on whose way `removed` rows are gone already; not for NECTAR_JUDGED. */
double nectar_of(NectarKind kind, const NectarWeights *weights, const NectarView *view,
                 int64_t removed);

#endif
