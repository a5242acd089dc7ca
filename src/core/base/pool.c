/*
 * pool: a counter that workers draw the next chunk from, and two waits around it: workers wait for
 * a round, the caller for the last of them.
 *
 * A wait first watches its counter for up to SPIN_NS, because going to sleep and being woken takes
 * as long as a short round (0.03 ms of 0.3; two threads were 1.4 to 1.6 times as fast as one). Only
 * then it sleeps. Watching takes a processor from others, so a pool with more threads than
 * processors never does it, and a thread that watched in vain, or that something else interrupted,
 * goes to sleep at once for the next 1, 3, 7, ... times.
 *
 * Invariant: whoever changes a counter looks at `sleepers` afterwards, and whoever sleeps counts
 * itself there before it looks at the counter for the last time (both sequentially consistent), so
 * no wake-up is lost. What different threads write is 128 bytes apart: processors fetch lines in
 * pairs.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/pool.h"

#include "base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_PAIR = 128,
    SPIN_NS = 200000,
    INTERRUPTION_NS = 20000, /* a pause this long between two looks: another thread ran here */
    MOST_FAILURES = 6        /* a thread that fails this often in a row tries every 64th time */
};

/* A counter that threads wait for. */
typedef struct Event {
    _Alignas(LINE_PAIR) atomic_ulong value;
    _Alignas(LINE_PAIR) atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} Event;

/* How a thread's last waits went. */
typedef struct Patience {
    unsigned failures, skip;
} Patience;

struct Pool {
    unsigned threads, started;
    pthread_t *handles; /* threads - 1 of them */
    bool spins, closing;
    Patience patience; /* of the caller */
    PoolTask *task;
    void *context;
    size_t count, chunk;
    Event round; /* grows by one for every pool_run */
    Event busy;  /* workers that have not finished this round */
    _Alignas(LINE_PAIR) atomic_size_t next;
};

typedef struct Worker {
    Pool *pool;
    unsigned index;
} Worker;

static void event_init(Event *event) {
    pthread_mutex_init(&event->lock, NULL);
    pthread_cond_init(&event->changed, NULL);
}

static void event_release(Event *event) {
    pthread_cond_destroy(&event->changed);
    pthread_mutex_destroy(&event->lock);
}

/* Wakes those who sleep; after a change of the value. */
static void event_wake(Event *event) {
    if (atomic_load(&event->sleepers) == 0)
        return;
    pthread_mutex_lock(&event->lock);
    pthread_cond_broadcast(&event->changed);
    pthread_mutex_unlock(&event->lock);
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Watches the value until it is `wanted`; false: in vain. */
static bool spin(const Event *event, unsigned long wanted) {
    enum { LOOKS = 16 }; /* between two looks at the clock */
    uint64_t start = clock_now_ns(), before = start;
    for (;;) {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load(&event->value) == wanted)
                return true;
            relax();
        }
        uint64_t now = clock_now_ns();
        if (now - start > SPIN_NS || now - before > INTERRUPTION_NS)
            return false;
        before = now;
    }
}

/* Returns when the value is `wanted`. Without `patience` it never spins. */
static void event_wait(Event *event, unsigned long wanted, Patience *patience) {
    if (patience && patience->skip > 0) {
        patience->skip--;
    } else if (patience) {
        if (spin(event, wanted)) {
            patience->failures = 0;
            return;
        }
        patience->failures += patience->failures < MOST_FAILURES;
        patience->skip = (1u << patience->failures) - 1;
    }
    pthread_mutex_lock(&event->lock);
    atomic_fetch_add(&event->sleepers, 1);
    while (atomic_load(&event->value) != wanted)
        pthread_cond_wait(&event->changed, &event->lock);
    atomic_fetch_sub(&event->sleepers, 1);
    pthread_mutex_unlock(&event->lock);
}

static void share(Pool *pool, unsigned worker) {
    for (;;) {
        size_t first = atomic_fetch_add_explicit(&pool->next, pool->chunk, memory_order_relaxed);
        if (first >= pool->count)
            return;
        size_t last = pool->count - first < pool->chunk ? pool->count : first + pool->chunk;
        pool->task(pool->context, first, last, worker);
    }
}

static void *worker_main(void *argument) {
    Worker *self = argument;
    Pool *pool = self->pool;
    unsigned index = self->index;
    free(self);
    Patience patience = {0};
    for (unsigned long round = 1;; round++) {
        event_wait(&pool->round, round, pool->spins ? &patience : NULL);
        if (pool->closing)
            return NULL;
        share(pool, index);
        if (atomic_fetch_sub(&pool->busy.value, 1) == 1)
            event_wake(&pool->busy);
    }
}

static bool start_workers(Pool *pool) {
    for (unsigned i = 1; i < pool->threads; i++) {
        Worker *worker = malloc(sizeof *worker);
        if (!worker)
            return false;
        *worker = (Worker){pool, i};
        if (pthread_create(&pool->handles[i - 1], NULL, worker_main, worker) != 0) {
            free(worker);
            return false;
        }
        pool->started++;
    }
    return true;
}

Pool *pool_new(unsigned threads, Status *status) {
    if (threads < 1 || threads > POOL_MAX_THREADS) {
        status_fail(status, STATUS_INPUT, "threads: %u is not in 1..%d", threads, POOL_MAX_THREADS);
        return NULL;
    }
    Pool *pool = aligned_alloc(LINE_PAIR, sizeof *pool);
    if (!pool) {
        status_no_memory(status);
        return NULL;
    }
    memset(pool, 0, sizeof *pool);
    pool->threads = threads;
    pool->spins = threads <= pool_processors();
    event_init(&pool->round);
    event_init(&pool->busy);
    pool->handles = calloc(threads, sizeof *pool->handles);
    if (!pool->handles || !start_workers(pool)) {
        status_fail(status, STATUS_SYSTEM, "threads: cannot start %u", threads);
        pool_free(pool);
        return NULL;
    }
    return pool;
}

static void start_round(Pool *pool) {
    atomic_fetch_add(&pool->round.value, 1);
    event_wake(&pool->round);
}

void pool_free(Pool *pool) {
    if (!pool)
        return;
    pool->closing = true;
    start_round(pool);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->handles[i], NULL);
    event_release(&pool->busy);
    event_release(&pool->round);
    free(pool->handles);
    free(pool);
}

unsigned pool_threads(const Pool *pool) {
    return pool->threads;
}

void pool_run(Pool *pool, size_t count, size_t chunk, PoolTask *task, void *context) {
    if (count == 0)
        return;
    if (pool->threads == 1 || count <= chunk) {
        task(context, 0, count, 0);
        return;
    }
    pool->task = task;
    pool->context = context;
    pool->count = count;
    pool->chunk = chunk;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->busy.value, pool->threads - 1, memory_order_relaxed);
    start_round(pool);
    share(pool, 0);
    event_wait(&pool->busy, 0, pool->spins ? &pool->patience : NULL);
}

unsigned pool_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        int count = CPU_COUNT(&set);
        if (count >= 1)
            return count > POOL_MAX_THREADS ? POOL_MAX_THREADS : (unsigned)count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > POOL_MAX_THREADS ? POOL_MAX_THREADS : (unsigned)online;
}
