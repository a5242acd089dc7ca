/*
 * local_kind: the features of the published local-search players, and their weight sets.
 *
 * `local`: lines: lines cleared; holes: empty cells under a filled one; unevenness: sum of the
 * absolute height differences of neighbours; mean_height: of the columns. The board is the one
 * after the line clear.
 *
 * `local-published` are the same as the published program counts them: holes before the full rows
 * are removed, heights after. It has height_range too, the highest column minus the mean, which the
 * program had in place of mean_height when its results were published.
 */
#ifndef TETROPT_EVAL_LOCAL_KIND_H
#define TETROPT_EVAL_LOCAL_KIND_H

#include "eval/evaluator.h"

typedef enum LocalFeature {
    LOCAL_LINES,
    LOCAL_HOLES,
    LOCAL_UNEVENNESS,
    LOCAL_MEAN_HEIGHT,
    LOCAL_HEIGHT_RANGE,
    LOCAL_FEATURES
} LocalFeature;

extern const EvaluatorKind local_kind, local_published_kind;

/* The weights are published; the sets are for the players of these names. */
#define LOCAL_PRESET(name_, kind_, ...)                                                            \
    {                                                                                              \
        name_, &kind_, {                                                                           \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define LOCAL_PRESETS                                                                              \
    LOCAL_PRESET("local-hill", local_kind, 3.5, -5, -0.5, -2),                                     \
        LOCAL_PRESET("local-genetic", local_kind, 0.8, -3.5, -0.5, -0.3),                          \
        LOCAL_PRESET("local-hill-published", local_published_kind, 3.5, -5, -0.5, 0, -2),          \
        LOCAL_PRESET("local-genetic-published", local_published_kind, 0.8, -3.5, -0.5, 0, -0.3)

#endif
