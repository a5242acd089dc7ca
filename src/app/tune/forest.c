/*
 * forest: 1. a configuration's value is the mean of its results, each compared with the others on
 * its instance. 2. Trees on bootstrap samples, split where the squared error falls most. 3.
 * Marginal means on a grid of each parameter and each pair.
 */
#include "tune/forest.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    TREES = 30,
    LEAF = 3, /* configurations of a leaf, at least */
    NODES = 511,
    LEVELS = 8,
    GRID = 6,     /* places of a parameter */
    POINTS = 100, /* random configurations of a mean */
    TOTAL = 2000, /* of the variance of all */
    LEAST = 12    /* configurations */
};

typedef struct Node {
    int parameter; /* -1: a leaf */
    double limit;  /* below it: the left child */
    double value;
    int left, right;
} Node;

typedef struct Forest {
    const Space *space;
    double (*x)[SPACE_MAX]; /* of every configuration, 0..1; -0.5: inactive */
    double *y;
    int count;
    Node (*trees)[NODES];
    int *sample; /* of the tree that grows */
} Forest;

/* ---- the data */

static void to_units(const Space *space, const SpaceConfig *config, double *x) {
    for (int i = 0; i < space->count; i++)
        x[i] = isnan(config->values[i]) ? -0.5 : space_to_unit(&space->items[i], config->values[i]);
}

/* The mean of the results of a configuration, each minus the mean of its instance, in deviations of
 * that instance. */
static double standard_value(const Tuner *tuner, const TunerConfig *config) {
    double sum = 0;
    int known = 0;
    for (int i = 0; i < config->result_count; i++) {
        if (isnan(config->results[i]))
            continue;
        double mean = 0, squares = 0, n = 0;
        for (size_t k = 0; k < tuner->count; k++) {
            const TunerConfig *other = &tuner->configs[k];
            double value = i < other->result_count ? other->results[i] : NAN;
            if (isnan(value))
                continue;
            n++;
            squares += (value - mean) * (value - mean) * (n - 1) / n;
            mean += (value - mean) / n;
        }
        if (n > 1 && squares > 0) {
            sum += (config->results[i] - mean) / sqrt(squares / (n - 1));
            known++;
        }
    }
    return known > 0 ? sum / known : NAN;
}

static void read_data(const Tuner *tuner, Forest *forest) {
    for (size_t i = 0; i < tuner->count; i++) {
        double value = standard_value(tuner, &tuner->configs[i]);
        if (isnan(value))
            continue;
        to_units(forest->space, &tuner->configs[i].values, forest->x[forest->count]);
        forest->y[forest->count++] = value;
    }
}

/* ---- trees */

static double mean_of(const Forest *forest, const int *sample, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += forest->y[sample[i]];
    return sum / count;
}

/* How much the squared error falls with this split; -1: a side is too small. */
static double gain(const Forest *forest, const int *sample, int count, int parameter,
                   double limit) {
    double sums[2] = {0, 0};
    int counts[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        int side = forest->x[sample[i]][parameter] >= limit;
        sums[side] += forest->y[sample[i]];
        counts[side]++;
    }
    if (counts[0] < LEAF || counts[1] < LEAF)
        return -1;
    double all = sums[0] + sums[1];
    return sums[0] * sums[0] / counts[0] + sums[1] * sums[1] / counts[1] - all * all / count;
}

/* Grows the node `at`; returns the number of nodes so far. */
static int grow(Forest *forest, Node *tree, int at, int used, int *sample, int count, int level,
                Rng *rng) {
    Node *node = &tree[at];
    *node = (Node){.parameter = -1, .value = mean_of(forest, sample, count)};
    double best = 1e-12;
    for (int i = 0; level < LEVELS && used + 2 <= NODES && i < forest->space->count; i++) {
        if (rng_real(rng) > 2.0 / 3) /* every split sees some of the parameters */
            continue;
        for (int tries = 0; tries < 12; tries++) {
            double a = forest->x[sample[rng_below(rng, (uint32_t)count)]][i];
            double b = forest->x[sample[rng_below(rng, (uint32_t)count)]][i];
            double own = a == b ? -1 : gain(forest, sample, count, i, (a + b) / 2);
            if (own > best) {
                best = own;
                node->parameter = i;
                node->limit = (a + b) / 2;
            }
        }
    }
    if (node->parameter < 0)
        return used;
    int left = 0; /* the sample is divided in place */
    for (int i = 0; i < count; i++)
        if (forest->x[sample[i]][node->parameter] < node->limit) {
            int swap = sample[i];
            sample[i] = sample[left];
            sample[left++] = swap;
        }
    node->left = used;
    node->right = used + 1;
    used = grow(forest, tree, node->left, used + 2, sample, left, level + 1, rng);
    return grow(forest, tree, node->right, used, sample + left, count - left, level + 1, rng);
}

