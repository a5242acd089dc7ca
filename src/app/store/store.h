/*
 * store: the runs of experiments in a database, an embedded file or a server that machines share.
 *
 * Invariants. A run is one row that goes waiting -> running -> done or failed; every change is one
 * statement in one transaction, so a row is never half written. To claim a run is to write a token
 * nobody else has into its row, with a time at which the claim ends; a result counts only where the
 * token is still there. So a run whose worker is lost can be given to another, and is still stored
 * once: a late result of the lost worker is dropped.
 *
 * Both databases get the same statements through a small driver (driver.h); only the choice of the
 * row to claim differs. One Store may be used by many threads: its calls come one after the other.
 */
#ifndef TETROPT_STORE_STORE_H
#define TETROPT_STORE_STORE_H

#include "base/status.h"
#include "system/process.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Store Store;

typedef enum StoreState {
    STORE_WAITING,
    STORE_RUNNING,
    STORE_DONE,
    STORE_FAILED,
    STORE_STATE_COUNT
} StoreState;

extern const char *const store_state_names[STORE_STATE_COUNT];

/* One option or parameter of a run, as the command line would take it. */
typedef struct StoreParameter {
    const char *name, *value;
} StoreParameter;

enum { STORE_PARAMETERS_MAX = 64 };

/* The progress of a run at one moment. */
typedef struct StorePoint {
    uint64_t evaluation;
    double best, current;
    double temperature; /* 0 where there is none */
    double generation;  /* or step; NAN in stores of version 1.0 */
} StorePoint;

typedef struct Json Json;

/* A run. What it points to belongs to whoever gave it. */
typedef struct StoreRun {
    int64_t number;      /* from 1, over all grids of the store, in the order of the grid */
    const char *grid;    /* the name of its grid */
    const char *command; /* solve, simulate or train */
    int64_t repeat;      /* from 1; runs of the same repeat have the same pieces */
    uint64_t seed;       /* of the search or the decisions */
    uint64_t piece_seed; /* of the pieces: the same for all runs of a repeat */
    const StoreParameter *parameters; /* what the grid says, in its order, single values too */
    size_t parameter_count;
    StoreState state;

    /* Of a run that is done or failed; NULL and 0 otherwise. */
    const Json *result;       /* what the command prints with --json; NULL when failed */
    const StorePoint *points; /* the evolution, thinned (evolution.h); often none */
    size_t point_count;
    const char *error; /* why it failed */
    double seconds;    /* it took */
    const char *host, *version;
    double started, finished; /* seconds since 1970 */
} StoreRun;

/* The value of a parameter, or NULL where the run does not name it. */
const char *store_parameter(const StoreRun *run, const char *name);

/* What a store is opened for. */
typedef enum StoreMode {
    STORE_CREATE, /* adding a grid: missing tables are created */
    STORE_USE,    /* must be there */
    STORE_LOOK    /* the same, and is only read: that takes no permission to write */
} StoreMode;

/* Opens "sqlite:FILE" or "postgresql://...". NULL with `status` on failure: an invalid address, a
 * store that does not exist, of a newer version or damaged is bad input; a server that does not
 * answer is a system failure. */
Store *store_open(const char *address, StoreMode mode, Status *status);
void store_free(Store *store);

/* The address without a password, for messages and titles. */
const char *store_name(const Store *store);

/* Changes whenever the store was connected again: it may be another file now. */
uint64_t store_generation(const Store *store);

/* Writes a copy to a new file, complete at one moment, while others work. Only of files. */
bool store_copy(Store *store, const char *path, Status *status);

/* ---- reading */

typedef enum StoreTimes {
    STORE_WITHOUT_TIMES, /* results as with --no-times */
    STORE_WITH_TIMES
} StoreTimes;

/* Called for one run; what it gets is valid until it returns. False with `status` ends the walk. */
typedef bool StoreVisit(void *context, const StoreRun *run, Status *status);

/* Calls `visit` for every run in the `states` (bits 1 << StoreState), in the order of their
 * numbers, never twice for one. `visit` must not use the store. */
bool store_each(Store *store, unsigned states, StoreTimes times, StoreVisit *visit, void *context,
                Status *status);

/* The same for the runs numbered first..last. */
bool store_each_between(Store *store, unsigned states, int64_t first, int64_t last,
                        StoreTimes times, StoreVisit *visit, void *context, Status *status);

/* Reports the state of every run, in no order, without reading the rows: for callers that cache
 * runs and look for changes. */
typedef bool StoreStateVisit(void *context, int64_t number, StoreState state, Status *status);
bool store_each_state(Store *store, StoreStateVisit *visit, void *context, Status *status);

