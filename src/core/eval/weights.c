/* weights: the published sets as they are written, and how weights become integers. */
#include "eval/weights.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weights of the first two features and of the last, then those from the third on in the order
 * of the enumeration; others are 0. */
#define SET(landing, eroded, removed, ...)                                                         \
    {                                                                                              \
        .values = {                                                                                \
            [FEATURE_ROWS_REMOVED] = removed,                                                      \
            [FEATURE_LANDING_HEIGHT] = landing,                                                    \
            [FEATURE_ERODED_CELLS] = eroded,                                                       \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

const WeightSet weight_sets[WEIGHT_SET_COUNT] = {
    {"dellacherie", SET(-1, 1, 0, -1, -1, -4, -1)},
    {"el-tetris", SET(-4.500158825082766, 0, 3.4181268101392694, -3.2178882868487753,
                      -9.348695305445199, -7.899265427351652, -3.3855972247263626)},
    {"cma-dellacherie", SET(-1.168, 1.328, 0, -1.017, -2.168, -4.335, -1.472)},
    {"bcts",
     SET(-12.62900, 6.601974, 0, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087)},
    {"dt10", SET(-2.18, 2.42, 0, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27)},
    {"dt20", SET(-2.68, 1.38, 0, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89)},
};

const WeightSet *weight_set_find(const char *name) {
    for (int i = 0; i < WEIGHT_SET_COUNT; i++)
        if (strcmp(name, weight_sets[i].name) == 0)
            return &weight_sets[i];
    return NULL;
}

/* Powers of ten up to 10^22 are exact, larger weights make no sense. */
static double scale_of(int decimals) {
    double power = 1;
    for (int i = 0; i < abs(decimals); i++)
        power *= 10;
    return decimals < 0 ? 1 / power : power;
}

/* Fills the table, with the smallest unit 1, 2, 5, 10, ... of the last decimal under which all
 * multiples stay within the limit. */
static void fix_surface(FixedWeights *fixed, const double *weights, double scale) {
    double largest = 0, unit = 1;
    for (int i = 0; i < SURFACE_PATTERNS; i++)
        largest = fmax(largest, fabs(weights[i] * scale));
    if (largest == 0)
        return;
    while (largest / unit > WEIGHTS_SURFACE_LIMIT) {
        double lead = unit;
        while (lead >= 10)
            lead /= 10;
        unit *= lead == 2 ? 2.5 : 2;
    }
    fixed->values[WEIGHTS_SURFACE] = (int32_t)(2 * unit);
    for (int a = 0; a < SURFACE_STEPS; a++)
        for (int b = 0; b < SURFACE_STEPS; b++)
            fixed->surface[surface_place(a, b)] =
                (int16_t)lround(weights[surface_pattern(a, b)] * scale / unit);
}

int64_t weights_surface_score(const FixedWeights *weights, const Columns *columns) {
    if (!weights->values[WEIGHTS_SURFACE])
        return 0;
    int places[BOARD_MAX_WIDTH], sum = 0;
    surface_places(columns, places);
    for (int x = 0; x < columns->width; x++)
        sum += weights->surface[places[x]];
    return (int64_t)weights->values[WEIGHTS_SURFACE] * sum;
}

FixedWeights weights_fix(const Weights *weights) {
    double largest = 0;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        assert(isfinite(weights->values[i]));
        largest = fmax(largest, fabs(weights->values[i]));
    }
    for (int i = 0; i < SURFACE_PATTERNS; i++) {
        assert(isfinite(weights->surface[i]));
        largest = fmax(largest, fabs(weights->surface[i]));
    }
    FixedWeights fixed = {.decimals = WEIGHTS_MAX_DECIMALS};
    while (2 * (largest * scale_of(fixed.decimals)) > WEIGHTS_FIXED_LIMIT - 2)
        fixed.decimals--;
    double scale = scale_of(fixed.decimals);
    for (int i = 0; i < FEATURE_COUNT; i++) {
        int32_t value = (int32_t)lround(weights->values[i] * scale);
        fixed.values[i] = i == FEATURE_LANDING_HEIGHT ? value : 2 * value;
    }
    fix_surface(&fixed, weights->surface, scale);
    return fixed;
}