static double predict(const Forest *forest, const double *x) {
    double sum = 0;
    for (int t = 0; t < TREES; t++) {
        const Node *node = forest->trees[t];
        while (node->parameter >= 0)
            node = &forest->trees[t][x[node->parameter] < node->limit ? node->left : node->right];
        sum += node->value;
    }
    return sum / TREES;
}

/* ---- shares of the variance */

static double variance(const double *values, int count) {
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++)
        mean += values[i] / count;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean) / count;
    return squares;
}

/* The mean prediction over the points, with parameters i and j (-1: none) at places of the grid. */
static double marginal(const Forest *forest, double (*points)[SPACE_MAX], int i, double at_i, int j,
                       double at_j) {
    double sum = 0;
    for (int k = 0; k < POINTS; k++) {
        double x[SPACE_MAX];
        for (int p = 0; p < forest->space->count; p++)
            x[p] = p == i ? at_i : p == j ? at_j : points[k][p];
        sum += predict(forest, x);
    }
    return sum / POINTS;
}

static int places(const SpaceParameter *parameter) {
    return parameter->kind == SPACE_WORD && parameter->word_count < GRID ? parameter->word_count
                                                                         : GRID;
}

static double place(const SpaceParameter *parameter, int index) {
    int count = places(parameter);
    return count > 1 ? (double)index / (count - 1) : 0;
}

static void split_variance(const Forest *forest, double (*points)[SPACE_MAX],
                           Importance *importance) {
    const Space *space = forest->space;
    double all[TOTAL], single[SPACE_MAX];
    for (int k = 0; k < TOTAL; k++)
        all[k] = predict(forest, points[k]);
    double total = variance(all, TOTAL);
    importance->count = total > 0 ? space->count : 0;
    for (int i = 0; i < importance->count; i++) {
        double values[GRID];
        int count = places(&space->items[i]);
        for (int a = 0; a < count; a++)
            values[a] = marginal(forest, points, i, place(&space->items[i], a), -1, 0);
        single[i] = variance(values, count);
        importance->single[i] = importance->pair[i][i] = fmin(single[i] / total, 1);
    }
    for (int i = 0; i < importance->count; i++)
        for (int j = 0; j < i; j++) {
            double values[GRID * GRID];
            int count = 0;
            for (int a = 0; a < places(&space->items[i]); a++)
                for (int b = 0; b < places(&space->items[j]); b++)
                    values[count++] = marginal(forest, points, i, place(&space->items[i], a), j,
                                               place(&space->items[j], b));
            double both = variance(values, count) - single[i] - single[j];
            importance->pair[i][j] = importance->pair[j][i] = fmin(fmax(both / total, 0), 1);
        }
}

bool forest_importance(const Tuner *tuner, Importance *importance, Status *status) {
    *importance = (Importance){0};
    const Space *space = tuner->task->space;
    Forest forest = {.space = space};
    forest.x = memory_new(tuner->count, sizeof *forest.x, status);
    forest.y = memory_new(tuner->count, sizeof *forest.y, status);
    forest.sample = memory_new(tuner->count, sizeof *forest.sample, status);
    forest.trees = memory_new(TREES, sizeof *forest.trees, status);
    double(*points)[SPACE_MAX] = memory_new(TOTAL, sizeof *points, status);
    bool ok = forest.x && forest.y && forest.sample && forest.trees && points;
    if (ok)
        read_data(tuner, &forest);
    if (ok && forest.count >= LEAST) {
        Rng rng;
        rng_init(&rng, tuner->task->seed, 1000000);
        for (int t = 0; t < TREES; t++) {
            for (int i = 0; i < forest.count; i++)
                forest.sample[i] = (int)rng_below(&rng, (uint32_t)forest.count);
            grow(&forest, forest.trees[t], 0, 1, forest.sample, forest.count, 0, &rng);
        }
        for (int k = 0; k < TOTAL; k++) {
            SpaceConfig config = space_random(space, &rng);
            to_units(space, &config, points[k]);
        }
        split_variance(&forest, points, importance);
    }
    free(forest.x);
    free(forest.y);
    free(forest.sample);
    free(forest.trees);
    free(points);
    return ok;
}
