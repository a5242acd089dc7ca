/*
 * curves: how many runs go, as one line with a band, and how soon they reach targets.
 *
 * A run's evolution is a step function: between two points the earlier one holds, after the last
 * one the last. Runs are read at common places, spread evenly on a logarithmic axis from where all
 * of them have begun to where the last of them ends.
 */
#ifndef TETROPT_EXPERIMENT_CURVES_H
#define TETROPT_EXPERIMENT_CURVES_H

#include "experiment/runs.h"

typedef enum CurveOf { CURVE_BEST, CURVE_CURRENT, CURVE_TEMPERATURE } CurveOf;

/* How the places are spread. */
typedef enum CurveSpread {
    CURVE_LOGARITHMIC,
    CURVE_EVEN /* at whole numbers: generations */
} CurveSpread;

/* Median and quartiles of the runs that have an evolution; count 0: there are none. */
typedef struct Curve {
    double *x, *median, *lower, *upper;
    size_t count;
    size_t runs;
} Curve;

Curve curve_of(RunList list, CurveOf of, CurveSpread spread, Arena *arena);

/* The first evaluation at which the run was at `target` or better; INFINITY: never. */
double curve_reached(const StoreRun *run, double target);

enum { CURVE_TARGETS = 10 };

/* The targets of a list of runs: the deciles of their final values, the best one last. False when
 * no run has an evolution. */
bool curve_targets(RunList list, double *targets, Arena *arena);

/* The evaluations that the runs took to the targets, all pairs, sorted. */
Numbers curve_times(RunList list, const double *targets, Arena *arena);

#endif
