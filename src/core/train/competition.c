/*
 * competition: small steps of one weight each compete, and the best becomes the parent.
 *
 * A generation is two candidates per weight: the parent with that weight raised by d and lowered by
 * d, d uniform in 0.1..0.5. The parent itself does not play: it always gives way, which lets it
 * leave a place where it was lucky. A step below the limit of a weight and the reverse of the last
 * winning step are left out (unless nothing else is possible).
 *
 * The candidates of a generation are listed in the order of the weights; `tell` makes the best one
 * the parent.
 */
#include "base/options.h"
#include "train/registry.h"

#include <string.h>

typedef struct CompetitionParameters {
    double least, most;
} CompetitionParameters;

static const Option rows[] = {
    TUNED_REAL(CompetitionParameters, least, "least", "0.1", 1e-9, 1e9, "0.01..0.3 log",
               "the smallest step"),
    TUNED_REAL(CompetitionParameters, most, "most", "0.5", 1e-9, 1e9, "0.3..5 log",
               "the largest step"),
};

typedef struct CompetitionState {
    double parent[TRAIN_MAX_WEIGHTS];
    int64_t last; /* the winning step: 1 + weight, negative when it was lowered; 0: none */
    /* of the generation that was asked for */
    int64_t steps[2 * TRAIN_MAX_WEIGHTS];
} CompetitionState;

static bool check(const TrainSpace *space, const void *given, Status *status) {
    (void)space;
    const CompetitionParameters *parameters = given;
    return parameters->least <= parameters->most ||
           status_fail(status, STATUS_INPUT, "least: above most");
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    (void)parameters;
    CompetitionState *state = given;
    memcpy(state->parent, space->start, sizeof state->parent);
    train_raise(space, state->parent);
}

static void add_step(CompetitionState *state, const TrainSpace *space, int weight, double size,
                     TrainBatch *batch) {
    if (state->parent[weight] + size < space->low[weight])
        return;
    state->steps[batch->count] = size > 0 ? weight + 1 : -(weight + 1);
    memcpy(batch->vectors[batch->count], state->parent, sizeof state->parent);
    batch->vectors[batch->count++][weight] += size;
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    CompetitionState *state = given;
    const CompetitionParameters *settings = parameters;
    double size = settings->least;
    for (int i = 0; i < space->count; i++) {
        size = settings->least + (settings->most - settings->least) * rng_real(rng);
        if (state->last != -(i + 1))
            add_step(state, space, i, size, batch);
        if (state->last != i + 1)
            add_step(state, space, i, -size, batch);
    }
    if (batch->count == 0) /* one weight, at its limit, just lowered */
        add_step(state, space, 0, size, batch);
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    (void)space, (void)parameters, (void)rng;
    CompetitionState *state = given;
    int best = train_best(batch->scores, batch->count);
    memcpy(state->parent, batch->vectors[best], sizeof state->parent);
    state->last = state->steps[best];
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const CompetitionState *)given)->parent,
           (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    (void)parameters;
    CompetitionState *state = given;
    archive->reals(archive, "parent", state->parent, space->count, -INFINITY);
    archive->integer(archive, "last_step", &state->last, -space->count, space->count);
}

const TrainMethod competition_method = {
    .name = "competition",
    .summary = "steps of single weights compete; the best is kept",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(CompetitionParameters),
    .state_bytes = sizeof(CompetitionState),
    .games = 3,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
};
