/*
 * cross-entropy: the noisy cross-entropy method (Szita and Lorincz, 2006; Thiery and Scherrer,
 * 2009).
 *
 * Vectors are drawn from independent normals, one per weight; the best few give the next means and
 * variances. Without noise the variances vanish before the means have converged, so a noise is
 * added to every variance that falls to nothing over the generations. The mean is what it gives.
 *
 * Draws around the means, then means and variances of the best candidates.
 */
#include "base/normal.h"
#include "base/options.h"
#include "train/registry.h"

#include <math.h>
#include <string.h>

typedef struct CrossParameters {
    int64_t population, elite;
    double variance, noise, noise_fall;
} CrossParameters;

static const Option rows[] = {
    TUNED_INTEGER(CrossParameters, population, "population", "100", 2, TRAIN_MAX_CANDIDATES,
                  "20..200 log", "vectors of a generation"),
    TUNED_INTEGER(CrossParameters, elite, "elite", "10", 1, TRAIN_MAX_CANDIDATES, "2..20 log",
                  "the best of them, from which the next are drawn"),
    TUNED_REAL(CrossParameters, variance, "variance", "100", 1e-12, 1e12, "1..1000 log",
               "of every weight at the start"),
    TUNED_REAL(CrossParameters, noise, "noise", "5", 0, 1e12, "0..20",
               "added to every variance after the first generation"),
    TUNED_REAL(CrossParameters, noise_fall, "noise-fall", "0.1", 0, 1e12, "0..2",
               "what the noise loses with every generation, down to 0"),
};

typedef struct CrossState {
    int64_t generation;
    double mean[TRAIN_MAX_WEIGHTS], variance[TRAIN_MAX_WEIGHTS];
} CrossState;

static bool check(const TrainSpace *space, const void *given, Status *status) {
    (void)space;
    const CrossParameters *parameters = given;
    return parameters->elite < parameters->population ||
           status_fail(status, STATUS_INPUT, "elite: %lld is not below the population of %lld",
                       (long long)parameters->elite, (long long)parameters->population);
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    CrossState *state = given;
    for (int i = 0; i < space->count; i++) {
        state->mean[i] = space->start[i];
        state->variance[i] = ((const CrossParameters *)parameters)->variance;
    }
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    const CrossState *state = given;
    batch->count = (int)((const CrossParameters *)parameters)->population;
    for (int k = 0; k < batch->count; k++) {
        for (int i = 0; i < space->count; i++)
            batch->vectors[k][i] = state->mean[i] + sqrt(state->variance[i]) * normal_draw(rng);
        train_raise(space, batch->vectors[k]);
    }
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    (void)rng;
    CrossState *state = given;
    const CrossParameters *settings = parameters;
    int order[TRAIN_MAX_CANDIDATES], elite = (int)settings->elite;
    train_rank(batch->scores, batch->count, order);
    state->generation++;
    double noise = fmax(settings->noise - settings->noise_fall * (double)state->generation, 0);
    for (int i = 0; i < space->count; i++) {
        double sum = 0, squares = 0;
        for (int k = 0; k < elite; k++)
            sum += batch->vectors[order[k]][i];
        double mean = sum / elite;
        for (int k = 0; k < elite; k++) {
            double distance = batch->vectors[order[k]][i] - mean;
            squares += distance * distance;
        }
        state->mean[i] = mean;
        state->variance[i] = squares / elite + noise;
    }
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const CrossState *)given)->mean, (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    (void)parameters;
    CrossState *state = given;
    archive->integer(archive, "generation", &state->generation, 0, INT64_MAX / 4);
    archive->reals(archive, "mean", state->mean, space->count, -INFINITY);
    archive->reals(archive, "variance", state->variance, space->count, 0);
}

static double spread(const void *given, const TrainSpace *space, const char **name) {
    const CrossState *state = given;
    double sum = 0;
    for (int i = 0; i < space->count; i++)
        sum += state->variance[i];
    *name = "deviation";
    return sqrt(sum / space->count);
}

const TrainMethod cross_entropy_method = {
    .name = "cross-entropy",
    .summary = "normals fitted to the best vectors, with falling noise",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(CrossParameters),
    .state_bytes = sizeof(CrossState),
    .games = 5,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
    .spread = spread,
};
