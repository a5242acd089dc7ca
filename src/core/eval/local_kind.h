/*
 * local_kind: the four features of the published local-search players, and their weight sets.
 *
 * lines: lines cleared; holes: empty cells under a filled one; unevenness: sum of the absolute
 * height differences of neighbours; mean_height: of the columns. The board is the one after the
 * line clear.
 */
#ifndef TETROPT_EVAL_LOCAL_KIND_H
#define TETROPT_EVAL_LOCAL_KIND_H

#include "eval/evaluator.h"

extern const EvaluatorKind local_kind;

/* Both are published, for the players of these names. */
#define LOCAL_PRESETS                                                                              \
    {"local-hill", &local_kind, {3.5, -5, -0.5, -2}}, {                                            \
        "local-genetic", &local_kind, {                                                            \
            0.8, -3.5, -0.5, -0.3                                                                  \
        }                                                                                          \
    }

#endif
