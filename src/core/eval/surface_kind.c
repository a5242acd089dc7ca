/* surface_kind: what literature_kind measures, and a count for each pattern. */
#include "eval/surface_kind.h"

#include "eval/literature_kind.h"

_Static_assert((int)SURFACE_KIND_FEATURES <= (int)EVALUATOR_MAX, "an evaluator must hold them all");

/* Those of features.h, then the two steps of every pattern of surface.h. */
static const char *const names[SURFACE_KIND_FEATURES] = {
    "landing_height", "eroded_cells", "row_transitions", "column_transitions", "holes",
    "wells",          "hole_depth",   "rows_with_holes", "diversity",          "rows_removed",
    "steps-3-3",      "steps-3-2",    "steps-2-3",       "steps-3-1",          "steps-2-2",
    "steps-1-3",      "steps-3+0",    "steps-2-1",       "steps-1-2",          "steps+0-3",
    "steps-3+1",      "steps-2+0",    "steps-1-1",       "steps+0-2",          "steps+1-3",
    "steps-3+2",      "steps-2+1",    "steps-1+0",       "steps+0-1",          "steps+1-2",
    "steps+2-3",      "steps-3+3",    "steps-2+2",       "steps-1+1",          "steps+0+0",
    "steps+1-1",      "steps+2-2",    "steps+3-3",
};

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    literature_kind.measure(evaluator, move, after, values);
    double *patterns = values + FEATURE_COUNT;
    for (int i = 0; i < SURFACE_PATTERNS; i++)
        patterns[i] = 0;
    int places[BOARD_MAX_WIDTH];
    surface_places(after, places);
    for (int x = 0; x < after->width; x++)
        patterns[surface_pattern(places[x] / 8, places[x] % 8)]++;
}

const EvaluatorKind surface_kind = {
    .name = "surface",
    .summary = "those of the literature, and a weight for every pattern of the surface",
    .count = SURFACE_KIND_FEATURES,
    .moves = 1u << FEATURE_LANDING_HEIGHT | 1u << FEATURE_ERODED_CELLS | 1u << FEATURE_ROWS_REMOVED,
    .names = names,
    .measure = measure,
};
