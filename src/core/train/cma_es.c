/*
 * cma-es: the covariance matrix adaptation evolution strategy with its published constants (Hansen,
 * "The CMA evolution strategy: a tutorial"; the damping is that of his program purecma), and its
 * noise handling (Hansen, Niederberger, Guzzella and Koumoutsakos, 2009).
 *
 * Noise: the first few candidates of a generation are scored a second time on other seeds. When
 * their ranks change more than randomness explains, every candidate plays more games from then on,
 * and slowly fewer again when they do not. What is given in the end is the mean of the
 * distribution, an average over many generations, and not the sample that was luckiest.
 *
 * Where only the direction of a vector matters, the mean is brought back to length 1 after every
 * generation, and the step size with it: the same distribution on another scale. Dividing only the
 * mean lets the step size run away, because a mean that is pulled back every time looks like one
 * that should go further.
 *
 * The update of the tutorial in its order: mean, evolution paths, covariance, step size.
 *
 * The names of constants are those of the tutorial. The covariance is decomposed by `ask`, once per
 * generation.
 */
#include "base/normal.h"
#include "base/options.h"
#include "base/real.h"
#include "train/matrix.h"
#include "train/registry.h"

#include <math.h>
#include <string.h>

enum { MAX_WEIGHTS = TRAIN_MAX_WEIGHTS, MAX_LAMBDA = 512 };

typedef struct CmaParameters {
    int64_t lambda, again;
    double sigma, effort;
} CmaParameters;

static const Option rows[] = {
    TUNED_INTEGER(CmaParameters, lambda, "lambda", "0", 0, MAX_LAMBDA, "0..60",
                  "candidates per generation; 0: 4 + 3 ln(number of weights)"),
    TUNED_REAL(CmaParameters, sigma, "sigma", "0.5", 1e-9, 1e9, "0.05..5 log",
               "initial step size; where only the direction counts, the start has length 1"),
    TUNED_INTEGER(CmaParameters, again, "again", "2", 0, 64, "0..8",
                  "candidates scored a second time to measure the noise; 0: none"),
    TUNED_REAL(CmaParameters, effort, "effort", "8", 1, 1000, "1..32 log",
               "largest factor by which noise may raise the number of games"),
};

typedef struct CmaState {
    int64_t generation;
    double mean[MAX_WEIGHTS], sigma, path_sigma[MAX_WEIGHTS], path_c[MAX_WEIGHTS];
    double covariance[MAX_WEIGHTS * MAX_WEIGHTS]; /* count x count */
    double effort;                                /* see TrainBatch */
    /* derived from the covariance by `ask`, for `tell` */
    double axes[MAX_WEIGHTS * MAX_WEIGHTS], lengths[MAX_WEIGHTS];
} CmaState;

/* The constants for a dimension and a number of candidates, by the names of the tutorial;
 * `expected` is the expected length of a standard normal vector. */
typedef struct Constants {
    int lambda, mu;
    double weights[MAX_LAMBDA];
    double mueff, cc, cs, c1, cmu, damping, expected;
} Constants;

static int lambda_of(const TrainSpace *space, const CmaParameters *parameters) {
    if (parameters->lambda > 0)
        return (int)parameters->lambda;
    return 4 + (int)(3 * real_log(space->count));
}

static Constants constants_of(const TrainSpace *space, const CmaParameters *parameters) {
    double n = space->count;
    Constants c = {.lambda = lambda_of(space, parameters)};
    c.mu = c.lambda / 2;
    double sum = 0, squares = 0;
    for (int i = 0; i < c.mu; i++) {
        c.weights[i] = real_log(c.mu + 0.5) - real_log(i + 1);
        sum += c.weights[i];
    }
    for (int i = 0; i < c.mu; i++) {
        c.weights[i] /= sum;
        squares += c.weights[i] * c.weights[i];
    }
    c.mueff = 1 / squares;
    c.cc = (4 + c.mueff / n) / (n + 4 + 2 * c.mueff / n);
    c.cs = (c.mueff + 2) / (n + c.mueff + 5);
    c.c1 = 2 / ((n + 1.3) * (n + 1.3) + c.mueff);
    c.cmu = fmin(1 - c.c1, 2 * (c.mueff - 2 + 1 / c.mueff) / ((n + 2) * (n + 2) + c.mueff));
    c.damping = 2 * c.mueff / c.lambda + 0.3 + c.cs;
    c.expected = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    return c;
}

