/* offline: one trial is one run of an optimiser on a drawn piece sequence. */
#include "train/offline.h"

#include "engine/randomizer.h"
#include "solve/solve.h"

#include <math.h>
#include <stdlib.h>

enum { FACTORS = 7, WEIGHTS = FACTORS + HEURISTIC_COUNT };

static const char *const names[WEIGHTS] = {
    "score",
    "noop",
    "unplaced",
    "lines",
    "placed",
    "tetrises",
    "peak",
    "blocks",
    "weighted_blocks",
    "clearable_lines",
    "roughness",
    "column_holes",
    "connected_holes",
    "blocks_above_holes",
    "pit_hole_percent",
    "deepest_well",
};

const EvaluatorKind offline_kind = {
    .name = "profile",
    .summary = "the factors of a fitness profile of the offline problem",
    .count = WEIGHTS,
    .names = names,
};

void offline_weights(const FitnessProfile *profile, double *weights) {
    const double factors[FACTORS] = {profile->score, profile->noop,   profile->unplaced,
                                     profile->lines, profile->placed, profile->tetrises,
                                     profile->peak};
    for (int i = 0; i < FACTORS; i++)
        weights[i] = factors[i];
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        weights[FACTORS + i] = profile->heuristics * profile->weights[i];
}

FitnessProfile offline_profile(const double *weights) {
    FitnessProfile profile = {.score = weights[0],
                              .noop = weights[1],
                              .heuristics = 1,
                              .unplaced = weights[2],
                              .lines = weights[3],
                              .placed = weights[4],
                              .tetrises = weights[5],
                              .peak = weights[6]};
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        profile.weights[i] = weights[FACTORS + i];
    return profile;
}

/* The list of a trial: whole bags, one piece more than are placed, as swaps may look ahead. */
static void draw_list(EvalRequest *request, uint64_t seed, int placements) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    request->placements = placements;
    request->piece_count = (placements + PIECE_COUNT) / PIECE_COUNT * PIECE_COUNT;
    for (int i = 0; i < request->piece_count; i++)
        request->pieces[i] = (uint8_t)randomizer_next(&randomizer);
}

static bool play(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    (void)candidate;
    const TrainOffline *offline = context;
    EvalRequest *request = calloc(1, sizeof *request);
    SolveAnswer *answer = calloc(1, sizeof *answer);
    bool ok = (request && answer) || status_no_memory(status);
    if (ok) {
        request->encoding = offline->encoding;
        grid_init(&request->grid, offline->width, offline->height);
        draw_list(request, seed + (uint64_t)trial, (int)pieces);
        SolveTask task = {.request = request,
                          .profile = offline_profile(weights),
                          .optimiser = offline->optimiser,
                          .seed = seed + (uint64_t)trial,
                          .threads = 1,
                          .evaluations = offline->evaluations,
                          .stop = offline->stop};
        ok = solve_run(&task, answer, status);
    }
    if (ok) {
        const DecodeState *state = &answer->result.state;
        int blocks = answer->result.heuristics.values[HEURISTIC_BLOCKS];
        *result = (TrialResult){.score = -(blocks + 4 * (pieces - state->placed)),
                                .lines = state->lines,
                                .pieces = state->placed,
                                .complete = answer->end != OPTIM_STOPPED};
    }
    free(request);
    free(answer);
    return ok;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted_scores(const TrialResult *results, size_t count) {
    double *values = malloc(count * sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        values[i] = (double)results[i].score;
    if (values)
        qsort(values, count, sizeof *values, compare);
    return values;
}

static double median_of(const double *sorted, size_t count) {
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double score(const void *context, const TrialResult *results, size_t count) {
    (void)context;
    double *values = sorted_scores(results, count);
    if (!values)
        return NAN;
    double median = median_of(values, count);
    free(values);
    return median;
}

/* The interval of a median: the order statistics between which it lies with 95 %, by the normal
 * approximation of the binomial. */
static bool summarise(const void *context, const TrialResult *results, size_t count,
                      TrialSummary *summary, Status *status) {
    (void)context;
    double *values = sorted_scores(results, count);
    if (!values)
        return status_no_memory(status);
    /* 1.96 deviations of a binomial, whose variance is count / 4. */
    double half = 0.979982 * sqrt((double)count), middle = (double)count / 2;
    double low = floor(middle - half), high = ceil(middle + half);
    *summary = (TrialSummary){
        .mean = median_of(values, count),
        .low = values[low > 0 ? (size_t)low : 0],
        .high = values[high < (double)count ? (size_t)high : count - 1],
    };
    free(values);
    return true;
}

TrainObjective offline_objective(const TrainOffline *offline) {
    return (TrainObjective){
        .measure = "minus-blocks-left",
        .play = play,
        .score = score,
        .summarise = summarise,
        .context = offline,
    };
}
