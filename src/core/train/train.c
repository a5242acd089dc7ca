/* train: what the methods share: ranks, limits of weights, normalisation to length 1. */
#include "train/train.h"

void train_rank(const double *scores, int count, int *order) {
    /* By insertion: stable, and a generation takes seconds where this takes microseconds. */
    for (int i = 0; i < count; i++) {
        int at = i;
        while (at > 0 && scores[order[at - 1]] < scores[i]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

int train_best(const double *scores, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

void train_raise(const TrainSpace *space, double *vector) {
    for (int i = 0; i < space->count; i++)
        if (vector[i] < space->low[i])
            vector[i] = space->low[i];
}

double train_length(const double *vector, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += vector[i] * vector[i];
    return sqrt(sum);
}

/* Squares of numbers like 1e300 or 1e-300 leave the range: these are scaled first. Returns by what
 * all were divided. */
static double scale(double *vector, int count) {
    double length = train_length(vector, count), largest = 0;
    if (length > 0 && isfinite(length))
        return 1;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(vector[i]));
    if (largest == 0)
        return 1;
    for (int i = 0; i < count; i++)
        vector[i] /= largest;
    return largest;
}

double train_normalise(const TrainSpace *space, double *vector) {
    double scaled = space->direction ? scale(vector, space->count) : 1;
    double length = train_length(vector, space->count);
    if (!space->direction || length == 0)
        return 1;
    for (int i = 0; i < space->count; i++)
        vector[i] /= length;
    return scaled * length;
}
