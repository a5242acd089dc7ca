#include "store/work.h"

#include "base/clock.h"
#include "store/evolution.h"
#include "system/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICK_MS = 20, BUSY_FIRST_MS = 20, BUSY_LAST_MS = 500 };

typedef struct Office Office;

/* A worker. `number` and `token` name what it is at, for the heartbeat; under the office's lock. */
typedef struct Desk {
    Office *office;
    pthread_t thread;
    atomic_bool stop; /* cuts the present run */
    int64_t number;   /* 0: none */
    char token[STORE_TOKEN_BYTES];
    Evolution evolution;
} Desk;

struct Office {
    const WorkTask *task;
    Process self;
    pthread_mutex_t lock;
    int working;      /* threads that have not ended */
    bool failed;      /* the store failed: see status */
    atomic_bool over; /* nobody takes another run */
    WorkSummary summary;
    Status status;
    Desk desks[];
};

static void sleep_ms(int milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000,
                                 .tv_nsec = milliseconds % 1000 * 1000000L},
              NULL);
}

/* The store failed: the first complaint is kept, and everybody goes home. A stop that cut the
 * waiting for a server is no failure. */
static void give_up(Office *office, const Status *status) {
    pthread_mutex_lock(&office->lock);
    if (!office->failed && status->code != STATUS_INTERRUPTED) {
        office->failed = true;
        office->status = *status;
    }
    atomic_store(&office->over, true);
    pthread_mutex_unlock(&office->lock);
}

/* ---- one run */

static void on_report(void *context, const StorePoint *point) {
    evolution_add(context, point);
}

/* Writes down what the run came to. */
static void record(Office *office, Desk *desk, const StoreClaim *claim, StoreOutcome *outcome,
                   const ExperimentResult *result) {
    Status status = {0};
    outcome->result = result->document;
    outcome->times = result->times;
    evolution_end(&desk->evolution);
    outcome->points = desk->evolution.points;
    outcome->point_count = desk->evolution.count;
    StoreKept kept = store_finish(office->task->store, claim, outcome, &status);
    if (kept == STORE_KEPT_ERROR)
        give_up(office, &status);
    pthread_mutex_lock(&office->lock);
    office->summary.done += kept == STORE_KEPT && outcome->result;
    office->summary.failed += kept == STORE_KEPT && !outcome->result;
    office->summary.lost += kept == STORE_LOST;
    pthread_mutex_unlock(&office->lock);
}

static void set_at(Desk *desk, const StoreClaim *claim) {
    pthread_mutex_lock(&desk->office->lock);
    desk->number = claim ? claim->run.number : 0;
    if (claim)
        memcpy(desk->token, claim->token, sizeof desk->token);
    pthread_mutex_unlock(&desk->office->lock);
}

/* A run that was cut is given back; when it was cut because another has it, that changes nothing.
 */
static void do_run(Desk *desk, const StoreClaim *claim) {
    Office *office = desk->office;
    Status status = {0};
    ExperimentResult result = {NULL, NULL};
    atomic_store(&desk->stop, false);
    evolution_init(&desk->evolution);
    set_at(desk, claim);
    ExperimentWatch watch = {&desk->stop, on_report, &desk->evolution};
    uint64_t start = clock_now_ns();
    bool ok = office->task->commands->run(&claim->run, &watch, &result, &status);
    StoreOutcome outcome = {.seconds = clock_seconds_since(start),
                            .error = ok ? NULL : status.message};
    if (atomic_load(&desk->stop)) {
        Status ignored = {0};
        store_give_back(office->task->store, claim, &ignored);
    } else
        record(office, desk, claim, &outcome, &result);
    set_at(desk, NULL);
    free(result.document);
    free(result.times);
}

/* ---- a worker */

