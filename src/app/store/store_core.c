/*
 * store_core: statements with values, repeated after a lost connection; opening a store and
 * choosing its driver.
 */
#include "store/store_core.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    OPEN_SECONDS = 10, /* a server that was never there should not take long to say so */
    OPEN_PAUSE_MS = 300
};

/* ---- values and statements */

DriverValue store_integer(int64_t value) {
    return (DriverValue){.kind = DRIVER_INTEGER, .integer = value};
}

DriverValue store_real(double value) {
    return (DriverValue){.kind = DRIVER_REAL, .real = value};
}

DriverValue store_text(const char *value) {
    return (DriverValue){.kind = value ? DRIVER_TEXT : DRIVER_NULL, .text = value};
}

static bool stopped(const Store *store) {
    return store->stop && atomic_load(store->stop);
}

/* Tries to connect again, more and more slowly. False with `status` when it takes too long. A
 * transaction does not live through it; those who begin one have no patience. */
static bool wait_for_server(Store *store, double *waited, Status *status) {
    double pause = 0.1;
    while (*waited < store->patience) {
        for (double slept = 0; slept < pause && !stopped(store); slept += 0.1)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        if (stopped(store))
            return status_fail(status, STATUS_INTERRUPTED, "%s: interrupted while it was away",
                               store->name);
        *waited += pause;
        if (store->driver->reconnect(store->connection, status)) {
            if (status)
                *status = (Status){.code = STATUS_OK};
            store->generation++;
            return true;
        }
        pause = pause < 3 ? pause * 1.5 : 5;
    }
    return false;
}

/* Passes rows on and remembers that there were some. */
typedef struct Passing {
    DriverVisit *visit;
    void *context;
    bool any;
} Passing;

static bool pass_on(void *context, const DriverValue *row, Status *status) {
    Passing *passing = context;
    passing->any = true;
    return passing->visit(passing->context, row, status);
}

bool store_execute(Store *store, DriverQuery *query, Status *status) {
    double waited = 0;
    Passing passing = {query->visit, query->context, false};
    if (query->visit) {
        query->visit = pass_on;
        query->context = &passing;
    }
    bool ok;
    pthread_mutex_lock(&store->lock);
    while (!(ok = store->driver->execute(store->connection, query, status))) {
        if ((query->once && passing.any) || !store->driver->lost ||
            !store->driver->lost(store->connection) || !wait_for_server(store, &waited, status))
            break;
    }
    pthread_mutex_unlock(&store->lock);
    query->visit = passing.visit;
    query->context = passing.context;
    return ok;
}

bool store_simple(Store *store, const char *sql, Status *status) {
    DriverQuery query = {.sql = sql};
    return store_execute(store, &query, status);
}

bool store_note_integer(void *context, const DriverValue *row, Status *status) {
    (void)status;
    *(int64_t *)context = row[0].integer;
    return true;
}

bool store_ask_integer(Store *store, const char *sql, int64_t otherwise, int64_t *answer,
                       Status *status) {
    *answer = otherwise;
    DriverQuery query = {.sql = sql, .visit = store_note_integer, .context = answer};
    return store_execute(store, &query, status);
}

/* ---- opening */

static bool not_built(const char *what, Status *status) {
    return status_option(status, "store", "this program was built without %s", what);
}

/* The driver for an address, and the part of it that the driver wants. */
static const Driver *driver_for(const char *address, const char **rest, Status *status) {
    *rest = address;
    if (strncmp(address, "postgresql://", 13) == 0 || strncmp(address, "postgres://", 11) == 0) {
        const Driver *driver = driver_postgresql();
        if (!driver)
            not_built("PostgreSQL", status);
        return driver;
    }
    size_t scheme = strspn(address, "abcdefghijklmnopqrstuvwxyz0123456789+");
    if (strncmp(address, "sqlite:", 7) == 0)
        *rest = address + 7;
    else if (address[scheme] == ':' || address[0] == '\0') {
        status_option(status, "store", "'%s' is neither sqlite:FILE nor postgresql://...", address);
        return NULL;
    }
    const Driver *driver = driver_sqlite();
    if (!driver)
        not_built("SQLite", status);
    return driver;
}

static const struct {
    const char *table;
    const char *columns[24]; /* ends with NULL */
} tables[] = {
    {"tetropt_store", {"version"}},
    {"tetropt_grid", {"name", "text", "seed", "created", "version"}},
    {"tetropt_run", {"number",        "grid",      "command",  "repeat",    "seed",    "piece_seed",
                     "parameters",    "state",     "attempts", "owner",     "machine", "process",
                     "process_start", "lease_end", "host",     "version",   "started", "finished",
                     "seconds",       "result",    "times",    "evolution", "error"}},
};

/* Which of the columns of a table are there. */
typedef struct Columns {
    const char *const *names;
    unsigned found; /* a bit each */
} Columns;

static bool note_column(void *context, const DriverValue *row, Status *status) {
    (void)status;
    Columns *columns = context;
    for (int i = 0; columns->names[i]; i++)
        if (row[0].text && strcmp(row[0].text, columns->names[i]) == 0)
            columns->found |= 1u << i;
    return true;
}

