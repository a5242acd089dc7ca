/*
 * objective: scores a vector of weights by trials (games or others) that can be played in any
 * order, by any thread and on any machine.
 *
 * Trial number t of a seed is the same trial for every candidate. What a trial gives are integers
 * only, so that sums over threads and machines are exact.
 */
#ifndef TETROPT_TRAIN_OBJECTIVE_H
#define TETROPT_TRAIN_OBJECTIVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECTIVE_RISK_LINES 1e18

/* What came of one trial. Numbers that an objective does not know are 0. */
typedef struct TrialResult {
    int64_t score, lines, pieces, deaths;
    int64_t risk;     /* an estimate of top-outs in OBJECTIVE_RISK_LINES lines */
    int64_t complete; /* 0: it was cut by a stop, and says nothing */
} TrialResult;

/* The score with its uncertainty. */
typedef struct TrialSummary {
    double mean;      /* NaN: not known, no game ended */
    double low, high; /* the 95 % interval; high is INFINITY where nothing limits it; both are NaN
                         where one trial says nothing of others */
} TrialSummary;

typedef struct TrainObjective {
    const char *measure; /* what scores count */
    bool knows_score;    /* results have points */
    /* Plays trial `trial` of `seed` with all weights as they are written, at most `pieces` long.
     * `candidate` is the number of these weights in their generation, for observers. */
    bool (*play)(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status);
    /* What the results of one candidate come to; higher is better. NaN: memory ran out. */
    double (*score)(const void *context, const TrialResult *results, size_t count);
    /* The same with an interval, for the end. False with `status` when memory runs out. */
    bool (*summarise)(const void *context, const TrialResult *results, size_t count,
                      TrialSummary *summary, Status *status);
    const void *context;
} TrainObjective;

#endif
