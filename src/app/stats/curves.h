/*
 * curves: the progress of many runs as one curve with a band, and when they reach targets.
 *
 * A run's evolution is a step function: between two points the earlier one holds, after the last
 * one the last. Runs are read at common places from where all of them have begun to where the last
 * of them ends: a mean over the reports themselves would weigh the runs that report most.
 */
#ifndef TETROPT_STATS_CURVES_H
#define TETROPT_STATS_CURVES_H

#include "stats/runs.h"

typedef enum CurveOf { CURVE_BEST, CURVE_CURRENT, CURVE_TEMPERATURE } CurveOf;

/* How the places are spread. */
typedef enum CurveSpread {
    CURVE_LOGARITHMIC, /* evenly on a logarithmic axis: evaluations */
    CURVE_EVEN         /* at integers: generations */
} CurveSpread;

/* Median and quartiles of the runs that have an evolution; count 0: there are none. */
typedef struct Curve {
    double *x, *median, *lower, *upper;
    size_t count;
} Curve;

/* Lives in the arena, as do the numbers of all functions below. */
Curve curve_of(RunList list, CurveOf of, CurveSpread spread, Arena *arena);

/* The first evaluation at which the run was at `target` or better; INFINITY: never. */
double curve_reached(const StoreRun *run, double target);

enum { CURVE_TARGETS = 10 };

/* The targets of a list of runs: the deciles of their final values, the best one last. False when
 * no run has an evolution that came to a value. */
bool curve_targets(RunList list, double targets[CURVE_TARGETS], Arena *arena);

/* The evaluations that the runs took to the targets, all pairs, sorted. */
Numbers curve_times(RunList list, const double targets[CURVE_TARGETS], Arena *arena);

#endif
