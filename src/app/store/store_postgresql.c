/*
 * store_postgresql: a store on a server that many machines share.
 *
 * A connection that breaks is not an error by itself: `lost` says so, and the store connects again
 * and repeats the statement. That is safe because every statement with which workers change
 * something names the token of their claim, so that the second time finds what the first has done.
 */
#include "store/driver.h"

#include "base/memory.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 32 };

/* Types of columns, as the server numbers them. */
enum { TYPE_INT8 = 20, TYPE_INT2 = 21, TYPE_INT4 = 23, TYPE_FLOAT4 = 700, TYPE_FLOAT8 = 701 };

typedef struct Connection {
    PGconn *server;
    bool lost;
    char name[DRIVER_NAME_BYTES];
} Connection;

static void ignore_notice(void *context, const char *message) {
    (void)context, (void)message;
}

/* The first line of what the server says. */
static bool fail(Connection *connection, StatusCode code, const char *message, Status *status) {
    if (strncmp(message, "ERROR:", 6) == 0 || strncmp(message, "FATAL:", 6) == 0)
        message += 6 + strspn(message + 6, " ");
    int length = (int)strcspn(message, "\n");
    return status_fail(status, code, "%s: %.*s", connection->name, length, message);
}

/* States in which the server only asks for some patience: it stops, starts, is full, or two
 * transactions met. */
static bool is_passing(const char *state) {
    static const char *const passing[] = {"57P01", "57P02", "57P03", "53300", "40001", "40P01"};
    for (size_t i = 0; state && i < sizeof passing / sizeof *passing; i++)
        if (strcmp(state, passing[i]) == 0)
            return true;
    return state && strncmp(state, "08", 2) == 0;
}

/* A failure without a state is the connection's: a statement that could not be sent leaves it
 * marked as good. A full disk there is a system failure too; only what we may not do is the user's.
 */
static bool fail_result(Connection *connection, PGresult *result, Status *status) {
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    connection->lost = !state || PQstatus(connection->server) != CONNECTION_OK || is_passing(state);
    bool forbidden = state && strncmp(state, "42501", 5) == 0;
    fail(connection, forbidden ? STATUS_INPUT : STATUS_SYSTEM, PQresultErrorMessage(result),
         status);
    PQclear(result);
    return false;
}

static bool connect_to(Connection *connection, const char *address, Status *status) {
    /* What the address says comes later and wins. A server that vanished is noticed in half a
     * minute. */
    const char *const names[] = {
        "connect_timeout",           "keepalives_idle",  "keepalives_interval",
        "keepalives_count",          "tcp_user_timeout", "client_encoding",
        "fallback_application_name", "dbname",           NULL};
    const char *const values[] = {"10", "15", "5", "3", "30000", "UTF8", "tetropt", address, NULL};
    connection->server = PQconnectdbParams(names, values, 1);
    if (!connection->server)
        return status_no_memory(status);
    PQsetNoticeProcessor(connection->server, ignore_notice, NULL);
    if (PQstatus(connection->server) == CONNECTION_OK)
        return true;
    return fail(connection, STATUS_SYSTEM, PQerrorMessage(connection->server), status);
}

/* "postgresql://host/database", without user and password. False: the address is invalid. */
static bool name_of(const char *address, char *name, Status *status) {
    char *error = NULL;
    PQconninfoOption *options = PQconninfoParse(address, &error);
    if (!options) {
        status_option(status, "store", "%.*s", error ? (int)strcspn(error, "\n") : 0,
                      error ? error : "");
        PQfreemem(error);
        return false;
    }
    const char *host = "", *database = "";
    for (PQconninfoOption *option = options; option->keyword; option++) {
        if (option->val && strcmp(option->keyword, "host") == 0)
            host = option->val;
        if (option->val && strcmp(option->keyword, "dbname") == 0)
            database = option->val;
    }
    snprintf(name, DRIVER_NAME_BYTES, "postgresql://%s/%s", host, database);
    PQconninfoFree(options);
    return true;
}

static void close_connection(void *given) {
    Connection *connection = given;
    PQfinish(connection->server);
    free(connection);
}

static void *open_server(const char *address, StoreMode mode, char *name, Status *status) {
    (void)mode;
    if (!name_of(address, name, status))
        return NULL;
    Connection *connection = memory_new(1, sizeof *connection, status);
    if (!connection)
        return NULL;
    snprintf(connection->name, sizeof connection->name, "%s", name);
    if (connect_to(connection, address, status))
        return connection;
    close_connection(connection);
    return NULL;
}

