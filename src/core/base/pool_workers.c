/*
 * pool_workers: the pool in WebAssembly with shared memory. Used in place of pool.c by
 * scripts/build-wasm, in the module for pages that may share memory between workers.
 *
 * WebAssembly cannot start a thread. The host starts helpers before a job: instances of the same
 * module on the same memory, each in a worker of its own with a stack from pool_stack, which call
 * pool_help and never return. All pools share them. A pool that finds them taken, because a task
 * uses a pool itself, does its work alone, which gives the same results (base/pool.h).
 *
 * Invariants. Only the thread that has set `taken` writes the round; helpers read it between a
 * change of `turn` and their decrement of `busy`. memory.atomic.wait compares before it sleeps, so
 * no wake-up is lost.
 *
 * The allocator of the C library knows no threads: the linker sends every call through the lock
 * at the end of this file (--wrap).
 */
#include "base/pool.h"

#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    STACK_BYTES = 1 << 20, /* as the stack of the module */
    LOOKS = 20000          /* at a value before sleeping: some 0.05 ms, as long as a wake-up */
};

struct Pool {
    unsigned threads;
};

static struct {
    unsigned helpers;   /* set before the first job */
    atomic_bool taken;  /* a round is under way */
    atomic_uint turn;   /* grows by one for every round */
    atomic_uint busy;   /* helpers that have not finished it */
    atomic_size_t next; /* item */
    unsigned threads;
    PoolTask *task;
    void *context;
    size_t count, chunk;
    bool worked[POOL_MAX_THREADS]; /* helpers that have had an item to do */
} shared;

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(pool_stack)(void);
void EXPORT(pool_helpers)(unsigned count);
_Noreturn void EXPORT(pool_help)(unsigned worker);
unsigned EXPORT(pool_used)(void);

/* Returns when the value is another one than `seen`. */
static void wait_while(atomic_uint *value, unsigned seen) {
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load(value) != seen)
            return;
    while (atomic_load(value) == seen)
        __builtin_wasm_memory_atomic_wait32((int *)value, (int)seen, -1);
}

static void wake(atomic_uint *value) {
    __builtin_wasm_memory_atomic_notify((int *)value, UINT_MAX);
}

static void share(unsigned worker) {
    size_t count = shared.count, chunk = shared.chunk;
    for (;;) {
        size_t first = atomic_fetch_add_explicit(&shared.next, chunk, memory_order_relaxed);
        if (first >= count)
            return;
        size_t last = count - first < chunk ? count : first + chunk;
        shared.worked[worker] = true;
        shared.task(shared.context, first, last, worker);
    }
}

/* ---- what the host calls */

/* The end of a new stack for a helper; NULL: no memory. */
void *pool_stack(void) {
    char *stack = aligned_alloc(16, STACK_BYTES);
    return stack ? stack + STACK_BYTES : NULL;
}

/* That many helpers call pool_help before the first job runs, as workers 1 to `count`. */
void pool_helpers(unsigned count) {
    shared.helpers = count < POOL_MAX_THREADS ? count : POOL_MAX_THREADS - 1;
}

/* Threads that have worked so far, the caller counted. */
unsigned pool_used(void) {
    unsigned used = 1;
    for (unsigned i = 1; i <= shared.helpers; i++)
        used += shared.worked[i];
    return used;
}

/* Works in every round as that worker. */
void pool_help(unsigned worker) {
    for (unsigned turn = 0;; turn++) {
        wait_while(&shared.turn, turn);
        if (worker < shared.threads)
            share(worker);
        if (atomic_fetch_sub(&shared.busy, 1) == 1)
            wake(&shared.busy);
    }
}

/* ---- base/pool.h */

Pool *pool_new(unsigned threads, Status *status) {
    Pool *pool = memory_new(1, sizeof *pool, status);
    if (pool)
        pool->threads = threads < pool_processors() ? threads : pool_processors();
    return pool;
}

void pool_free(Pool *pool) {
    free(pool);
}

unsigned pool_threads(const Pool *pool) {
    return pool->threads;
}

void pool_run(Pool *pool, size_t count, size_t chunk, PoolTask *task, void *context) {
    if (count == 0)
        return;
    if (pool->threads == 1 || count <= chunk || atomic_exchange(&shared.taken, true)) {
        task(context, 0, count, 0);
        return;
    }
    shared.threads = pool->threads;
    shared.task = task;
    shared.context = context;
    shared.count = count;
    shared.chunk = chunk;
    atomic_store(&shared.next, 0);
    atomic_store(&shared.busy, shared.helpers);
    atomic_fetch_add(&shared.turn, 1);
    wake(&shared.turn);
    share(0);
    for (unsigned busy; (busy = atomic_load(&shared.busy)) != 0;)
        wait_while(&shared.busy, busy);
    atomic_store(&shared.taken, false);
}

unsigned pool_processors(void) {
    return 1 + shared.helpers;
}

/* ---- the allocator, one thread at a time */

static atomic_uint allocating; /* 0: free, 1: taken, 2: taken and perhaps waited for */

static void lock(void) {
    unsigned seen = 0;
    if (atomic_compare_exchange_strong(&allocating, &seen, 1))
        return;
    while (atomic_exchange(&allocating, 2) != 0)
        wait_while(&allocating, 2);
}

static void unlock(void) {
    if (atomic_exchange(&allocating, 0) == 2)
        __builtin_wasm_memory_atomic_notify((int *)&allocating, 1);
}

#define LOCKED(name, parameters, arguments)                                                        \
    void *__real_##name parameters;                                                                \
    void *__wrap_##name parameters;                                                                \
    void *__wrap_##name parameters {                                                               \
        lock();                                                                                    \
        void *result = __real_##name arguments;                                                    \
        unlock();                                                                                  \
        return result;                                                                             \
    }

LOCKED(malloc, (size_t size), (size))
LOCKED(calloc, (size_t count, size_t size), (count, size))
LOCKED(realloc, (void *old, size_t size), (old, size))
LOCKED(aligned_alloc, (size_t alignment, size_t size), (alignment, size))

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory) {
    lock();
    __real_free(memory);
    unlock();
}