/* Calls `visit` for every grid, in the order of their names; what it gets is valid until it
 * returns. `first` is the number of the first of its runs; 0: it has none. */
typedef bool StoreGridVisit(void *context, const char *name, const char *text, int64_t first,
                            Status *status);
bool store_each_grid(Store *store, StoreGridVisit *visit, void *context, Status *status);

/* Between these calls the store reads as it was at the first. For one thread, and without patience
 * (store_set_patience): a connection that is made anew has no snapshot. */
bool store_snapshot_begin(Store *store, Status *status);
void store_snapshot_end(Store *store);

typedef struct StoreCounts {
    int64_t runs[STORE_STATE_COUNT];
    double seconds; /* that the runs which are done took, added up */
} StoreCounts;

bool store_count(Store *store, StoreCounts *counts, Status *status);

/* How many of those that are running have lost their worker, as far as `self` can see: its process
 * has ended, if it was on this machine, or it was silent for longer than its lease. */
bool store_count_gone(Store *store, const Process *self, int64_t *count, Status *status);

/* ---- adding runs */

/* Gives the next run (its number and result are not set); false at the end, or with `status` on
 * failure. */
typedef bool StoreNext(void *context, StoreRun *run, Status *status);

/* Adds a grid with all its runs, or nothing. `text` is the grid as it was read. A name that is
 * already there is bad input. */
bool store_add_grid(Store *store, const char *name, const char *text, uint64_t seed,
                    StoreNext *next, void *context, Status *status);

/* Whether the store has a grid of this name, made of this text. */
typedef enum StoreGrid { STORE_GRID_MISSING, STORE_GRID_OTHER, STORE_GRID_SAME } StoreGrid;
bool store_find_grid(Store *store, const char *name, const char *text, StoreGrid *found,
                     Status *status);

/* ---- working them off */

enum { STORE_TOKEN_BYTES = 40 };

/* A claimed run; store_claim_release frees what it holds. */
typedef struct StoreClaim {
    StoreRun run;
    char token[STORE_TOKEN_BYTES];
    struct RunRow *memory;
} StoreClaim;

typedef enum StoreClaimed {
    STORE_CLAIM_GIVEN,
    STORE_CLAIM_BUSY, /* nothing is left, but others are still at work: ask again */
    STORE_CLAIM_NONE, /* every run is done or failed */
    STORE_CLAIM_ERROR
} StoreClaimed;

/* Claims the first run that waits, or whose worker is gone: its process on this machine has ended,
 * or it was silent for as long as its lease: by the clock of the server, or, where there is none,
 * by what this store saw between two claims. So the clocks of workers need not agree. */
StoreClaimed store_claim(Store *store, const Process *self, double lease_seconds, StoreClaim *claim,
                         Status *status);
void store_claim_release(StoreClaim *claim);

typedef enum StoreKept {
    STORE_KEPT,
    STORE_LOST, /* the run was given to another meanwhile */
    STORE_KEPT_ERROR
} StoreKept;

/* Says that the worker is alive: the lease counts from now. */
StoreKept store_heartbeat(Store *store, int64_t number, const char *token, double lease_seconds,
                          Status *status);

/* What a run came to. */
typedef struct StoreOutcome {
    const char *result; /* JSON without what differs from run to run; NULL: failed */
    const char *times;  /* JSON object of what does, to be merged into it */
    const char *error;
    const StorePoint *points;
    size_t point_count;
    double seconds;
} StoreOutcome;

/* Ends a claimed run, in one transaction. */
StoreKept store_finish(Store *store, const StoreClaim *claim, const StoreOutcome *outcome,
                       Status *status);

/* Gives a claimed run back, as if it had never been claimed. */
StoreKept store_give_back(Store *store, const StoreClaim *claim, Status *status);

/* At the end of work: everything is in the file of the store, not in a log beside it, so that it
 * can be moved and copied. False with `status` when that cannot be done now. */
bool store_write_back(Store *store, Status *status);

/* Makes failed runs wait again; their number in `count`. */
bool store_retry_failed(Store *store, int64_t *count, Status *status);

/* When a server goes away, calls wait for it for up to `seconds` unless `stop` becomes true.
 * Without this they fail at once. A grid is added in one transaction, which does not live through a
 * server that goes away: that call fails, and may be repeated. */
enum { STORE_PATIENCE_SECONDS = 600 };
void store_set_patience(Store *store, double seconds, const atomic_bool *stop);

/* Opens a store and sets its patience. A server may be about to start again, so that opening is
 * patient too, but only for some seconds. */
Store *store_open_patiently(const char *address, StoreMode mode, double seconds,
                            const atomic_bool *stop, Status *status);

#endif
