/*
 * tabu: a set of the last K genotypes, by their 64-bit hashes.
 *
 * Invariant: `slots` is a hash table with linear probing that holds exactly the hashes in the ring,
 * no one twice; at most half of it is filled, so every question takes O(1). Two genotypes with one
 * hash would be taken for the same: with K = 50000 and 100000 steps the probability is below 1e-9.
 */
#ifndef TETROPT_OPTIM_TABU_H
#define TETROPT_OPTIM_TABU_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Tabu {
    uint64_t *ring; /* the hashes, the oldest at `oldest` when full */
    size_t capacity, count, oldest;
    uint64_t *slots; /* 0: free */
    size_t mask;
} Tabu;

/* `capacity` may be 0: then nothing is ever tabu. */
bool tabu_init(Tabu *tabu, size_t capacity, Status *status);
void tabu_release(Tabu *tabu);
void tabu_clear(Tabu *tabu);

bool tabu_has(const Tabu *tabu, uint64_t hash);

/* Adds a hash that is not there yet; the oldest leaves when the list is full. */
void tabu_add(Tabu *tabu, uint64_t hash);

/* The hash of a genotype. */
uint64_t tabu_hash(const void *genotype, size_t bytes);

#endif
