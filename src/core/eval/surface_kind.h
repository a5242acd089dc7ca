/*
 * surface_kind: the features of the literature followed by those of surface.h, as a kind of the
 * evaluator, and its weight sets.
 */
#ifndef TETROPT_EVAL_SURFACE_KIND_H
#define TETROPT_EVAL_SURFACE_KIND_H

#include "eval/evaluator.h"
#include "eval/weights.h"

enum { SURFACE_KIND_FEATURES = FEATURE_COUNT + SURFACE_PATTERNS };

extern const EvaluatorKind surface_kind;

/* Trained by CMA-ES, on 10x10 boards and then on 10x14: training/README.md. */
#define SURFACE_PRESETS                                                                            \
    {                                                                                              \
        "surface", &surface_kind, {                                                                \
            -0.22008, 0.069, -0.20431, -0.4883, -0.00101, -0.25337, -0.08002, -0.61943, 0.13933,   \
                -0.04471, -0.02516, -0.06725, 0.01911, 0.04677, 0.034, -0.006, -0.03788, 0.11388,  \
                0.0032, -0.04757, 0.01441, -0.13966, 0.09029, -0.0302, -0.03753, -0.06545,         \
                -0.09885, 0.10212, 0.15656, 0.07765, -0.06257, -0.06112, 0.16516, 0.13211,         \
                0.06282, 0.04678, 0.13664, -0.05428                                                \
        }                                                                                          \
    }

#endif
