/* store_work: claiming, keeping and finishing runs: the part of a store that workers use. */
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "store/run_row.h"
#include "store/store_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GONE_MAX = 64 }; /* runs of dead workers looked after in one claim */

/* ---- claiming */

/* Runs whose workers are lost. */
typedef struct Gone {
    Store *store;
    const Process *self;
    double lease_seconds; /* 0: only what can be told at once */
    struct {
        int64_t number;
        char token[STORE_TOKEN_BYTES];
    } runs[GONE_MAX];
    int count;
} Gone;

/* True when the claim with this end of its lease was first seen `lease_seconds` ago: its worker
 * gave no sign of life meanwhile. Measured by our own steady clock: the clocks of workers may
 * differ. */
static bool was_silent(Store *store, int64_t number, double lease_end, double lease_seconds) {
    StoreSilence *oldest = &store->silences[0];
    for (int i = 0; i < STORE_SILENCES; i++) {
        StoreSilence *silence = &store->silences[i];
        if (silence->number == number && silence->lease_end == lease_end)
            return clock_seconds_since(silence->since_ns) > lease_seconds;
        if (silence->number == number) { /* it is alive */
            oldest = silence;
            break;
        }
        if (silence->since_ns < oldest->since_ns)
            oldest = silence;
    }
    *oldest = (StoreSilence){number, lease_end, clock_now_ns()};
    return false;
}

/* The seconds that a worker asked for, which are part of its token; `otherwise` in tokens of
 * version 1.0. */
static double lease_of(const char *token, double otherwise) {
    const char *dot = token ? strchr(token, '.') : NULL;
    return dot ? strtod(dot + 1, NULL) / 10 : otherwise;
}

/* number, owner, machine, process, process_start, lease_end, 1 when that is over */
static bool is_gone(const Gone *gone, const DriverValue *row) {
    const char *machine = gone->self->machine;
    bool here = machine[0] && row[2].text && strcmp(row[2].text, machine) == 0;
    if (here && !process_lives(row[3].integer, row[4].integer))
        return true;
    if (gone->store->driver->server)
        return row[6].integer == 1;
    return gone->lease_seconds > 0 && was_silent(gone->store, row[0].integer, row[5].real,
                                                 lease_of(row[1].text, gone->lease_seconds));
}

static bool note_gone(void *context, const DriverValue *row, Status *status) {
    (void)status;
    Gone *gone = context;
    if (gone->count < GONE_MAX && row[1].text && is_gone(gone, row)) {
        gone->runs[gone->count].number = row[0].integer;
        snprintf(gone->runs[gone->count++].token, STORE_TOKEN_BYTES, "%s", row[1].text);
    }
    return true;
}

static bool count_gone(void *context, const DriverValue *row, Status *status) {
    (void)status;
    Gone *gone = context;
    gone->count += is_gone(gone, row);
    return true;
}

/* Shows `visit` everything that is running. */
static bool look_at_running(Store *store, DriverVisit *visit, Gone *gone, Status *status) {
    char sql[STORE_SQL_BYTES];
    snprintf(
        sql, sizeof sql,
        "SELECT number, owner, machine, process, process_start, lease_end, CASE WHEN lease_end "
        "< %s THEN 1 ELSE 0 END FROM tetropt_run WHERE state = 'running' ORDER BY number",
        store->driver->now);
    DriverQuery query = {.sql = sql, .visit = visit, .context = gone};
    return store_execute(store, &query, status);
}

bool store_count_gone(Store *store, const Process *self, int64_t *count, Status *status) {
    Gone gone = {.store = store, .self = self};
    bool ok = look_at_running(store, count_gone, &gone, status);
    *count = gone.count;
    return ok;
}

