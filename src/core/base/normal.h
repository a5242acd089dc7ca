/*
 * normal: random numbers of the standard normal distribution, the same bits everywhere.
 *
 * Marsaglia's polar method: a point in the unit disc gives two deviates with one logarithm and no
 * sine. The second is thrown away: a generator that remembers it would be more than an Rng, and no
 * search draws so many that it matters.
 */
#ifndef TETROPT_BASE_NORMAL_H
#define TETROPT_BASE_NORMAL_H

#include "base/rng.h"

/* One deviate of mean 0 and deviation 1; takes an even number of draws, two at least. */
double normal_draw(Rng *rng);

#endif