/* Claims a run; false at the end. While others are at work it waits: they may not come back. */
static bool take_run(Office *office, StoreClaim *claim) {
    int pause = BUSY_FIRST_MS;
    while (!atomic_load(&office->over)) {
        Status status = {0};
        switch (store_claim(office->task->store, &office->self, office->task->lease_seconds, claim,
                            &status)) {
        case STORE_CLAIM_GIVEN:
            return true;
        case STORE_CLAIM_NONE:
            return false;
        case STORE_CLAIM_ERROR:
            give_up(office, &status);
            return false;
        case STORE_CLAIM_BUSY:
            break;
        }
        for (int waited = 0; waited < pause && !atomic_load(&office->over); waited += TICK_MS)
            sleep_ms(TICK_MS);
        pause = pause * 2 < BUSY_LAST_MS ? pause * 2 : BUSY_LAST_MS;
    }
    return false;
}

static void *work(void *given) {
    Desk *desk = given;
    StoreClaim claim;
    while (take_run(desk->office, &claim)) {
        do_run(desk, &claim);
        store_claim_release(&claim);
    }
    pthread_mutex_lock(&desk->office->lock);
    desk->office->working--;
    pthread_mutex_unlock(&desk->office->lock);
    return NULL;
}

/* ---- the one who looks after them */

static void heartbeat(Office *office, Desk *desk) {
    char token[STORE_TOKEN_BYTES];
    pthread_mutex_lock(&office->lock);
    int64_t number = desk->number;
    memcpy(token, desk->token, sizeof token);
    pthread_mutex_unlock(&office->lock);
    if (number == 0)
        return;
    Status status = {0};
    StoreKept kept =
        store_heartbeat(office->task->store, number, token, office->task->lease_seconds, &status);
    if (kept == STORE_KEPT_ERROR)
        give_up(office, &status);
    pthread_mutex_lock(&office->lock);
    if (kept == STORE_LOST && desk->number == number && strcmp(desk->token, token) == 0)
        atomic_store(&desk->stop, true);
    pthread_mutex_unlock(&office->lock);
}

static int still_working(Office *office) {
    pthread_mutex_lock(&office->lock);
    int working = office->working;
    pthread_mutex_unlock(&office->lock);
    return working;
}

static void look_after(Office *office) {
    const WorkTask *task = office->task;
    uint64_t last = clock_now_ns();
    while (still_working(office) > 0) {
        sleep_ms(TICK_MS);
        if (task->stop && atomic_load(task->stop)) {
            office->summary.stopped = true;
            atomic_store(&office->over, true);
        }
        if (atomic_load(&office->over))
            for (unsigned i = 0; i < task->workers; i++)
                atomic_store(&office->desks[i].stop, true);
        else if (clock_seconds_since(last) > task->lease_seconds / 3) {
            last = clock_now_ns();
            for (unsigned i = 0; i < task->workers; i++)
                heartbeat(office, &office->desks[i]);
        } else if (task->report)
            task->report(task->report_context);
    }
}

/* Starts as many threads as the system gives, at least one. */
static unsigned start_all(Office *office, Status *status) {
    unsigned started = 0;
    for (; started < office->task->workers; started++) {
        Desk *desk = &office->desks[started];
        desk->office = office;
        pthread_mutex_lock(&office->lock);
        office->working++;
        pthread_mutex_unlock(&office->lock);
        if (pthread_create(&desk->thread, NULL, work, desk) != 0) {
            pthread_mutex_lock(&office->lock);
            office->working--;
            pthread_mutex_unlock(&office->lock);
            break;
        }
    }
    if (started == 0)
        status_fail(status, STATUS_SYSTEM, "experiment: no thread could be started");
    return started;
}

bool work_run(const WorkTask *task, WorkSummary *summary, Status *status) {
    memset(summary, 0, sizeof *summary);
    Office *office = calloc(1, sizeof *office + task->workers * sizeof *office->desks);
    if (!office)
        return status_no_memory(status);
    office->task = task;
    process_self(&office->self);
    pthread_mutex_init(&office->lock, NULL);
    unsigned started = start_all(office, status);
    look_after(office);
    for (unsigned i = 0; i < started; i++)
        pthread_join(office->desks[i].thread, NULL);
    *summary = office->summary;
    bool ok = started > 0 && !office->failed;
    if (office->failed)
        *status = office->status;
    pthread_mutex_destroy(&office->lock);
    free(office);
    return ok;
}
