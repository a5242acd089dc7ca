/*
 * bayes: Bayesian optimisation: a Gaussian process models the score as a function of the weights,
 * and the next vector is the one with the largest expected improvement (Jones, Schonlau and Welch,
 * "Efficient global optimization of expensive black-box functions", 1998). For scores that are
 * expensive, and up to about 15 weights.
 *
 * The kernel is Matern's with 5/2, one length for all weights and its own noise; both are chosen
 * again after every generation from a small grid by the likelihood of all that was seen, the height
 * of the kernel in closed form. Scores that are never negative are taken by their logarithm,
 * because games differ by factors. The vectors lie in a box around the start; where only the
 * direction matters they are brought to length 1. What it gives is the vector, of those tried, for
 * which the process expects the most, not the one that scored the most.
 *
 * Fit, then search for the vector with the largest expected improvement.
 *
 * 1. Until there are enough points, a Latin hypercube. 2. The process is fitted to all points. 3.
 * The best of random vectors and of steps around the best point is refined by steps that shrink.
 */
#include "base/normal.h"
#include "base/options.h"
#include "base/real.h"
#include "train/matrix.h"
#include "train/registry.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_WEIGHTS = TRAIN_MAX_WEIGHTS,
    MAX_POINTS = 256,
    DRAWS = 1000, /* vectors tried for the largest expected improvement */
    NEAR = 200,   /* and near the best one */
    REFINE = 5,   /* rounds of NEAR steps around the most promising, each half as wide */
};

/* Deviations of steps, as shares of the box: near the best one, and in the first of those rounds.
 */
static const double NEAR_SHARE = 0.05, REFINE_SHARE = 0.1;

static const double NORMAL_PEAK = 0.3989422804014327; /* the normal density at 0 */

typedef struct BayesParameters {
    int64_t first, points;
    double range;
    int logarithm; /* 0: off, 1: on */
} BayesParameters;

static const Option rows[] = {
    TUNED_INTEGER(BayesParameters, first, "first", "0", 0, MAX_POINTS, "0..60",
                  "vectors of the first generation; 0: twice the number of weights, plus 4"),
    TUNED_INTEGER(BayesParameters, points, "points", "200", 8, MAX_POINTS, "60..256 log",
                  "vectors kept; when there are more, the worst are dropped"),
    TUNED_REAL(BayesParameters, range, "range", "5", 1e-9, 1e9, "0.5..50 log",
               "half the size of the box around the start; where only the direction counts, in "
               "fifths of its length"),
    PARAMETER_CHOICE(BayesParameters, logarithm, "logarithm", "on", "off|on",
                     "learn ln(1 + score) while no score is negative"),
};

typedef struct BayesState {
    int64_t count;
    double points[MAX_POINTS][MAX_WEIGHTS], scores[MAX_POINTS];
    double best[MAX_WEIGHTS];
    /* fitted to them; not saved */
    bool fitted;
    double length, noise, height; /* of the kernel */
    double mean, scale;           /* of the scores as they are learnt */
    double factor[MAX_POINTS * MAX_POINTS], solved[MAX_POINTS];
    double target; /* the best that is expected at any point, standardised */
} BayesState;

static int first_count(const TrainSpace *space, const BayesParameters *parameters) {
    return parameters->first > 0 ? (int)parameters->first : 2 * space->count + 4;
}

static bool check(const TrainSpace *space, const void *given, Status *status) {
    const BayesParameters *parameters = given;
    return first_count(space, parameters) <= parameters->points ||
           status_fail(status, STATUS_INPUT, "first: more than points");
}

/* ---- the space */

/* The box around the start. */
typedef struct Box {
    double low[MAX_WEIGHTS], high[MAX_WEIGHTS];
} Box;

static Box box_of(const TrainSpace *space, const BayesParameters *parameters) {
    Box box;
    double centre[MAX_WEIGHTS];
    memcpy(centre, space->start, sizeof centre);
    train_normalise(space, centre);
    double reach = space->direction ? parameters->range / 5 : parameters->range;
    for (int i = 0; i < space->count; i++) {
        box.low[i] = fmax(centre[i] - reach, space->low[i]);
        box.high[i] = fmax(centre[i] + reach, box.low[i] + reach);
    }
    return box;
}

/* Into the box, and to length 1 where that is meant. */
static void settle(const TrainSpace *space, const Box *box, double *vector) {
    for (int i = 0; i < space->count; i++)
        vector[i] = fmin(fmax(vector[i], box->low[i]), box->high[i]);
    train_normalise(space, vector);
}

static void start(void *given, const TrainSpace *space, const void *parameters) {
    (void)parameters;
    BayesState *state = given;
    memcpy(state->best, space->start, sizeof state->best);
    train_raise(space, state->best);
    train_normalise(space, state->best);
}

