/*
 * store: reading runs, and adding a grid with many rows per statement.
 *
 * Claiming and finishing runs is in store_work.c, the connection in store_core.c.
 */
#include "store/store.h"

#include "base/text.h"
#include "store/run_row.h"
#include "store/store_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_AT_ONCE = 32, /* runs in one statement when a grid is added */
    ROW_VALUES = 7
};

static const char *const schema[] = {
    "CREATE TABLE IF NOT EXISTS tetropt_store (version BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS tetropt_grid (name TEXT PRIMARY KEY, text TEXT NOT NULL, "
    "seed BIGINT NOT NULL, created DOUBLE PRECISION NOT NULL, version TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS tetropt_run (number BIGINT PRIMARY KEY, grid TEXT NOT NULL, "
    "command TEXT NOT NULL, repeat BIGINT NOT NULL, seed BIGINT NOT NULL, "
    "piece_seed BIGINT NOT NULL, parameters TEXT NOT NULL, "
    "state TEXT NOT NULL DEFAULT 'waiting', attempts BIGINT NOT NULL DEFAULT 0, "
    "owner TEXT, machine TEXT, process BIGINT, process_start BIGINT, lease_end DOUBLE PRECISION, "
    "host TEXT, version TEXT, started DOUBLE PRECISION, finished DOUBLE PRECISION, "
    "seconds DOUBLE PRECISION, result TEXT, times TEXT, evolution TEXT, error TEXT)",
    /* The seconds are in it so that counting does not touch the rows, which are long. */
    "CREATE INDEX IF NOT EXISTS tetropt_run_state ON tetropt_run (state, number, seconds)",
    "INSERT INTO tetropt_store SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM tetropt_store)",
};

/* ---- reading */

typedef struct Walk {
    RunRow *row;
    StoreTimes times;
    StoreVisit *visit;
    void *context;
} Walk;

static bool visit_run(void *context, const DriverValue *values, Status *status) {
    Walk *walk = context;
    return run_row_read(walk->row, values, true, walk->times, status) &&
           walk->visit(walk->context, run_row_run(walk->row), status);
}

bool store_each_between(Store *store, unsigned states, int64_t first, int64_t last,
                        StoreTimes times, StoreVisit *visit, void *context, Status *status) {
    Walk walk = {run_row_new(status), times, visit, context};
    if (!walk.row)
        return false;
    char list[80] = "''";
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        if (states >> i & 1)
            snprintf(list + strlen(list), sizeof list - strlen(list), ", '%s'",
                     store_state_names[i]);
    char sql[STORE_SQL_BYTES];
    snprintf(sql, sizeof sql,
             "SELECT " RUN_ROW_COLUMNS ", " RUN_ROW_RESULT_COLUMNS
             " FROM tetropt_run WHERE number BETWEEN $1 AND $2 AND state IN (%s) ORDER BY number",
             list);
    DriverValue values[] = {store_integer(first), store_integer(last)};
    DriverQuery query = {.sql = sql,
                         .values = values,
                         .count = 2,
                         .visit = visit_run,
                         .context = &walk,
                         .once = true};
    bool ok = store_execute(store, &query, status);
    run_row_free(walk.row);
    return ok;
}

bool store_each(Store *store, unsigned states, StoreTimes times, StoreVisit *visit, void *context,
                Status *status) {
    return store_each_between(store, states, 0, INT64_MAX, times, visit, context, status);
}

typedef struct StateWalk {
    StoreStateVisit *visit;
    void *context;
} StateWalk;

static bool visit_state(void *context, const DriverValue *row, Status *status) {
    const StateWalk *walk = context;
    int state = run_row_state(&row[1]);
    if (state < 0)
        return status_fail(status, STATUS_INPUT, "run %lld: its state in the store is damaged",
                           (long long)row[0].integer);
    return walk->visit(walk->context, row[0].integer, (StoreState)state, status);
}

bool store_each_state(Store *store, StoreStateVisit *visit, void *context, Status *status) {
    StateWalk walk = {visit, context};
    /* In the order of the index that has both, so that nothing else is read. */
    DriverQuery query = {.sql = "SELECT number, state FROM tetropt_run ORDER BY state, number",
                         .visit = visit_state,
                         .context = &walk,
                         .once = true};
    return store_execute(store, &query, status);
}

typedef struct GridWalk {
    StoreGridVisit *visit;
    void *context;
} GridWalk;

static bool visit_grid(void *context, const DriverValue *row, Status *status) {
    const GridWalk *walk = context;
    return walk->visit(walk->context, row[0].text, row[1].text, row[2].integer, status);
}

bool store_each_grid(Store *store, StoreGridVisit *visit, void *context, Status *status) {
    GridWalk walk = {visit, context};
    DriverQuery query = {.sql =
                             "SELECT name, text, COALESCE(first, 0) FROM tetropt_grid LEFT JOIN "
                             "(SELECT grid, MIN(number) AS first FROM tetropt_run GROUP BY grid) "
                             "AS runs ON runs.grid = name ORDER BY name",
                         .visit = visit_grid,
                         .context = &walk,
                         .once = true};
    return store_execute(store, &query, status);
}

bool store_snapshot_begin(Store *store, Status *status) {
    return store_simple(store, store->driver->begin_read, status);
}

void store_snapshot_end(Store *store) {
    store_simple(store, "COMMIT", NULL);
}

