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

#define SURFACE_PRESETS                                                                            \
    {                                                                                              \
        "surface", &surface_kind, {                                                                \
            0                                                                                      \
        }                                                                                          \
    }

#endif
