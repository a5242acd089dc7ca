/*
 * pool_single: the pool on a platform without threads (WebAssembly): the caller does all the work.
 * Used in place of pool.c by scripts/build-wasm.
 */
#include "base/pool.h"

#include "base/memory.h"

#include <stdlib.h>

struct Pool {
    char unused;
};

Pool *pool_new(unsigned threads, Status *status) {
    (void)threads;
    Pool *pool = memory_new(1, sizeof *pool, status);
    return pool;
}

void pool_free(Pool *pool) {
    free(pool);
}

unsigned pool_threads(const Pool *pool) {
    (void)pool;
    return 1;
}

void pool_run(Pool *pool, size_t count, size_t chunk, PoolTask *task, void *context) {
    (void)pool, (void)chunk;
    if (count > 0)
        task(context, 0, count, 0);
}

unsigned pool_processors(void) {
    return 1;
}