static bool check(const TrainSpace *space, const void *given, Status *status) {
    const CmaParameters *parameters = given;
    int lambda = lambda_of(space, parameters);
    if (lambda < 4)
        return status_fail(status, STATUS_INPUT, "lambda: %d is less than 4", lambda);
    if (parameters->again > lambda)
        return status_fail(status, STATUS_INPUT, "again: more than the %d candidates", lambda);
    return true;
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    CmaState *state = given;
    memcpy(state->mean, space->start, sizeof state->mean);
    train_normalise(space, state->mean);
    state->sigma = ((const CmaParameters *)parameters)->sigma;
    state->effort = 1;
    for (int i = 0; i < space->count; i++)
        state->covariance[i * space->count + i] = 1;
}

/* Axes and their lengths from the covariance. Rounding must not make a variance negative. */
static void decompose(CmaState *state, int n) {
    double copy[MAX_WEIGHTS * MAX_WEIGHTS], values[MAX_WEIGHTS], largest = 1e-280;
    memcpy(copy, state->covariance, sizeof copy);
    matrix_eigen(copy, n, values, state->axes);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, values[i]);
    for (int i = 0; i < n; i++)
        state->lengths[i] = sqrt(fmax(values[i], largest * 1e-14));
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    CmaState *state = given;
    const CmaParameters *settings = parameters;
    int n = space->count, lambda = lambda_of(space, settings);
    decompose(state, n);
    for (int k = 0; k < lambda; k++) {
        double scaled[MAX_WEIGHTS];
        for (int i = 0; i < n; i++)
            scaled[i] = state->lengths[i] * normal_draw(rng);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += state->axes[i * n + j] * scaled[j];
            double value = state->mean[i] + state->sigma * sum;
            batch->vectors[k][i] = isfinite(value) ? value : state->mean[i];
        }
        train_raise(space, batch->vectors[k]);
    }
    batch->count = lambda;
    for (int k = 0; k < settings->again; k++) {
        memcpy(batch->vectors[batch->count], batch->vectors[k], sizeof batch->vectors[k]);
        batch->again[batch->count++] = true;
    }
    batch->effort = state->effort;
}

/* ---- noise */

/* The rank of `value`, which is one of `values`, from 1 for the best. Ties share the mean rank. */
static double rank_of(double value, const double *values, int count) {
    double above = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        above += values[i] > value;
        equal += values[i] == value;
    }
    return 1 + above + (equal - 1) / 2;
}

/* The change of rank that a candidate of rank `rank` may show: the share theta/2 (theta = 0.2) of
 * the changes that all 2 lambda - 1 other ranks would mean. */
static double change_allowed(double rank, int lambda) {
    double changes[2 * MAX_LAMBDA];
    int count = 2 * lambda - 1;
    for (int i = 0; i < count; i++) {
        double change = fabs(i + 1 - rank);
        int at = i;
        for (; at > 0 && changes[at - 1] > change; at--)
            changes[at] = changes[at - 1];
        changes[at] = change;
    }
    return changes[(int)(0.1 * count)];
}

/* Above 0 when ranks change more than they may. */
static double noise_of(const TrainBatch *batch, int lambda, int twice) {
    double all[2 * MAX_LAMBDA];
    for (int i = 0; i < lambda; i++) {
        all[i] = batch->scores[i];
        all[lambda + i] = i < twice ? batch->scores[lambda + i] : batch->scores[i];
    }
    double sum = 0;
    for (int i = 0; i < twice; i++) {
        double first = rank_of(all[i], all, 2 * lambda);
        double second = rank_of(all[lambda + i], all, 2 * lambda);
        double change = fmax(fabs(second - first) - 1, 0); /* neighbours have not changed */
        sum += 2 * change - change_allowed(second - (all[i] > all[lambda + i]), lambda) -
               change_allowed(first - (all[lambda + i] > all[i]), lambda);
    }
    return sum / twice;
}

/* Up fast, down slowly. */
static void adapt_effort(CmaState *state, const CmaParameters *parameters, const TrainBatch *batch,
                         int lambda) {
    int twice = (int)parameters->again;
    if (twice == 0)
        return;
    if (noise_of(batch, lambda, twice) > 0)
        state->effort = fmin(state->effort * 1.5, parameters->effort);
    else
        state->effort = fmax(state->effort * 0.9, 1);
}

/* ---- the update */

