/*
 * features: the features by which the literature's one-piece controllers evaluate a placement.
 *
 * Nine of them describe the piece as it landed and the board after the line clear; the tenth,
 * rows_removed, is what one published controller counts in place of eroded_cells. All are integers,
 * because landing_height is kept in half rows: sums of them with integer weights (weights.h) are
 * exact, so no compiler and no CPU can order two placements differently.
 *
 * Methods: the first six are Dellacherie's, the next three Thiery and Scherrer's (2009). Each is
 * one expression on a column taken as bits, with its neighbours; the reference implementation in
 * the tests counts cell by cell.
 */
#ifndef TETROPT_EVAL_FEATURES_H
#define TETROPT_EVAL_FEATURES_H

#include "engine/columns.h"
#include "engine/placement.h"

typedef enum Feature {
    FEATURE_LANDING_HEIGHT, /* in half rows: 2 x lowest row of the piece + its height - 1 */
    FEATURE_ERODED_CELLS,
    FEATURE_ROW_TRANSITIONS,
    FEATURE_COLUMN_TRANSITIONS,
    FEATURE_HOLES,
    FEATURE_WELLS,
    FEATURE_HOLE_DEPTH,
    FEATURE_ROWS_WITH_HOLES,
    FEATURE_DIVERSITY,
    FEATURE_ROWS_REMOVED,
    FEATURE_COUNT
} Feature;

typedef struct Features {
    int values[FEATURE_COUNT];
} Features;

/* The name of a feature, and one line about it. */
extern const char *const feature_names[FEATURE_COUNT];
extern const char *const feature_meanings[FEATURE_COUNT];

/* The value as the literature states it: landing_height in rows. */
static inline double features_value(const Features *features, Feature which) {
    return which == FEATURE_LANDING_HEIGHT ? features->values[which] / 2.0
                                           : features->values[which];
}

/* The features of a board without full rows; those of a placement are 0. Rows at and above the
 * board's height (which other rule sets can fill) count as far as the tallest column reaches. */
void features_of_board(const Columns *columns, Features *features);

/* Locks the piece where `placement` says, removes the full rows and measures everything. */
void features_of_placement(Columns *columns, Placement placement, Features *features);

#endif
