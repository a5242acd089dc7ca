/*
 * store_core: what the parts of a store share: the connection, and statements that are repeated
 * after a lost connection. A statement takes the lock; whoever needs several together takes it
 * before the first.
 */
#ifndef TETROPT_STORE_STORE_CORE_H
#define TETROPT_STORE_STORE_CORE_H

#include "store/driver.h"

#include <pthread.h>

enum { STORE_SCHEMA_VERSION = 1, STORE_SQL_BYTES = 2048 };

/* A running claim of another worker, and since when nothing was heard of it. */
typedef struct StoreSilence {
    int64_t number;
    double lease_end;
    uint64_t since_ns;
} StoreSilence;

enum { STORE_SILENCES = 64 };

struct Store {
    const Driver *driver;
    void *connection;
    pthread_mutex_t lock;    /* recursive: held by a statement, or by a sequence of them */
    double patience;         /* seconds to wait for a server that went away */
    const atomic_bool *stop; /* cuts the waiting; may be NULL */
    uint64_t generation;     /* how often it was connected again */
    StoreSilence silences[STORE_SILENCES];
    char name[DRIVER_NAME_BYTES];
};

DriverValue store_integer(int64_t value);
DriverValue store_real(double value);
DriverValue store_text(const char *value); /* NULL is NULL */

/* Runs a statement; repeats it when the server was away. So what it visits may be visited again,
 * unless the query says `once`. */
bool store_execute(Store *store, DriverQuery *query, Status *status);

/* One without values and answer. */
bool store_simple(Store *store, const char *sql, Status *status);

/* A DriverVisit that keeps the first value in an int64_t. */
bool store_note_integer(void *context, const DriverValue *row, Status *status);

/* The number that a statement without values gives; `otherwise` when it gives none. */
bool store_ask_integer(Store *store, const char *sql, int64_t otherwise, int64_t *answer,
                       Status *status);

#endif