/* The weighted mean of the best steps, in units of sigma. */
static void mean_step(const CmaState *state, const Constants *c, const TrainBatch *batch,
                      const int *order, int n, double *step) {
    for (int i = 0; i < n; i++) {
        step[i] = 0;
        for (int k = 0; k < c->mu; k++)
            step[i] += c->weights[k] * (batch->vectors[order[k]][i] - state->mean[i]);
        step[i] /= state->sigma;
    }
}

/* The evolution paths. Returns whether the path of the covariance was held back. */
static bool follow_paths(CmaState *state, const Constants *c, const double *step, int n) {
    double whitened[MAX_WEIGHTS];
    for (int j = 0; j < n; j++) {
        whitened[j] = 0;
        for (int i = 0; i < n; i++)
            whitened[j] += state->axes[i * n + j] * step[i];
        whitened[j] /= state->lengths[j];
    }
    double gain = sqrt(c->cs * (2 - c->cs) * c->mueff);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += state->axes[i * n + j] * whitened[j];
        state->path_sigma[i] = (1 - c->cs) * state->path_sigma[i] + gain * sum;
    }
    double grown = 1 - real_exp(2 * (double)(state->generation + 1) * real_log(1 - c->cs));
    bool held =
        train_length(state->path_sigma, n) / sqrt(grown) >= (1.4 + 2.0 / (n + 1)) * c->expected;
    double gain_c = held ? 0 : sqrt(c->cc * (2 - c->cc) * c->mueff);
    for (int i = 0; i < n; i++)
        state->path_c[i] = (1 - c->cc) * state->path_c[i] + gain_c * step[i];
    return held;
}

static void update_covariance(CmaState *state, const Constants *c, const TrainBatch *batch,
                              const int *order, int n, bool held) {
    double keep = 1 - c->c1 - c->cmu + (held ? c->c1 * c->cc * (2 - c->cc) : 0);
    double scale = c->cmu / (state->sigma * state->sigma);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < c->mu; k++) {
                const double *x = batch->vectors[order[k]];
                sum += c->weights[k] * (x[i] - state->mean[i]) * (x[j] - state->mean[j]);
            }
            double value = keep * state->covariance[i * n + j] +
                           c->c1 * state->path_c[i] * state->path_c[j] + scale * sum;
            state->covariance[i * n + j] = state->covariance[j * n + i] = value;
        }
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    (void)rng;
    CmaState *state = given;
    const CmaParameters *settings = parameters;
    Constants c = constants_of(space, settings);
    int n = space->count, order[MAX_LAMBDA];
    double scores[MAX_LAMBDA], step[MAX_WEIGHTS];
    for (int k = 0; k < c.lambda; k++)
        scores[k] = k < settings->again ? (batch->scores[k] + batch->scores[c.lambda + k]) / 2
                                        : batch->scores[k];
    train_rank(scores, c.lambda, order);
    adapt_effort(state, settings, batch, c.lambda);
    mean_step(state, &c, batch, order, n, step);
    bool held = follow_paths(state, &c, step, n);
    update_covariance(state, &c, batch, order, n, held);
    for (int i = 0; i < n; i++)
        state->mean[i] += state->sigma * step[i];
    state->sigma /= train_normalise(space, state->mean);
    double change = c.cs / c.damping * (train_length(state->path_sigma, n) / c.expected - 1);
    state->sigma *= real_exp(fmin(change, 1));
    state->sigma = fmin(fmax(state->sigma, 1e-12), 1e12);
    state->generation++;
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const CmaState *)given)->mean, (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    (void)parameters;
    CmaState *state = given;
    int n = space->count;
    archive->integer(archive, "generation", &state->generation, 0, INT64_MAX / 4);
    archive->reals(archive, "mean", state->mean, n, -INFINITY);
    archive->reals(archive, "sigma", &state->sigma, 1, 1e-12);
    archive->reals(archive, "path_sigma", state->path_sigma, n, -INFINITY);
    archive->reals(archive, "path_c", state->path_c, n, -INFINITY);
    archive->reals(archive, "covariance", state->covariance, n * n, -INFINITY);
    archive->reals(archive, "effort", &state->effort, 1, 1);
}

static double spread(const void *state, const TrainSpace *space, const char **name) {
    (void)space;
    *name = "sigma";
    return ((const CmaState *)state)->sigma;
}

const TrainMethod cma_es_method = {
    .name = "cma-es",
    .summary = "covariance matrix adaptation; its result is the mean",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(CmaParameters),
    .state_bytes = sizeof(CmaState),
    .games = 10,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
    .spread = spread,
};
