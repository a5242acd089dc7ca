/*
 * select: the value of a given rank, without sorting.
 *
 * Quickselect (Hoare) on a copy that the caller gives away. Asking for a value and not for an order
 * makes the answer independent of how equal values lie, so ties are settled by the caller.
 */
#ifndef TETROPT_OPTIM_SELECT_H
#define TETROPT_OPTIM_SELECT_H

#include <stddef.h>

/* The rank-th largest of `count` values (rank 0: the largest); reorders `values`. No NaN. */
double select_largest(double *values, size_t count, size_t rank);

#endif