/* Damage is named before the first statement fails by it. */
static bool check_tables(Store *store, Status *status) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        Columns columns = {.names = tables[i].columns};
        DriverValue name = store_text(tables[i].table);
        DriverQuery query = {.sql = store->driver->columns,
                             .values = &name,
                             .count = 1,
                             .visit = note_column,
                             .context = &columns};
        if (!store_execute(store, &query, status))
            return false;
        for (int k = 0; columns.names[k]; k++)
            if (!(columns.found >> k & 1))
                return status_fail(status, STATUS_INPUT,
                                   "%s: is damaged: its table %s has no column '%s'", store->name,
                                   tables[i].table, columns.names[k]);
    }
    return true;
}

static bool check_version(Store *store, StoreMode mode, Status *status) {
    int64_t found, version;
    if (!store_ask_integer(store, store->driver->find_tables, 0, &found, status))
        return false;
    if (!found)
        return mode == STORE_CREATE ||
               status_fail(status, STATUS_INPUT, "%s: holds no experiment (see experiment init)",
                           store->name);
    if (!store_ask_integer(store, "SELECT version FROM tetropt_store", 0, &version, status))
        return false;
    if (version == STORE_SCHEMA_VERSION)
        return check_tables(store, status);
    if (version > STORE_SCHEMA_VERSION)
        return status_fail(status, STATUS_INPUT,
                           "%s: is of version %lld, newer than this program, which knows %d",
                           store->name, (long long)version, STORE_SCHEMA_VERSION);
    return status_fail(status, STATUS_INPUT, "%s: has no valid version", store->name);
}

Store *store_open(const char *address, StoreMode mode, Status *status) {
    const char *rest;
    const Driver *driver = driver_for(address, &rest, status);
    if (!driver)
        return NULL;
    Store *store = memory_new(1, sizeof *store, status);
    if (!store)
        return NULL;
    store->driver = driver;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&store->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    store->connection = driver->open(rest, mode, store->name, status);
    if (store->connection && check_version(store, mode, status) &&
        (mode != STORE_CREATE || !driver->become_writable ||
         driver->become_writable(store->connection, status)))
        return store;
    store_free(store);
    return NULL;
}

Store *store_open_patiently(const char *address, StoreMode mode, double seconds,
                            const atomic_bool *stop, Status *status) {
    const char *rest;
    const Driver *driver = driver_for(address, &rest, status);
    if (!driver)
        return NULL;
    double patience = seconds < OPEN_SECONDS ? seconds : OPEN_SECONDS;
    uint64_t start = clock_now_ns();
    Store *store;
    while (!(store = store_open(address, mode, status)) && status->code == STATUS_SYSTEM &&
           driver->server && clock_seconds_since(start) < patience) {
        if (stop && atomic_load(stop)) {
            *status = (Status){.code = STATUS_OK};
            status_fail(status, STATUS_INTERRUPTED, "interrupted while the server was away");
            return NULL;
        }
        nanosleep(&(struct timespec){.tv_nsec = OPEN_PAUSE_MS * 1000000L}, NULL);
        *status = (Status){.code = STATUS_OK};
    }
    if (store)
        store_set_patience(store, seconds, stop);
    return store;
}

void store_free(Store *store) {
    if (!store)
        return;
    if (store->connection)
        store->driver->close(store->connection);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

uint64_t store_generation(const Store *store) {
    return store->generation;
}

bool store_copy(Store *store, const char *path, Status *status) {
    if (!store->driver->copy_to)
        return status_fail(status, STATUS_INPUT, "%s: is not a file; use the tools of its server",
                           store->name);
    struct stat there;
    if (lstat(path, &there) == 0)
        return status_fail(status, STATUS_INPUT, "%s: exists already", path);
    /* The copy has its name when it is complete; nobody can know the one before. */
    Text part = {0};
    text_format(&part, "%s.%016llx", path, (unsigned long long)rng_entropy());
    if (part.failed)
        return status_no_memory(status);
    int descriptor = open(part.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool made = descriptor >= 0;
    bool ok = made && close(descriptor) == 0;
    if (!ok)
        file_fail(path, errno, status);
    pthread_mutex_lock(&store->lock);
    ok = ok && store->driver->copy_to(store->connection, part.data, status);
    pthread_mutex_unlock(&store->lock);
    if (ok && link(part.data, path) != 0)
        ok = file_fail(path, errno, status);
    if (made)
        unlink(part.data);
    text_release(&part);
    return ok;
}

const char *store_name(const Store *store) {
    return store->name;
}

void store_set_patience(Store *store, double seconds, const atomic_bool *stop) {
    store->patience = seconds;
    store->stop = stop;
}

/* ---- drivers */

#ifndef TETROPT_SQLITE
const Driver *driver_sqlite(void) {
    return NULL;
}
#endif

#ifndef TETROPT_POSTGRESQL
const Driver *driver_postgresql(void) {
    return NULL;
}
#endif
