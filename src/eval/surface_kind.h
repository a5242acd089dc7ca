/*
 * surface_kind: the features of the literature and, after them, those of surface.h, as a kind of
 * the evaluator; and its sets.
 */
#ifndef TETROPT_EVAL_SURFACE_KIND_H
#define TETROPT_EVAL_SURFACE_KIND_H

#include "eval/evaluator.h"
#include "eval/weights.h"

enum { SURFACE_KIND_FEATURES = FEATURE_COUNT + SURFACE_PATTERNS };

extern const EvaluatorKind surface_kind;

/* Trained by CMA-ES on 10x10 boards: training/README.md. */
#define SURFACE_PRESETS                                                                            \
    {                                                                                              \
        "surface", &surface_kind, {                                                                \
            -0.21924, 0.09301, -0.17679, -0.41487, 0.00503, -0.24849, -0.1173, -0.67795, 0.12969,  \
                -0.05822, -0.02674, -0.08272, 0.01524, 0.02247, 0.01084, -0.03646, -0.03443,       \
                0.0922, 0.0167, -0.04838, 0.02091, -0.14465, 0.0952, -0.05687, -0.01118, -0.06264, \
                -0.08132, 0.10344, 0.10215, 0.03328, -0.11555, -0.10324, 0.15964, 0.10742, 0.0785, \
                0.09276, 0.14104, -0.01572                                                         \
        }                                                                                          \
    }

#endif
