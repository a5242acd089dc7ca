/* evolution: a fixed array that is thinned out to every second point when it is full. */
#include "store/evolution.h"

#include <string.h>

void evolution_init(Evolution *evolution) {
    memset(evolution, 0, sizeof *evolution);
    evolution->stride = 1;
}

static void halve(Evolution *evolution) {
    for (size_t i = 0; 2 * i < evolution->count; i++)
        evolution->points[i] = evolution->points[2 * i];
    evolution->count = (evolution->count + 1) / 2;
    evolution->stride *= 2;
}

void evolution_add(Evolution *evolution, const StorePoint *point) {
    evolution->last = *point;
    if (evolution->reports++ % evolution->stride != 0)
        return;
    if (evolution->count == EVOLUTION_MAX) {
        halve(evolution);
        if ((evolution->reports - 1) % evolution->stride != 0)
            return;
    }
    evolution->points[evolution->count++] = *point;
}

void evolution_end(Evolution *evolution) {
    if (evolution->reports > 0 && (evolution->reports - 1) % evolution->stride != 0)
        evolution->points[evolution->count++] = evolution->last;
}
