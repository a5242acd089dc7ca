/* gradient: one generation is one weight with its four steps. */
#include "train/gradient.h"

#include "base/options.h"
#include "train/registry.h"

#include <string.h>

static const Option rows[] = {
    TUNED_REAL(GradientParameters, small, "small", "0.1", 1e-9, 1e9, "0.01..0.3 log",
               "the small step"),
    TUNED_REAL(GradientParameters, large, "large", "0.5", 1e-9, 1e9, "0.3..5 log",
               "the large step"),
};

static void start(void *given, const TrainSpace *space, const void *parameters) {
    (void)parameters;
    GradientState *state = given;
    memcpy(state->current, space->start, sizeof state->current);
    train_raise(space, state->current);
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    (void)rng;
    const GradientState *state = given;
    const GradientParameters *settings = parameters;
    const double steps[] = {0, settings->small, -settings->small, settings->large,
                            -settings->large};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double value = state->current[state->turn] + steps[i];
        if (value < space->low[state->turn])
            continue;
        memcpy(batch->vectors[batch->count], state->current, sizeof state->current);
        batch->vectors[batch->count++][state->turn] = value;
    }
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    (void)parameters, (void)rng;
    GradientState *state = given;
    int best = train_best(batch->scores, batch->count);
    memcpy(state->current, batch->vectors[best], sizeof state->current);
    state->turn = (state->turn + 1) % space->count;
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const GradientState *)given)->current, (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    (void)parameters;
    GradientState *state = given;
    archive->reals(archive, "current", state->current, space->count, -INFINITY);
    archive->integer(archive, "turn", &state->turn, 0, space->count - 1);
}

const TrainMethod gradient_method = {
    .name = "gradient",
    .summary = "one weight in turn, small and large steps; best is kept",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(GradientParameters),
    .state_bytes = sizeof(GradientState),
    .games = 3,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
};
