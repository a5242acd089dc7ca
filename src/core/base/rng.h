/*
 * rng: the only source of random numbers, xoshiro256** (Blackman and Vigna, 2018) seeded by
 * splitmix64.
 *
 * Invariant: the state is never all zero. The state is a plain value that is passed around; there
 * is none in the process. Streams are split by index: (seed, stream) names a generator, so the work
 * item number, not the thread that happens to do it, decides what is drawn.
 */
#ifndef TETROPT_BASE_RNG_H
#define TETROPT_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Rng {
    uint64_t state[4];
} Rng;

/* Starts the generator number `stream` of `seed`. */
void rng_init(Rng *rng, uint64_t seed, uint64_t stream);

/* A new seed derived from `seed` and `index`: for runs that take a seed of their own. */
uint64_t rng_derive(uint64_t seed, uint64_t index);

/* A seed that differs from call to call, from the system. */
uint64_t rng_entropy(void);

static inline uint64_t rng_rotate_left(uint64_t value, int count) {
    return (value << count) | (value >> (64 - count));
}

/* 64 uniform bits. */
static inline uint64_t rng_next(Rng *rng) {
    uint64_t *s = rng->state;
    uint64_t result = rng_rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate_left(s[3], 45);
    return result;
}

/* A uniform integer in 0..bound-1; bound > 0. Lemire's multiplication with its exact rejection. */
static inline uint32_t rng_below(Rng *rng, uint32_t bound) {
    uint64_t product = (rng_next(rng) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (rng_next(rng) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* A uniform integer in low..high, both included. */
static inline int rng_between(Rng *rng, int low, int high) {
    return low + (int)rng_below(rng, (uint32_t)(high - low + 1));
}

/* A uniform real in [0, 1) with 53 bits. */
static inline double rng_real(Rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* True with that probability. */
static inline bool rng_chance(Rng *rng, double chance) {
    return rng_real(rng) < chance;
}

#endif
