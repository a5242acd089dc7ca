/*
 * placement_kind: features that mostly describe what the placement itself did, and their weight
 * sets.
 *
 * support: cells of the piece with floor or stack directly below. holes: empty cells newly covered.
 * height: lowest row of the piece. rows: lines cleared. wells: columns newly well_depth or more
 * below both neighbours (the walls are higher than anything). smooth: sum of the absolute height
 * differences of neighbours. right: cells of the piece in the last column. tetris: 1 for four rows.
 * Weights are magnitudes; holes, height, wells, smooth and right count against a placement.
 *
 * Support, holes, height and right look at the piece as it rests, wells and smooth at the board
 * after the line clear.
 */
#ifndef TETROPT_EVAL_PLACEMENT_KIND_H
#define TETROPT_EVAL_PLACEMENT_KIND_H

#include "eval/evaluator.h"

enum { PLACEMENT_WELL_DEPTH = 3 };

typedef enum PlacementFeature {
    PLACEMENT_SUPPORT,
    PLACEMENT_HOLES,
    PLACEMENT_HEIGHT,
    PLACEMENT_ROWS,
    PLACEMENT_WELLS,
    PLACEMENT_SMOOTH,
    PLACEMENT_RIGHT,
    PLACEMENT_TETRIS,
    PLACEMENT_FEATURES
} PlacementFeature;

extern const EvaluatorKind placement_kind;

/* Bit x: column x is a well. */
unsigned placement_wells(const Columns *columns, int depth);

/* The published ones. A name without a number stands for the first of its kind. */
#define PLACEMENT_PRESET(name_, ...)                                                               \
    {                                                                                              \
        name_, &placement_kind, {                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define PLACEMENT_PRESETS                                                                          \
    PLACEMENT_PRESET("competition-1", 0.5, 5.5, 1.0, 3.1, 1.3, 0.8, 1.1, 100),                     \
        PLACEMENT_PRESET("competition-2", 0.2, 4.9, 1.4, 0.6, 3.0, 0.4, 1.4, 100),                 \
        PLACEMENT_PRESET("gradient", 0, 4.7, 3.2, 0.7, 2.5, 0.2, 1.5, 100),                        \
        PLACEMENT_PRESET("genetic-50", 0, 4.9, 3.6, 4.67, 1.7, 0, 3.2, 100),                       \
        PLACEMENT_PRESET("genetic-50-2", 0.5, 4, 0.4, 2.9, 0.5, 0.4, 1.5, 100),                    \
        PLACEMENT_PRESET("genetic-50-3", 0.1, 6.6, 1, 2.1, 1.7, 0.3, 2.4, 100),                    \
        PLACEMENT_PRESET("genetic-50-4", 0, 5.3, 4.2, 3.8, 1.8, 0, 2.9, 100),                      \
        PLACEMENT_PRESET("genetic-50-5", 0.3, 4.6, 2.4, 4.2, 0.2, 0.7, 4.8, 100),                  \
        PLACEMENT_PRESET("genetic-200", 0, 6.9, 3.5, 1.3, 2.4, 0.1, 4.2, 100),                     \
        PLACEMENT_PRESET("genetic-200-2", 0.8, 7.9, 2.8, 1.6, 1.1, 0.7, 3.9, 100)

#endif
