/*
 * pool: threads that wait for loops to share.
 *
 * Invariant: between two calls of pool_run no worker touches what a task uses. The caller works
 * too, as worker 0, so a pool of one starts no thread. Which worker takes which index is not
 * defined; results stay repeatable because a task writes only to places that belong to its index
 * (or to its worker, for scratch memory) and draws only from the generator of its index.
 */
#ifndef TETROPT_BASE_POOL_H
#define TETROPT_BASE_POOL_H

#include "base/status.h"

#include <stddef.h>

typedef struct Pool Pool;

/* Does the work items first..last-1. */
typedef void PoolTask(void *context, size_t first, size_t last, unsigned worker);

enum { POOL_MAX_THREADS = 256 };

/* A pool of `threads` workers (1..POOL_MAX_THREADS), the caller counted. NULL with `status` on
 * failure. */
Pool *pool_new(unsigned threads, Status *status);
void pool_free(Pool *pool); /* NULL is fine */
unsigned pool_threads(const Pool *pool);

/* Calls `task` until 0..count-1 are done, `chunk` (>= 1) items at a time; returns when all are. */
void pool_run(Pool *pool, size_t count, size_t chunk, PoolTask *task, void *context);

/* The CPUs that this process may use, 1..POOL_MAX_THREADS. */
unsigned pool_processors(void);

#endif
