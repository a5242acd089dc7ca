/*
 * work: worker threads, and the calling thread that extends their leases, passes a stop on and
 * reports.
 *
 * Invariant: a worker's `number` and `token` are those of the run it holds, changed under the
 * pool's lock. The first error is kept and stops all workers.
 */
#include "store/work.h"

#include "base/clock.h"
#include "store/evolution.h"
#include "system/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICK_MS = 20, BUSY_FIRST_MS = 20, BUSY_LAST_MS = 500 };

typedef struct WorkerPool WorkerPool;

/* A worker. `number` and `token` name what it is at, for the heartbeat; under the pool's lock. */
typedef struct Worker {
    WorkerPool *pool;
    pthread_t thread;
    atomic_bool stop; /* cuts the present run */
    int64_t number;   /* 0: none */
    char token[STORE_TOKEN_BYTES];
    Evolution evolution;
} Worker;

struct WorkerPool {
    const WorkTask *task;
    Process self;
    pthread_mutex_t lock;
    int working;      /* threads that have not ended */
    bool failed;      /* the store failed: see status */
    atomic_bool over; /* no worker takes another run */
    WorkSummary summary;
    Status status;
    Worker workers[];
};

static void sleep_ms(int milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000,
                                 .tv_nsec = milliseconds % 1000 * 1000000L},
              NULL);
}

/* The store failed: keep the first error and stop all workers. A stop that ended the waiting for a
 * server is not a failure. */
