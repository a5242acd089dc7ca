/*
 * pool: a counter that workers draw the next chunk from, and two conditions around it: one wakes
 * the workers for a round, the other the caller when the last of them is done.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct Pool {
    unsigned threads;
    pthread_t *handles; /* threads - 1 of them */
    unsigned started;
    pthread_mutex_t lock;
    pthread_cond_t work_there, work_done;
    unsigned long round; /* grows by one for every pool_run */
    unsigned busy;       /* workers that have not finished this round */
    bool closing;
    PoolTask *task;
    void *context;
    size_t count, chunk;
    atomic_size_t next;
};

typedef struct Worker {
    Pool *pool;
    unsigned index;
} Worker;

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
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->closing)
            pthread_cond_wait(&pool->work_there, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        share(pool, index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
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
    Pool *pool = memory_new(1, sizeof *pool, status);
    if (!pool)
        return NULL;
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_there, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    pool->handles = calloc(threads, sizeof *pool->handles);
    if (!pool->handles || !start_workers(pool)) {
        status_fail(status, STATUS_SYSTEM, "threads: cannot start %u", threads);
        pool_free(pool);
        return NULL;
    }
    return pool;
}

void pool_free(Pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->work_there);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->handles[i], NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_there);
    pthread_mutex_destroy(&pool->lock);
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
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->context = context;
    pool->count = count;
    pool->chunk = chunk;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->threads - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work_there);
    pthread_mutex_unlock(&pool->lock);
    share(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
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
