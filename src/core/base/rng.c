/*
 * rng: the seeding. splitmix64 (Steele, Lea and Flood, 2014) turns neighbouring seeds into
 * unrelated states; an index is multiplied by another odd constant first, so that seed and index
 * do not cancel.
 */
#include "base/rng.h"

#include <time.h>
#include <unistd.h>

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t rng_derive(uint64_t seed, uint64_t index) {
    uint64_t state = seed;
    uint64_t mixed = splitmix(&state) ^ (index * 0xd1342543de82ef95u);
    return splitmix(&mixed);
}

void rng_init(Rng *rng, uint64_t seed, uint64_t stream) {
    uint64_t state = rng_derive(seed, stream);
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix(&state); /* four outputs of splitmix are never all zero */
}

uint64_t rng_entropy(void) {
    uint64_t value = 0;
    if (getentropy(&value, sizeof value) != 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t state = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
        value = splitmix(&state);
    }
    /* Seeds are shown to users and stored in JSON and databases: keep them short and exact there.
     */
    return value >> 32;
}
