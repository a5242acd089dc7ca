/*
 * evolution: the points of a run that are stored: at most EVOLUTION_MAX, evenly spread over its
 * reports.
 *
 * Every `stride`-th report is kept; when there is no more room every second one goes and the stride
 * doubles. So the choice depends only on the reports, never on the time.
 */
#ifndef TETROPT_STORE_EVOLUTION_H
#define TETROPT_STORE_EVOLUTION_H

#include "store/store.h"

enum { EVOLUTION_MAX = 256 };

typedef struct Evolution {
    StorePoint points[EVOLUTION_MAX + 1]; /* one more for the last report */
    size_t count;
    uint64_t reports, stride;
    StorePoint last;
} Evolution;

void evolution_init(Evolution *evolution);
void evolution_add(Evolution *evolution, const StorePoint *point);

/* The last report belongs to the points whatever the stride; to be called once, at the end. */
void evolution_end(Evolution *evolution);

#endif
