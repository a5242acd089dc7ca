/*
 * percent: which queues can clear an area completely.
 */
#ifndef TETROPT_CLEARS_PERCENT_H
#define TETROPT_CLEARS_PERCENT_H

#include "base/pool.h"
#include "clears/walk.h"

/* Called between rounds of work. */
typedef void PercentReport(void *context, size_t done, size_t total);

typedef struct Percent {
    uint8_t *solved; /* of every queue; those from `known` on are not known */
    size_t known, solvable;
    size_t nodes; /* boards of the graph */
} Percent;

/* Decides all queues from number percent->known on; percent->solved has a place for each, filled up
 * to there. Ends early when asked to, with what is known then. False with `status`: no memory. */
bool percent_run(Percent *percent, const Area *area, const Queues *queues, bool hold, Pool *pool,
                 ClearsCut cut, PercentReport *report, void *context, Status *status);

/* How many of the queues first..last-1 are solvable. */
size_t percent_count(const Percent *percent, size_t first, size_t last);

#endif
