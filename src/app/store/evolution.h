/*
 * evolution: the points of a run that are stored: at most EVOLUTION_MAX of its reports.
 *
 * Every report that brings a better best is kept, and every `stride`-th of the others. When there
 * is no more room, every second of the others goes and their stride doubles; where the better ones
 * alone take three quarters of the room, every second of them goes too. The first and the last
 * report are always kept. So the choice depends only on the reports, never on the time.
 */
#ifndef TETROPT_STORE_EVOLUTION_H
#define TETROPT_STORE_EVOLUTION_H

#include "store/store.h"

enum { EVOLUTION_MAX = 1024 };

/* Which report a point was. */
typedef struct EvolutionMark {
    uint64_t report; /* from 0 */
    uint64_t better; /* the number of the improvement, from 0 */
    bool is_better;
} EvolutionMark;

typedef struct Evolution {
    StorePoint points[EVOLUTION_MAX + 1]; /* one more for the last report */
    EvolutionMark marks[EVOLUTION_MAX + 1];
    size_t count;
    uint64_t reports, betters;
    uint64_t stride, better_stride;
    StorePoint last;
    EvolutionMark last_mark;
} Evolution;

void evolution_init(Evolution *evolution);
void evolution_add(Evolution *evolution, const StorePoint *point);

/* The last report belongs to the points whatever the stride; to be called once, at the end. */
void evolution_end(Evolution *evolution);

#endif
