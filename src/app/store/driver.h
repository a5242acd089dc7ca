/*
 * driver: what a store needs of a database: one statement at a time, with typed values in and out.
 *
 * Statements name their values $1, $2, ...; both databases understand that. A driver knows nothing
 * of runs: that is store.c, once for all of them.
 */
#ifndef TETROPT_STORE_DRIVER_H
#define TETROPT_STORE_DRIVER_H

#include "base/status.h"
#include "store/store.h"

typedef enum DriverKind { DRIVER_NULL, DRIVER_INTEGER, DRIVER_REAL, DRIVER_TEXT } DriverKind;

typedef struct DriverValue {
    DriverKind kind;
    int64_t integer;
    double real;
    const char *text;
} DriverValue;

/* Called for one row of an answer; the values are valid until it returns. */
typedef bool DriverVisit(void *context, const DriverValue *row, Status *status);

enum { DRIVER_MAX_COLUMNS = 24, DRIVER_MAX_VALUES = 512, DRIVER_NAME_BYTES = 256 };

typedef struct DriverQuery {
    const char *sql;
    const DriverValue *values;
    int count;
    DriverVisit *visit; /* NULL: the rows are of no interest */
    void *context;
    bool once;       /* no row may be visited twice: after the first one it is not tried again */
    int64_t changed; /* out: rows that a change touched */
} DriverQuery;

typedef struct Driver {
    /* What differs in the statements. */
    const char *claim_lock;  /* ends the choice of a row to claim */
    const char *now;         /* seconds since 1970 */
    bool server;             /* `now` is the same for all workers; it may start later than we do */
    const char *begin_write; /* a transaction that will write; one that reads a snapshot */
    const char *begin_read;
    const char *find_tables; /* gives a row when the tables of a store are there */
    const char *create_lock; /* lets one at a time create them; NULL: not needed */
    const char *columns;     /* the names of the columns of table $1 */

    /* Connects; the part of the address behind the scheme for files, all of it for servers. `name`
     * receives what messages call the store. */
    void *(*open)(const char *address, StoreMode mode, char name[DRIVER_NAME_BYTES],
                  Status *status);
    void (*close)(void *connection);

    /* Runs one statement to its end. */
    bool (*execute)(void *connection, DriverQuery *query, Status *status);

    /* After a failure: true when the server was unreachable or busy, so that connecting and trying
     * again may help. NULL: never. */
    bool (*lost)(void *connection);
    bool (*reconnect)(void *connection, Status *status);

    /* Optional. Before the first change of a store that was checked; after a run has ended, and
     * `at_end` of all work, which may fail; and a copy of the store as a file that is not there
     * yet.
     */
    bool (*become_writable)(void *connection, Status *status);
    bool (*write_back)(void *connection, bool at_end, Status *status);
    bool (*copy_to)(void *connection, const char *path, Status *status);
} Driver;

/* The drivers that were built in; NULL otherwise. */
const Driver *driver_sqlite(void);
const Driver *driver_postgresql(void);

#endif