/* A Latin hypercube: every weight takes each of `count` slices of its range once. */
static void first_points(const TrainSpace *space, const Box *box, int count, Rng *rng,
                         TrainBatch *batch) {
    for (int i = 0; i < space->count; i++) {
        int slices[MAX_POINTS];
        for (int k = 0; k < count; k++) {
            int other = (int)rng_below(rng, (uint32_t)k + 1);
            slices[k] = slices[other];
            slices[other] = k;
        }
        for (int k = 0; k < count; k++)
            batch->vectors[k][i] =
                box->low[i] + (box->high[i] - box->low[i]) * (slices[k] + rng_real(rng)) / count;
    }
    for (int k = 0; k < count; k++)
        settle(space, box, batch->vectors[k]);
    batch->count = count;
}

/* ---- the process */

/* Matern 5/2 at a distance in widths of the box. */
static double kernel(const TrainSpace *space, const Box *box, double length, const double *a,
                     const double *b) {
    double square = 0;
    for (int i = 0; i < space->count; i++) {
        double d = (a[i] - b[i]) / (box->high[i] - box->low[i]);
        square += d * d;
    }
    double r = sqrt(5 * square) / length;
    return (1 + r + r * r / 3) * real_exp(-r);
}

/* The scores as they are learnt, standardised. */
static void learnt_scores(BayesState *state, const BayesParameters *parameters, double *values) {
    int n = (int)state->count;
    double sum = 0, squares = 0, least = 0;
    for (int i = 0; i < n; i++)
        least = fmin(least, state->scores[i]);
    for (int i = 0; i < n; i++) {
        bool logarithm = parameters->logarithm && least >= 0;
        values[i] = logarithm ? real_log(1 + state->scores[i]) : state->scores[i];
        sum += values[i];
    }
    state->mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += (values[i] - state->mean) * (values[i] - state->mean);
    state->scale = squares > 0 ? sqrt(squares / n) : 1;
    for (int i = 0; i < n; i++)
        values[i] = (values[i] - state->mean) / state->scale;
}

/* Fits with one length and noise. Returns the logarithm of the likelihood, except for a constant;
 * -INFINITY when the matrix is not positive definite. */
static double fit_with(BayesState *state, const TrainSpace *space, const Box *box,
                       const double *values, double length, double noise) {
    int n = (int)state->count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            state->factor[i * n + j] =
                kernel(space, box, length, state->points[i], state->points[j]) + (i == j) * noise;
    if (!matrix_cholesky(state->factor, n))
        return -INFINITY;
    memcpy(state->solved, values, (size_t)n * sizeof *values);
    matrix_solve_lower(state->factor, n, state->solved);
    double square = 0, determinant = 0;
    for (int i = 0; i < n; i++) {
        square += state->solved[i] * state->solved[i];
        determinant += real_log(state->factor[i * n + i]);
    }
    matrix_solve_upper(state->factor, n, state->solved);
    state->length = length;
    state->noise = noise;
    state->height = fmax(square / n, 1e-12);
    return -0.5 * n * real_log(state->height) - determinant;
}

/* What is expected at a vector (standardised), and its deviation. */
static double predict(const BayesState *state, const TrainSpace *space, const Box *box,
                      const double *vector, double *deviation) {
    int n = (int)state->count;
    double row[MAX_POINTS], mean = 0, explained = 0;
    for (int i = 0; i < n; i++) {
        row[i] = kernel(space, box, state->length, vector, state->points[i]);
        mean += row[i] * state->solved[i];
    }
    if (!deviation)
        return mean;
    matrix_solve_lower(state->factor, n, row);
    for (int i = 0; i < n; i++)
        explained += row[i] * row[i];
    *deviation = sqrt(state->height * fmax(1 - explained, 1e-12));
    return mean;
}

/* Fits with the length and noise of the grid that explain the scores best, and finds the best
 * point.
 */
static void fit(BayesState *state, const TrainSpace *space, const BayesParameters *parameters) {
    static const double lengths[] = {0.15, 0.3, 0.6, 1.2, 2.4, 4.8};
    static const double noises[] = {1e-4, 1e-3, 1e-2, 0.1, 0.4, 1.5};
    Box box = box_of(space, parameters);
    double values[MAX_POINTS], record = -INFINITY, length = 1.2, noise = 1.5;
    learnt_scores(state, parameters, values);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof noises / sizeof *noises; j++) {
            double likelihood = fit_with(state, space, &box, values, lengths[i], noises[j]);
            if (likelihood <= record)
                continue;
            record = likelihood;
            length = lengths[i];
            noise = noises[j];
        }
    fit_with(state, space, &box, values, length, noise);
    state->target = -INFINITY;
    for (int i = 0; i < state->count; i++) {
        double expected = predict(state, space, &box, state->points[i], NULL);
        if (expected <= state->target)
            continue;
        state->target = expected;
        memcpy(state->best, state->points[i], sizeof state->best);
    }
    state->fitted = true;
}