/* Takes a run from the owner of `token`, unless another worker has it by now. */
static bool free_run(Store *store, int64_t number, const char *token, int64_t *changed,
                     Status *status) {
    DriverValue values[] = {store_integer(number), store_text(token)};
    DriverQuery query = {.sql = "UPDATE tetropt_run SET state = 'waiting', owner = NULL, machine = "
                                "NULL, lease_end = NULL WHERE number = $1 AND owner = $2 AND state "
                                "= 'running'",
                         .values = values,
                         .count = 2};
    bool ok = store_execute(store, &query, status);
    *changed = query.changed;
    return ok;
}

static bool free_gone(Store *store, const Process *self, double lease_seconds, Status *status) {
    Gone gone = {.store = store, .self = self, .lease_seconds = lease_seconds};
    bool ok = look_at_running(store, note_gone, &gone, status);
    int64_t changed;
    for (int i = 0; ok && i < gone.count; i++)
        ok = free_run(store, gone.runs[i].number, gone.runs[i].token, &changed, status);
    return ok;
}

static bool take_claim(void *context, const DriverValue *row, Status *status) {
    StoreClaim *claim = context;
    if (!claim->memory)
        claim->memory = run_row_new(status);
    if (!claim->memory || !run_row_read(claim->memory, row, false, STORE_WITH_TIMES, status))
        return false;
    claim->run = *run_row_run(claim->memory);
    return true;
}

/* One that waits. A claim that was made but whose answer was lost with the connection is found
 * again by its token. */
static bool claim_one(Store *store, const Process *self, double lease_seconds, StoreClaim *claim,
                      Status *status) {
    const char *now = store->driver->now;
    char sql[STORE_SQL_BYTES];
    snprintf(sql, sizeof sql,
             "UPDATE tetropt_run SET state = 'running', owner = $1, machine = $2, process = $3, "
             "process_start = $4, host = $5, lease_end = %s + $6, started = %s, attempts = "
             "attempts + 1 WHERE number = (SELECT number FROM tetropt_run WHERE state = 'waiting' "
             "AND NOT EXISTS (SELECT 1 FROM tetropt_run WHERE owner = $1 AND state = 'running') "
             "ORDER BY number LIMIT 1%s)",
             now, now, store->driver->claim_lock);
    DriverValue values[] = {store_text(claim->token),    store_text(self->machine),
                            store_integer(self->number), store_integer(self->start),
                            store_text(self->host),      store_real(lease_seconds)};
    DriverQuery change = {.sql = sql, .values = values, .count = 6};
    DriverQuery look = {.sql = "SELECT " RUN_ROW_COLUMNS
                               " FROM tetropt_run WHERE state = 'running' AND owner = $1",
                        .values = values,
                        .count = 1,
                        .visit = take_claim,
                        .context = claim};
    return store_execute(store, &change, status) && store_execute(store, &look, status);
}

StoreClaimed store_claim(Store *store, const Process *self, double lease_seconds, StoreClaim *claim,
                         Status *status) {
    memset(claim, 0, sizeof *claim);
    snprintf(claim->token, sizeof claim->token, "%016llx%016llx.%d",
             (unsigned long long)rng_entropy(), (unsigned long long)rng_entropy(),
             (int)(lease_seconds * 10));
    StoreCounts counts;
    pthread_mutex_lock(&store->lock);
    bool ok = free_gone(store, self, lease_seconds, status) &&
              claim_one(store, self, lease_seconds, claim, status) &&
              (claim->run.number > 0 || store_count(store, &counts, status));
    pthread_mutex_unlock(&store->lock);
    if (ok && claim->run.number > 0)
        return STORE_CLAIM_GIVEN;
    store_claim_release(claim);
    if (!ok)
        return STORE_CLAIM_ERROR;
    return counts.runs[STORE_WAITING] + counts.runs[STORE_RUNNING] > 0 ? STORE_CLAIM_BUSY
                                                                       : STORE_CLAIM_NONE;
}

void store_claim_release(StoreClaim *claim) {
    run_row_free(claim->memory);
    claim->memory = NULL;
}

