/*
 * hybrid: genetic until it stagnates, then gradient from its best.
 *
 * It stagnates when the best mean score of a generation has not been beaten for `patience`
 * generations. That score is noisy and always of the luckiest, so this waits rather too long than
 * too short; longer still where the piece limit grows, and the scores with it.
 *
 * Holds the states of both methods and calls the one whose phase it is.
 */
#include "train/genetic.h"
#include "train/gradient.h"
#include "train/registry.h"

#include <string.h>

typedef struct HybridParameters {
    GeneticParameters genetic;
    GradientParameters gradient;
    int64_t patience;
} HybridParameters;

static const Option rows[] = {
    GENETIC_ROWS,
    TUNED_REAL(HybridParameters, gradient.small, "small", "0.1", 1e-9, 1e9, "0.01..0.3 log",
               "gradient: the small step"),
    TUNED_REAL(HybridParameters, gradient.large, "large", "0.5", 1e-9, 1e9, "0.3..5 log",
               "gradient: the large step"),
    TUNED_INTEGER(HybridParameters, patience, "patience", "10", 1, 1e9, "2..40 log",
                  "generations without a better best that end the genetic part"),
};

typedef struct HybridState {
    GeneticState genetic;
    GradientState gradient;
    int64_t climbing; /* 1: the genetic part is over */
    int64_t stale, scored;
    double record;
} HybridState;

static bool check(const TrainSpace *space, const void *parameters, Status *status) {
    return genetic_method.check(space, parameters, status);
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    HybridState *state = given;
    genetic_method.start(&state->genetic, space, parameters);
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    HybridState *state = given;
    const HybridParameters *settings = parameters;
    if (state->climbing)
        gradient_method.ask(&state->gradient, space, &settings->gradient, rng, batch);
    else
        genetic_method.ask(&state->genetic, space, &settings->genetic, rng, batch);
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    HybridState *state = given;
    const HybridParameters *settings = parameters;
    if (state->climbing) {
        gradient_method.tell(&state->gradient, space, &settings->gradient, rng, batch);
        return;
    }
    genetic_method.tell(&state->genetic, space, &settings->genetic, rng, batch);
    double score = batch->scores[train_best(batch->scores, batch->count)];
    bool better = !state->scored || score > state->record;
    state->scored = 1;
    state->stale = better ? 0 : state->stale + 1;
    state->record = better ? score : state->record;
    if (state->stale < settings->patience)
        return;
    state->climbing = 1;
    memcpy(state->gradient.current, state->genetic.best, sizeof state->gradient.current);
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    const HybridState *state = given;
    if (state->climbing)
        gradient_method.best(&state->gradient, space, vector);
    else
        genetic_method.best(&state->genetic, space, vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    HybridState *state = given;
    const HybridParameters *settings = parameters;
    archive->integer(archive, "climbing", &state->climbing, 0, 1);
    archive->integer(archive, "scored", &state->scored, 0, 1);
    archive->integer(archive, "stale", &state->stale, 0, INT64_MAX / 4);
    archive->reals(archive, "record", &state->record, 1, -INFINITY);
    if (state->climbing)
        gradient_method.visit(&state->gradient, space, &settings->gradient, archive);
    else
        genetic_method.visit(&state->genetic, space, &settings->genetic, archive);
}

const TrainMethod hybrid_method = {
    .name = "hybrid",
    .summary = "genetic until it stagnates, then gradient",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(HybridParameters),
    .state_bytes = sizeof(HybridState),
    .games = 3,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
};
