/*
 * tabu: a ring of hashes in order of age, and a hash table of the same hashes.
 *
 * Removing the oldest one closes its gap in the table by moving later entries back, so no
 * tombstones are needed.
 */
#include "optim/tabu.h"

#include "optim/control.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool tabu_init(Tabu *tabu, size_t capacity, Status *status) {
    *tabu = (Tabu){.capacity = capacity};
    if (capacity == 0)
        return true;
    size_t size = 16;
    while (size < 2 * capacity)
        size *= 2;
    tabu->mask = size - 1;
    tabu->ring = control_allocate(capacity, sizeof *tabu->ring, status);
    tabu->slots = control_allocate(size, sizeof *tabu->slots, status);
    return tabu->ring && tabu->slots;
}

void tabu_release(Tabu *tabu) {
    free(tabu->ring);
    free(tabu->slots);
    *tabu = (Tabu){0};
}

void tabu_clear(Tabu *tabu) {
    if (tabu->capacity > 0)
        memset(tabu->slots, 0, (tabu->mask + 1) * sizeof *tabu->slots);
    tabu->count = tabu->oldest = 0;
}

/* Where the hash is, or the free slot where it would go. */
static size_t find(const Tabu *tabu, uint64_t hash) {
    size_t at = hash & tabu->mask;
    while (tabu->slots[at] != 0 && tabu->slots[at] != hash)
        at = (at + 1) & tabu->mask;
    return at;
}

bool tabu_has(const Tabu *tabu, uint64_t hash) {
    return tabu->capacity > 0 && tabu->slots[find(tabu, hash)] == hash;
}

/* Closes the gap that a removed hash leaves, so that probing never meets a false end: a later entry
 * moves into the gap unless its home lies behind it. */
static void drop(Tabu *tabu, uint64_t hash) {
    size_t gap = find(tabu, hash);
    assert(tabu->slots[gap] == hash);
    for (size_t at = (gap + 1) & tabu->mask; tabu->slots[at] != 0; at = (at + 1) & tabu->mask) {
        size_t home = tabu->slots[at] & tabu->mask;
        if (((at - home) & tabu->mask) >= ((at - gap) & tabu->mask)) {
            tabu->slots[gap] = tabu->slots[at];
            gap = at;
        }
    }
    tabu->slots[gap] = 0;
}

void tabu_add(Tabu *tabu, uint64_t hash) {
    if (tabu->capacity == 0)
        return;
    assert(hash != 0 && !tabu_has(tabu, hash));
    if (tabu->count == tabu->capacity)
        drop(tabu, tabu->ring[tabu->oldest]);
    else
        tabu->count++;
    tabu->ring[tabu->oldest] = hash;
    tabu->oldest = tabu->oldest + 1 == tabu->capacity ? 0 : tabu->oldest + 1;
    tabu->slots[find(tabu, hash)] = hash;
}

uint64_t tabu_hash(const void *genotype, size_t bytes) {
    const unsigned char *at = genotype;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ bytes;
    for (size_t left = bytes; left > 0;) {
        uint64_t word = 0;
        size_t take = left < sizeof word ? left : sizeof word;
        memcpy(&word, at, take);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
        at += take;
        left -= take;
    }
    hash *= 0xc4ceb9fe1a85ec53u;
    hash ^= hash >> 29;
    return hash != 0 ? hash : 1;
}
