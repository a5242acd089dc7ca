/* literature_kind: the integers of features.h as the evaluator's reals. */
#include "eval/literature_kind.h"

#include "eval/surface_kind.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)FEATURE_COUNT <= (int)EVALUATOR_MAX, "an evaluator must hold every feature");

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    (void)evaluator;
    Features features;
    *after = *move->before;
    features_of_placement(after, move->placement, &features);
    for (int i = 0; i < FEATURE_COUNT; i++)
        values[i] = features_value(&features, (Feature)i);
}

const EvaluatorKind literature_kind = {
    .name = "literature",
    .summary = "the features of the one-piece controllers, Dellacherie's and those added later",
    .count = FEATURE_COUNT,
    .moves = 1u << FEATURE_LANDING_HEIGHT | 1u << FEATURE_ERODED_CELLS | 1u << FEATURE_ROWS_REMOVED,
    .names = feature_names,
    .measure = measure,
};

Weights literature_weights(const Evaluator *evaluator) {
    Weights weights = {{0}, {0}};
    memcpy(weights.values, evaluator->weights, sizeof weights.values);
    if (evaluator->kind == &surface_kind)
        memcpy(weights.surface, evaluator->weights + FEATURE_COUNT, sizeof weights.surface);
    else
        assert(evaluator->kind == &literature_kind);
    return weights;
}
