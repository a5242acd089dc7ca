/*
 * custom: a problem that a caller defines: genes within ranges, and a function for their fitness.
 *
 * A gene is an int16_t and a unit of its own. Neighbours are numbered as problem.h asks for, with
 * as many values for every gene as the widest range has; what is above the range of a gene names no
 * change.
 */
#ifndef TETROPT_PROBLEM_CUSTOM_H
#define TETROPT_PROBLEM_CUSTOM_H

#include "base/status.h"
#include "problem/problem.h"

enum { CUSTOM_MAX_GENES = 1000000 };

typedef struct Custom Custom;

/* Writes the fitness of `count` genotypes, one row of genes after the other; each must be finite.
 * Not 0: it failed. */
typedef int CustomEvaluate(void *context, const int16_t *genes, size_t count, double *fitness);

/* A problem with the ranges low[i]..high[i]. NULL with `status`: they are invalid, or no memory. */
Custom *custom_new(size_t genes, const int *low, const int *high, CustomEvaluate *evaluate,
                   void *context, Status *status);
void custom_free(Custom *custom); /* NULL is fine */

/* Lives as long as `custom`. Only one thread at a time may evaluate. */
const Problem *custom_problem(const Custom *custom);

/* Evaluates rows of genes; false when the function failed or a fitness was not finite. */
bool custom_evaluate(const Custom *custom, const int16_t *genes, size_t count, double *fitness,
                     Status *status);

/* True when an evaluation has failed since the last call with `clear`, or since the start. Until
 * then every genotype has the fitness -DBL_MAX. */
bool custom_failed(Custom *custom, bool clear, Status *status);

#endif
