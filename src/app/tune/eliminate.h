/*
 * eliminate: which candidates of a race are significantly worse than the best.
 */
#ifndef TETROPT_TUNE_ELIMINATE_H
#define TETROPT_TUNE_ELIMINATE_H

#include "base/status.h"
#include "tune/tuner.h"

/* `values` has one row per instance and one column per candidate, larger being better. Sets
 * worse[i] where candidate i can go at the level `alpha`, and score[i], by which candidates are
 * ordered (the sum of ranks, or minus the mean; smaller is better).
 *
 * Friedman: if the test rejects that all are equal, those go whose sum of ranks is farther from the
 * best one's than Conover's critical difference; two candidates are compared by Wilcoxon's test.
 * t: those go whose mean is significantly below the best mean, by a paired t test each. */
bool eliminate(TunerTest test, double alpha, const double *values, size_t instances,
               size_t candidates, bool *worse, double *score, Status *status);

#endif