/* ---- keeping and ending */

static StoreKept kept(bool ok, int64_t changed) {
    return !ok ? STORE_KEPT_ERROR : changed == 1 ? STORE_KEPT : STORE_LOST;
}

StoreKept store_heartbeat(Store *store, int64_t number, const char *token, double lease_seconds,
                          Status *status) {
    char sql[STORE_SQL_BYTES];
    snprintf(
        sql, sizeof sql,
        "UPDATE tetropt_run SET lease_end = %s + $3 WHERE number = $1 AND owner = $2 AND state "
        "= 'running'",
        store->driver->now);
    DriverValue values[] = {store_integer(number), store_text(token), store_real(lease_seconds)};
    DriverQuery query = {.sql = sql, .values = values, .count = 3};
    bool ok = store_execute(store, &query, status);
    return kept(ok, query.changed);
}

/* Whether this claim is the one whose result is there: then the first try went through, and only
 * its answer was lost. */
static StoreKept was_ended(Store *store, const StoreClaim *claim, Status *status) {
    int64_t count = 0;
    DriverValue values[] = {store_integer(claim->run.number), store_text(claim->token)};
    DriverQuery query = {.sql = "SELECT COUNT(*) FROM tetropt_run WHERE number = $1 AND owner = $2 "
                                "AND state IN ('done', 'failed')",
                         .values = values,
                         .count = 2,
                         .visit = store_note_integer,
                         .context = &count};
    bool ok = store_execute(store, &query, status);
    return kept(ok, count);
}

StoreKept store_finish(Store *store, const StoreClaim *claim, const StoreOutcome *outcome,
                       Status *status) {
    Text evolution = {0};
    run_row_evolution(outcome->points, outcome->point_count, &evolution);
    char sql[STORE_SQL_BYTES];
    snprintf(
        sql, sizeof sql,
        "UPDATE tetropt_run SET state = $3, result = $4, times = $5, evolution = $6, error = "
        "$7, seconds = $8, version = $9, finished = %s, lease_end = NULL, machine = NULL WHERE "
        "number = $1 AND owner = $2 AND state = 'running'",
        store->driver->now);
    StoreState state = outcome->result ? STORE_DONE : STORE_FAILED;
    DriverValue values[] = {store_integer(claim->run.number),     store_text(claim->token),
                            store_text(store_state_names[state]), store_text(outcome->result),
                            store_text(outcome->times),           store_text(evolution.data),
                            store_text(outcome->error),           store_real(outcome->seconds),
                            store_text(TETROPT_VERSION)};
    DriverQuery query = {.sql = sql, .values = values, .count = 9};
    pthread_mutex_lock(&store->lock);
    bool ok = evolution.failed ? status_no_memory(status) : store_execute(store, &query, status);
    StoreKept end = kept(ok, query.changed);
    if (end == STORE_LOST)
        end = was_ended(store, claim, status);
    if (store->driver->write_back && ok)
        store->driver->write_back(store->connection, false, NULL);
    pthread_mutex_unlock(&store->lock);
    text_release(&evolution);
    return end;
}

StoreKept store_give_back(Store *store, const StoreClaim *claim, Status *status) {
    int64_t changed;
    bool ok = free_run(store, claim->run.number, claim->token, &changed, status);
    return kept(ok, changed);
}

bool store_retry_failed(Store *store, int64_t *count, Status *status) {
    DriverQuery query = {.sql = "UPDATE tetropt_run SET state = 'waiting', owner = NULL, error = "
                                "NULL WHERE state = 'failed'"};
    bool ok = store_execute(store, &query, status);
    *count = query.changed;
    return ok;
}

bool store_write_back(Store *store, Status *status) {
    pthread_mutex_lock(&store->lock);
    bool ok =
        !store->driver->write_back || store->driver->write_back(store->connection, true, status);
    pthread_mutex_unlock(&store->lock);
    return ok;
}