static bool add_count(void *context, const DriverValue *row, Status *status) {
    (void)status;
    StoreCounts *counts = context;
    int state = run_row_state(&row[0]);
    if (state >= 0)
        counts->runs[state] = row[1].integer;
    if (state == STORE_DONE)
        counts->seconds = row[2].real;
    return true;
}

bool store_count(Store *store, StoreCounts *counts, Status *status) {
    memset(counts, 0, sizeof *counts);
    DriverQuery query = {.sql =
                             "SELECT state, COUNT(*), SUM(seconds) FROM tetropt_run GROUP BY state",
                         .visit = add_count,
                         .context = counts};
    return store_execute(store, &query, status);
}

/* ---- adding a grid */

/* "($1, $2, ...), (...)" for `rows` rows. */
static void add_places(Text *sql, int rows) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < ROW_VALUES; k++)
            text_format(sql, "%s$%d%s",
                        k   ? ", "
                        : i ? ", ("
                            : "(",
                        i * ROW_VALUES + k + 1, k == ROW_VALUES - 1 ? ")" : "");
}

static bool insert_rows(Store *store, DriverValue (*rows)[ROW_VALUES], int count, Status *status) {
    Text sql = {0};
    text_add(&sql, "INSERT INTO tetropt_run (number, grid, command, repeat, seed, piece_seed, "
                   "parameters) VALUES ");
    add_places(&sql, count);
    DriverQuery query = {.sql = sql.data, .values = rows[0], .count = count * ROW_VALUES};
    bool ok = sql.failed ? status_no_memory(status) : store_execute(store, &query, status);
    text_release(&sql);
    return ok;
}

/* Up to ROWS_AT_ONCE runs; *more: there may be others. */
static bool add_some(Store *store, const char *grid, StoreNext *next, void *context,
                     int64_t *number, bool *more, Status *status) {
    DriverValue rows[ROWS_AT_ONCE][ROW_VALUES];
    char *texts[ROWS_AT_ONCE] = {NULL};
    int count = 0;
    bool ok = true;
    StoreRun run;
    while (ok && count < ROWS_AT_ONCE && (*more = next(context, &run, status))) {
        texts[count] = run_row_parameters(&run);
        ok = texts[count] || status_no_memory(status);
        DriverValue row[ROW_VALUES] = {
            store_integer((*number)++),       store_text(grid),
            store_text(run.command),          store_integer(run.repeat),
            store_integer((int64_t)run.seed), store_integer((int64_t)run.piece_seed),
            store_text(texts[count])};
        memcpy(rows[count++], row, sizeof row);
    }
    ok = ok && status->code == STATUS_OK;
    if (ok && count > 0)
        ok = insert_rows(store, rows, count, status);
    for (int i = 0; i < count; i++)
        free(texts[i]);
    return ok;
}

static bool add_grid_row(Store *store, const char *name, const char *text, uint64_t seed,
                         Status *status) {
    char sql[STORE_SQL_BYTES];
    snprintf(
        sql, sizeof sql,
        "INSERT INTO tetropt_grid (name, text, seed, created, version) VALUES ($1, $2, $3, %s, "
        "$4) ON CONFLICT (name) DO NOTHING",
        store->driver->now);
    DriverValue values[] = {store_text(name), store_text(text), store_integer((int64_t)seed),
                            store_text(TETROPT_VERSION)};
    DriverQuery query = {.sql = sql, .values = values, .count = 4};
    if (!store_execute(store, &query, status))
        return false;
    return query.changed == 1 ||
           status_fail(status, STATUS_INPUT, "%s: already holds a grid '%s' (see --name)",
                       store->name, name);
}

static bool create_tables(Store *store, Status *status) {
    if (store->driver->create_lock && !store_simple(store, store->driver->create_lock, status))
        return false;
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        if (!store_simple(store, schema[i], status))
            return false;
    return true;
}

bool store_add_grid(Store *store, const char *name, const char *text, uint64_t seed,
                    StoreNext *next, void *context, Status *status) {
    pthread_mutex_lock(&store->lock);
    bool begun = store_simple(store, store->driver->begin_write, status);
    double patience = store->patience;
    store->patience = 0; /* what was said on a connection that is lost would be missing */
    int64_t number = 0;
    bool more = true;
    bool ok = begun && create_tables(store, status) &&
              add_grid_row(store, name, text, seed, status) &&
              store_ask_integer(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM tetropt_run", 1,
                                &number, status);
    while (ok && more)
        ok = add_some(store, name, next, context, &number, &more, status);
    ok = ok && store_simple(store, "COMMIT", status);
    if (begun && !ok)
        store_simple(store, "ROLLBACK", NULL);
    store->patience = patience;
    pthread_mutex_unlock(&store->lock);
    return ok;
}

bool store_find_grid(Store *store, const char *name, const char *text, StoreGrid *found,
                     Status *status) {
    int64_t tables, answer = STORE_GRID_MISSING;
    DriverValue values[] = {store_text(name), store_text(text)};
    DriverQuery query = {
        .sql = "SELECT CASE WHEN text = $2 THEN 2 ELSE 1 END FROM tetropt_grid WHERE name = $1",
        .values = values,
        .count = 2,
        .visit = store_note_integer,
        .context = &answer};
    bool ok = store_ask_integer(store, store->driver->find_tables, 0, &tables, status) &&
              (!tables || store_execute(store, &query, status));
    *found = (StoreGrid)answer;
    return ok;
}