/* ---- statements */

/* The values as text; numbers are written into `numbers`. */
static const char *text_of(const DriverValue *value, char number[NUMBER_BYTES]) {
    switch (value->kind) {
    case DRIVER_INTEGER:
        snprintf(number, NUMBER_BYTES, "%lld", (long long)value->integer);
        return number;
    case DRIVER_REAL:
        snprintf(number, NUMBER_BYTES, "%.17g", value->real);
        return number;
    case DRIVER_TEXT:
        return value->text;
    case DRIVER_NULL:
        break;
    }
    return NULL;
}

static DriverValue value_at(const PGresult *result, int row, int column) {
    if (PQgetisnull(result, row, column))
        return (DriverValue){.kind = DRIVER_NULL};
    const char *text = PQgetvalue(result, row, column);
    switch (PQftype(result, column)) {
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8: {
        long long number = strtoll(text, NULL, 10);
        return (DriverValue){DRIVER_INTEGER, number, (double)number, NULL};
    }
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
        return (DriverValue){.kind = DRIVER_REAL, .real = strtod(text, NULL)};
    default:
        return (DriverValue){.kind = DRIVER_TEXT, .text = text};
    }
}

static bool visit_row(const DriverQuery *query, const PGresult *result, Status *status) {
    DriverValue row[DRIVER_MAX_COLUMNS] = {{0}};
    int columns = PQnfields(result);
    for (int i = 0; i < columns && i < DRIVER_MAX_COLUMNS; i++)
        row[i] = value_at(result, 0, i);
    return !query->visit || query->visit(query->context, row, status);
}

/* Takes the answer row by row: a store may be larger than memory. All of it is taken even after a
 * failure, as the connection asks for that. */
static bool take_answer(Connection *connection, DriverQuery *query, Status *status) {
    bool ok = true;
    PGresult *result;
    while ((result = PQgetResult(connection->server)) != NULL) {
        switch (PQresultStatus(result)) {
        case PGRES_SINGLE_TUPLE:
            ok = ok && visit_row(query, result, status);
            break;
        case PGRES_TUPLES_OK:
        case PGRES_COMMAND_OK:
            query->changed = strtoll(PQcmdTuples(result), NULL, 10);
            break;
        default:
            if (ok)
                fail_result(connection, result, status);
            else
                PQclear(result);
            ok = false;
            continue;
        }
        PQclear(result);
    }
    return ok;
}

static bool execute(void *given, DriverQuery *query, Status *status) {
    Connection *connection = given;
    connection->lost = false;
    char numbers[DRIVER_MAX_VALUES][NUMBER_BYTES];
    const char *values[DRIVER_MAX_VALUES];
    for (int i = 0; i < query->count; i++)
        values[i] = text_of(&query->values[i], numbers[i]);
    if (!PQsendQueryParams(connection->server, query->sql, query->count, NULL, values, NULL, NULL,
                           0)) {
        connection->lost = true;
        return fail(connection, STATUS_SYSTEM, PQerrorMessage(connection->server), status);
    }
    PQsetSingleRowMode(connection->server);
    return take_answer(connection, query, status);
}

static bool lost(void *given) {
    return ((Connection *)given)->lost;
}

static bool reconnect(void *given, Status *status) {
    Connection *connection = given;
    PQreset(connection->server);
    if (PQstatus(connection->server) != CONNECTION_OK)
        return fail(connection, STATUS_SYSTEM, PQerrorMessage(connection->server), status);
    connection->lost = false;
    return true;
}

static const Driver driver = {
    .claim_lock = " FOR UPDATE SKIP LOCKED",
    .now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
    .begin_write = "BEGIN",
    .begin_read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .find_tables = "SELECT 1 WHERE to_regclass('tetropt_store') IS NOT NULL",
    .create_lock = "SELECT pg_advisory_xact_lock(8387236824)", /* a number of our own */
    .open = open_server,
    .close = close_connection,
    .execute = execute,
    .server = true,
    .columns = "SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND "
               "table_schema = ANY (current_schemas(false))",
    .lost = lost,
    .reconnect = reconnect,
};

const Driver *driver_postgresql(void) {
    return &driver;
}