/* The normal distribution function (Abramowitz and Stegun 26.2.17), right to 1e-7: enough to
 * compare improvements, and uses only exp. */
static double normal_below(double z) {
    double t = 1 / (1 + 0.2316419 * fabs(z));
    double tail = NORMAL_PEAK * real_exp(-z * z / 2) * t *
                  (0.319381530 +
                   t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? 1 - tail : tail;
}

/* The expected improvement over the target. */
static double promise(const BayesState *state, const TrainSpace *space, const Box *box,
                      const double *vector) {
    double deviation, mean = predict(state, space, box, vector, &deviation);
    double gain = mean - state->target, z = gain / deviation;
    return gain * normal_below(z) + deviation * NORMAL_PEAK * real_exp(-z * z / 2);
}

/* ---- the search for the largest promise */

typedef struct Search {
    const BayesState *state;
    const TrainSpace *space;
    const Box *box;
    double best[MAX_WEIGHTS], promise;
} Search;

static void consider(Search *search, double *vector) {
    settle(search->space, search->box, vector);
    double value = promise(search->state, search->space, search->box, vector);
    if (value <= search->promise)
        return;
    search->promise = value;
    memcpy(search->best, vector, sizeof search->best);
}

/* NEAR steps around `centre`, normal with that share of the box as deviation. */
static void look_near(Search *search, const double *centre, double share, Rng *rng) {
    double from[MAX_WEIGHTS], vector[MAX_WEIGHTS] = {0};
    memcpy(from, centre, sizeof from);
    for (int k = 0; k < NEAR; k++) {
        for (int i = 0; i < search->space->count; i++)
            vector[i] =
                from[i] + share * (search->box->high[i] - search->box->low[i]) * normal_draw(rng);
        consider(search, vector);
    }
}

static void ask(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch) {
    BayesState *state = given;
    const BayesParameters *settings = parameters;
    Box box = box_of(space, settings);
    if (state->count == 0) {
        first_points(space, &box, first_count(space, settings), rng, batch);
        return;
    }
    if (!state->fitted)
        fit(state, space, settings);
    Search search = {.state = state, .space = space, .box = &box, .promise = -INFINITY};
    double vector[MAX_WEIGHTS] = {0};
    for (int k = 0; k < DRAWS; k++) {
        for (int i = 0; i < space->count; i++)
            vector[i] = box.low[i] + (box.high[i] - box.low[i]) * rng_real(rng);
        consider(&search, vector);
    }
    look_near(&search, state->best, NEAR_SHARE, rng);
    double share = REFINE_SHARE;
    for (int round = 0; round < REFINE; round++, share /= 2)
        look_near(&search, search.best, share, rng);
    memcpy(batch->vectors[0], search.best, sizeof search.best);
    batch->count = 1;
}

/* Where a new point goes: behind the last, or over the worst. */
static int64_t slot_for(const BayesState *state, const BayesParameters *parameters) {
    if (state->count < parameters->points)
        return state->count;
    int64_t worst = 0;
    for (int64_t i = 1; i < state->count; i++)
        if (state->scores[i] < state->scores[worst])
            worst = i;
    return worst;
}

static void tell(void *given, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch) {
    (void)rng;
    BayesState *state = given;
    for (int k = 0; k < batch->count; k++) {
        int64_t slot = slot_for(state, parameters);
        memcpy(state->points[slot], batch->vectors[k], sizeof state->points[slot]);
        state->scores[slot] = batch->scores[k];
        if (slot == state->count)
            state->count++;
    }
    fit(state, space, parameters);
}

static void best(const void *given, const TrainSpace *space, double *vector) {
    memcpy(vector, ((const BayesState *)given)->best, (size_t)space->count * sizeof *vector);
}

static void visit(void *given, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive) {
    BayesState *state = given;
    archive->integer(archive, "points", &state->count, 0,
                     ((const BayesParameters *)parameters)->points);
    archive->reals(archive, "best", state->best, space->count, -INFINITY);
    archive->reals(archive, "scores", state->scores, (int)state->count, -INFINITY);
    for (int64_t k = 0; k < state->count; k++) {
        char name[32];
        snprintf(name, sizeof name, "point_%lld", (long long)k);
        archive->reals(archive, name, state->points[k], space->count, -INFINITY);
    }
    state->fitted = state->fitted && !archive->loading;
}

static double spread(const void *state, const TrainSpace *space, const char **name) {
    (void)space;
    *name = "kernel_length";
    return ((const BayesState *)state)->length;
}

const TrainMethod bayes_method = {
    .name = "bayes",
    .summary = "Gaussian process; for up to about 15 weights",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BayesParameters),
    .state_bytes = sizeof(BayesState),
    .games = 20,
    .one_scale = true,
    .check = check,
    .start = start,
    .ask = ask,
    .tell = tell,
    .best = best,
    .visit = visit,
    .spread = spread,
};
