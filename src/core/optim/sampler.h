/*
 * sampler: draws items with given weights, for the softmax of ga and the roulette of abc.
 *
 * Invariant: within each block of SAMPLER_BLOCK items `cumulative` holds the running sum of the
 * block's weights, and `before` the sum of all blocks before it. Sums run in the order of the items
 * inside a block and in the order of the blocks, so they do not depend on the number of threads; a
 * draw is a binary search over blocks and one inside a block. (An alias table draws faster but is
 * built by one thread, and a generation draws no more often than it builds.)
 */
#ifndef TETROPT_OPTIM_SAMPLER_H
#define TETROPT_OPTIM_SAMPLER_H

#include "base/pool.h"
#include "base/rng.h"
#include "base/status.h"

enum { SAMPLER_BLOCK = 1024 };

typedef struct Sampler {
    size_t capacity, count;
    double *cumulative;
    double *before; /* a block */
    double total;
} Sampler;

bool sampler_init(Sampler *sampler, size_t capacity, Status *status);
void sampler_release(Sampler *sampler);

/* Weight exp((value - the largest value) / temperature) for each of `count` > 0 values. */
void sampler_softmax(Sampler *sampler, Pool *pool, const double *values, size_t count,
                     double temperature);

/* Weight value - the smallest value, plus a hundredth of the range so that the last one can be
 * drawn too; equal weights when all values are equal. */
void sampler_roulette(Sampler *sampler, const double *values, size_t count);

/* The number of an item, drawn by weight. */
size_t sampler_draw(const Sampler *sampler, Rng *rng);

#endif
