/*
 * path: every solution of an area, and the queues that each of them serves.
 */
#ifndef TETROPT_CLEARS_PATH_H
#define TETROPT_CLEARS_PATH_H

#include "base/pool.h"
#include "clears/solution.h"

enum { PATH_MAX_PACKINGS = 1 << 23 };

typedef void PathReport(void *context, size_t done, size_t total);

/* Adds every set of places that some queue can build, the one that serves most first. Ends early
 * when asked to: *complete is false then. False with `status`: no memory, or too many. */
bool path_run(Solutions *list, const Area *area, const Queues *queues, bool hold, Pool *pool,
              ClearsCut cut, PathReport *report, void *context, bool *complete, Status *status);

/* As path_run decides for one set of places, the last of which is filled last where `last` is set:
 * solved[i] per queue. False with `status`: no memory. */
bool path_serves(const Area *area, const Place *places, int count, bool last, const Queues *queues,
                 bool hold, uint8_t *solved, Status *status);

#endif