static void give_up(WorkerPool *pool, const Status *status) {
    pthread_mutex_lock(&pool->lock);
    if (!pool->failed && status->code != STATUS_INTERRUPTED) {
        pool->failed = true;
        pool->status = *status;
    }
    atomic_store(&pool->over, true);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- one run */

static void on_report(void *context, const Progress *progress) {
    StorePoint point = {progress->done, progress->best, progress->current, progress->temperature,
                        (double)progress->generation};
    evolution_add(context, &point);
}

/* Writes down what the run came to. */
static void record(WorkerPool *pool, Worker *worker, const StoreClaim *claim, StoreOutcome *outcome,
                   const ExperimentResult *result) {
    Status status = {0};
    outcome->result = result->document;
    outcome->times = result->times;
    evolution_end(&worker->evolution);
    outcome->points = worker->evolution.points;
    outcome->point_count = worker->evolution.count;
    StoreKept kept = store_finish(pool->task->store, claim, outcome, &status);
    if (kept == STORE_KEPT_ERROR)
        give_up(pool, &status);
    pthread_mutex_lock(&pool->lock);
    pool->summary.done += kept == STORE_KEPT && outcome->result;
    pool->summary.failed += kept == STORE_KEPT && !outcome->result;
    pool->summary.lost += kept == STORE_LOST;
    pthread_mutex_unlock(&pool->lock);
}

static void set_at(Worker *worker, const StoreClaim *claim) {
    pthread_mutex_lock(&worker->pool->lock);
    worker->number = claim ? claim->run.number : 0;
    if (claim)
        memcpy(worker->token, claim->token, sizeof worker->token);
    pthread_mutex_unlock(&worker->pool->lock);
}

/* A run that was cut is given back; when it was cut because another has it, that changes nothing.
 */
static void do_run(Worker *worker, const StoreClaim *claim) {
    WorkerPool *pool = worker->pool;
    Status status = {0};
    ExperimentResult result = {NULL, NULL};
    atomic_store(&worker->stop, false);
    evolution_init(&worker->evolution);
    set_at(worker, claim);
    ProgressWatch watch = {&worker->stop, on_report, &worker->evolution};
    uint64_t start = clock_now_ns();
    bool ok = pool->task->commands->run(&claim->run, &watch, &result, &status);
    StoreOutcome outcome = {.seconds = clock_seconds_since(start),
                            .error = ok ? NULL : status.message};
    if (atomic_load(&worker->stop)) {
        Status ignored = {0};
        store_give_back(pool->task->store, claim, &ignored);
    } else
        record(pool, worker, claim, &outcome, &result);
    set_at(worker, NULL);
    free(result.document);
    free(result.times);
}

/* ---- a worker */

/* Claims a run; false at the end. While others are running it waits: their runs may be given back.
 */
static bool take_run(WorkerPool *pool, StoreClaim *claim) {
    int pause = BUSY_FIRST_MS;
    while (!atomic_load(&pool->over)) {
        Status status = {0};
        switch (store_claim(pool->task->store, &pool->self, pool->task->lease_seconds, claim,
                            &status)) {
        case STORE_CLAIM_GIVEN:
            return true;
        case STORE_CLAIM_NONE:
            return false;
        case STORE_CLAIM_ERROR:
            give_up(pool, &status);
            return false;
        case STORE_CLAIM_BUSY:
            break;
        }
        for (int waited = 0; waited < pause && !atomic_load(&pool->over); waited += TICK_MS)
            sleep_ms(TICK_MS);
        pause = pause * 2 < BUSY_LAST_MS ? pause * 2 : BUSY_LAST_MS;
    }
    return false;
}

static void *work(void *given) {
    Worker *worker = given;
    StoreClaim claim;
    while (take_run(worker->pool, &claim)) {
        do_run(worker, &claim);
        store_claim_release(&claim);
    }
    pthread_mutex_lock(&worker->pool->lock);
    worker->pool->working--;
    pthread_mutex_unlock(&worker->pool->lock);
    return NULL;
}

/* ---- the calling thread */

static void heartbeat(WorkerPool *pool, Worker *worker) {
    char token[STORE_TOKEN_BYTES];
    pthread_mutex_lock(&pool->lock);
    int64_t number = worker->number;
    memcpy(token, worker->token, sizeof token);
    pthread_mutex_unlock(&pool->lock);
    if (number == 0)
        return;
    Status status = {0};
    StoreKept kept =
        store_heartbeat(pool->task->store, number, token, pool->task->lease_seconds, &status);
    if (kept == STORE_KEPT_ERROR)
        give_up(pool, &status);
    pthread_mutex_lock(&pool->lock);
    if (kept == STORE_LOST && worker->number == number && strcmp(worker->token, token) == 0)
        atomic_store(&worker->stop, true);
    pthread_mutex_unlock(&pool->lock);
}

static int still_working(WorkerPool *pool) {
    pthread_mutex_lock(&pool->lock);
    int working = pool->working;
    pthread_mutex_unlock(&pool->lock);
    return working;
}

static void look_after(WorkerPool *pool) {
    const WorkTask *task = pool->task;
    uint64_t last = clock_now_ns();
    while (still_working(pool) > 0) {
        sleep_ms(TICK_MS);
        if (task->stop && atomic_load(task->stop)) {
            pool->summary.stopped = true;
            atomic_store(&pool->over, true);
        }
        if (atomic_load(&pool->over))
            for (unsigned i = 0; i < task->workers; i++)
                atomic_store(&pool->workers[i].stop, true);
        else if (clock_seconds_since(last) > task->lease_seconds / 3) {
            last = clock_now_ns();
            for (unsigned i = 0; i < task->workers; i++)
                heartbeat(pool, &pool->workers[i]);
        } else if (task->report)
            task->report(task->report_context);
    }
}

/* Starts as many threads as the system gives, at least one. */
static unsigned start_all(WorkerPool *pool, Status *status) {
    unsigned started = 0;
    for (; started < pool->task->workers; started++) {
        Worker *worker = &pool->workers[started];
        worker->pool = pool;
        pthread_mutex_lock(&pool->lock);
        pool->working++;
        pthread_mutex_unlock(&pool->lock);
        if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
            pthread_mutex_lock(&pool->lock);
            pool->working--;
            pthread_mutex_unlock(&pool->lock);
            break;
        }
    }
    if (started == 0)
        status_fail(status, STATUS_SYSTEM, "experiment: no thread could be started");
    return started;
}

bool work_run(const WorkTask *task, WorkSummary *summary, Status *status) {
    memset(summary, 0, sizeof *summary);
    WorkerPool *pool = calloc(1, sizeof *pool + task->workers * sizeof *pool->workers);
    if (!pool)
        return status_no_memory(status);
    pool->task = task;
    process_self(&pool->self);
    pthread_mutex_init(&pool->lock, NULL);
    unsigned started = start_all(pool, status);
    look_after(pool);
    for (unsigned i = 0; i < started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    *summary = pool->summary;
    bool ok = started > 0 && !pool->failed;
    if (pool->failed)
        *status = pool->status;
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return ok;
}
