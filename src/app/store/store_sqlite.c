/*
 * store_sqlite: a store in one file, for the processes of one machine.
 *
 * Written ahead (WAL): readers and the one writer do not wait for each other, and a process that is
 * killed leaves nothing to repair. Every commit is synced, so a result that was reported as stored
 * survives a power cut too. Never on a network file system: the shared memory of the log does not
 * work there.
 *
 * Reading takes the log as well. Where it is not there and may not be made, no process has the file
 * open: then it is read as immutable, and every statement checks afterwards that this was true.
 */
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "store/driver.h"
#include "store/sqlite_log.h"
#include "system/file.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum {
    BUSY_MS = 60000,       /* how long to wait for another writer */
    RETRY_MS = 20,         /* and where SQLite does not wait, before the next attempt */
    END_MS = 10000,        /* and in the end, for a reader of the log */
    CHECK_BYTES = 1 << 26, /* larger files are not looked through when they are opened */
    NOTE_BYTES = 256
};

typedef struct Connection {
    sqlite3 *database;
    sqlite3_stmt *statement; /* the last one, to be used again */
    char *sql;               /* its text */
    char name[DRIVER_NAME_BYTES];
    char *path;
    StoreMode mode;
    uint32_t number;    /* of the store if it has none yet, see sqlite_log.h; 0: never written */
    bool frozen;        /* read as one that does not change */
    bool changed;       /* and it did, or the path leads to another file now */
    struct stat before; /* how it was then */
} Connection;

/* Damage and foreign files are bad input; failures of disk or memory are system failures. */
static StatusCode code_of(int error) {
    switch (error & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_PERM:
    case SQLITE_READONLY:
        return STATUS_INPUT;
    default:
        return STATUS_SYSTEM;
    }
}

static bool is_read_only(const Connection *connection) {
    struct statvfs place;
    return statvfs(connection->path, &place) == 0 && (place.f_flag & ST_RDONLY) != 0;
}

static bool fail(const Connection *connection, int error, Status *status) {
    const char *why;
    int now = errno, system = sqlite3_system_errno(connection->database);
    /* A disk that cannot be read is damage, to SQLite. */
    if ((error & 0xff) == SQLITE_CORRUPT && (now == EIO || now == ENXIO))
        return file_fail(connection->name, now, status);
    /* Of a log that cannot be made SQLite says that it is not there. */
    if ((error & 0xff) == SQLITE_CANTOPEN && system != 0)
        return file_fail(connection->name, is_read_only(connection) ? EROFS : system, status);
    switch (error & 0xff) {
    case SQLITE_NOTADB:
        why = "is not a database";
        break;
    case SQLITE_CORRUPT:
        why = "the database is damaged";
        break;
    case SQLITE_FULL:
        why = "no space left on the device";
        break;
    case SQLITE_BUSY:
        why = "another process keeps it locked";
        break;
    case SQLITE_READONLY:
        why = "may not be written";
        break;
    default:
        why = sqlite3_errmsg(connection->database);
    }
    return status_fail(status, code_of(error), "%s: %s", connection->name, why);
}

static void disconnect(Connection *connection) {
    sqlite3_finalize(connection->statement);
    sqlite3_close(connection->database);
    free(connection->sql);
    connection->database = NULL;
    connection->statement = NULL;
    connection->sql = NULL;
}

static void close_connection(void *given) {
    Connection *connection = given;
    /* SQLite would write the log back into a file that is not ours any more. */
    if (connection->database && connection->changed)
        sqlite3_db_config(connection->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    disconnect(connection);
    free(connection->path);
    free(connection);
}

static bool prepare(Connection *connection, const char *sql, Status *status) {
    if (connection->sql && strcmp(connection->sql, sql) == 0)
        return true;
    sqlite3_finalize(connection->statement);
    free(connection->sql);
    connection->statement = NULL;
    connection->sql = NULL;
    errno = 0;
    int error = sqlite3_prepare_v2(connection->database, sql, -1, &connection->statement, NULL);
    if (error != SQLITE_OK)
        return fail(connection, error, status);
    connection->sql = strdup(sql);
    return connection->sql || status_no_memory(status);
}

static int bind(sqlite3_stmt *statement, int number, const DriverValue *value) {
    char name[16];
    snprintf(name, sizeof name, "$%d", number);
    int index = sqlite3_bind_parameter_index(statement, name);
    switch (value->kind) {
    case DRIVER_INTEGER:
        return sqlite3_bind_int64(statement, index, value->integer);
    case DRIVER_REAL:
        return sqlite3_bind_double(statement, index, value->real);
    case DRIVER_TEXT:
        return sqlite3_bind_text(statement, index, value->text, -1, SQLITE_STATIC);
    case DRIVER_NULL:
        break;
    }
    return sqlite3_bind_null(statement, index);
}

static DriverValue value_at(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: {
        int64_t number = sqlite3_column_int64(statement, column);
        return (DriverValue){DRIVER_INTEGER, number, (double)number, NULL};
    }
    case SQLITE_FLOAT:
        return (DriverValue){.kind = DRIVER_REAL, .real = sqlite3_column_double(statement, column)};
    case SQLITE_NULL:
        return (DriverValue){.kind = DRIVER_NULL};
    default:
        return (DriverValue){.kind = DRIVER_TEXT,
                             .text = (const char *)sqlite3_column_text(statement, column)};
    }
}

/* All rows, to the end: a change is committed by the step that finds no more. */
static bool step_all(Connection *connection, const DriverQuery *query, Status *status) {
    sqlite3_stmt *statement = connection->statement;
    int error;
    errno = 0; /* see fail */
    while ((error = sqlite3_step(statement)) == SQLITE_ROW) {
        DriverValue row[DRIVER_MAX_COLUMNS] = {{0}};
        int columns = sqlite3_column_count(statement);
        for (int i = 0; i < columns && i < DRIVER_MAX_COLUMNS; i++)
            row[i] = value_at(statement, i);
        if (query->visit && !query->visit(query->context, row, status))
            return false;
    }
    return error == SQLITE_DONE || fail(connection, error, status);
}

static bool log_exists(const char *path) {
    char log[DRIVER_NAME_BYTES + 4096];
    struct stat info;
    int length = snprintf(log, sizeof log, "%s-wal", path);
    return length >= (int)sizeof log || stat(log, &info) == 0;
}

/* A writer makes the log first, and when it takes that away again the file has changed. */
static bool still_frozen(Connection *connection, Status *status) {
    struct stat now;
    const struct stat *before = &connection->before;
    if (!log_exists(connection->path) && stat(connection->path, &now) == 0 &&
        now.st_ino == before->st_ino && now.st_size == before->st_size &&
        now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before->st_mtim.tv_nsec)
        return true;
    connection->changed = true;
    return status_fail(status, STATUS_SYSTEM, "%s: was changed while it was read; try again",
                       connection->name);
}

/* A file that was moved, deleted or replaced is not the store any more: what is read there is old,
 * and what is written is lost. */
static bool same_file(Connection *connection, Status *status) {
    struct stat now;
    const struct stat *before = &connection->before;
    if (before->st_ino == 0) /* not open yet */
        return true;
    bool there = stat(connection->path, &now) == 0;
    if (there && now.st_dev == before->st_dev && now.st_ino == before->st_ino)
        return true;
    connection->changed = true;
    return status_fail(status, STATUS_SYSTEM, "%s: %s while it was open", connection->name,
                       there ? "was replaced by another file" : "was moved or deleted");
}

/* A statement of its own, of which only the failure counts. */
static bool run_plain(const Connection *connection, const char *sql, Status *status) {
    int error = sqlite3_exec(connection->database, sql, NULL, NULL, NULL);
    return error == SQLITE_OK || fail(connection, error, status);
}

/* Writes the store's number again, or its first one, inside a transaction that changes something:
 * of several processes that begin a store at the same time one decides. */
static bool write_number(const Connection *connection, Status *status) {
    sqlite3_stmt *statement = NULL;
    int error =
        sqlite3_prepare_v2(connection->database, "PRAGMA user_version", -1, &statement, NULL);
    if (error == SQLITE_OK)
        error = sqlite3_step(statement);
    uint32_t number = error == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    if (error != SQLITE_ROW)
        return fail(connection, error, status);
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %u", number ? number : connection->number);
    return run_plain(connection, sql, status);
}

/* Runs the statement that is prepared. One that changes something writes the store's number with
 * it, in the same transaction. */
static bool run_prepared(Connection *connection, const DriverQuery *query, Status *status) {
    bool begins = strncmp(query->sql, "BEGIN", 5) == 0;
    if (sqlite3_stmt_readonly(connection->statement) || begins || connection->number == 0)
        return step_all(connection, query, status);
    bool own = sqlite3_get_autocommit(connection->database);
    if (own && !run_plain(connection, "BEGIN IMMEDIATE", status))
        return false;
    bool ok = step_all(connection, query, status) && write_number(connection, status);
    sqlite3_reset(connection->statement);
    if (own && ok)
        ok = run_plain(connection, "COMMIT", status);
    if (own && !ok)
        sqlite3_exec(connection->database, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

static bool execute(void *given, DriverQuery *query, Status *status) {
    Connection *connection = given;
    if (!connection->database) { /* it could not be opened again */
        connection->changed = true;
        return status_fail(status, STATUS_SYSTEM, "%s: cannot be read", connection->name);
    }
    if (!same_file(connection, status) || !prepare(connection, query->sql, status))
        return false;
    for (int i = 0; i < query->count; i++) {
        int error = bind(connection->statement, i + 1, &query->values[i]);
        if (error != SQLITE_OK)
            return fail(connection, error, status);
    }
    bool ok = run_prepared(connection, query, status);
    query->changed = sqlite3_changes64(connection->database);
    sqlite3_reset(connection->statement);
    sqlite3_clear_bindings(connection->statement);
    return connection->frozen && ok ? still_frozen(connection, status) : ok;
}

static bool simple(Connection *connection, const char *sql, Status *status) {
    DriverQuery query = {.sql = sql};
    return execute(connection, &query, status);
}

static bool note_text(void *context, const DriverValue *row, Status *status) {
    (void)status;
    snprintf(context, NOTE_BYTES, "%s", row[0].text ? row[0].text : "");
    return true;
}

/* Damage is better found before hours of work than after. */
static bool look_through(Connection *connection, Status *status) {
    struct stat file;
    if (stat(connection->path, &file) != 0 || file.st_size > CHECK_BYTES)
        return true;
    char verdict[NOTE_BYTES] = "";
    DriverQuery query = {.sql = "PRAGMA quick_check(1)", .visit = note_text, .context = verdict};
    if (!execute(connection, &query, status))
        return false;
    if (strcmp(verdict, "ok") == 0)
        return true;
    /* SQLite reports a page that could not be read as damage, with the reason in words. */
    const char *reason = strstr(verdict, "error code=");
    int error = reason ? atoi(reason + strlen("error code=")) : SQLITE_CORRUPT;
    if ((error & 0xff) == SQLITE_IOERR || (error & 0xff) == SQLITE_NOMEM)
        return status_fail(status, STATUS_SYSTEM, "%s: %s", connection->name,
                           sqlite3_errstr(error));
    return fail(connection, SQLITE_CORRUPT, status);
}

/* A database that has tables, but none of ours, is not a store. */
static bool is_ours(Connection *connection, Status *status) {
    char other[NOTE_BYTES] = "";
    DriverQuery query = {.sql = "SELECT name FROM sqlite_master WHERE NOT EXISTS (SELECT 1 FROM "
                                "sqlite_master WHERE name = 'tetropt_store') LIMIT 1",
                         .visit = note_text,
                         .context = other};
    if (!execute(connection, &query, status))
        return false;
    return other[0] == '\0' || status_fail(status, STATUS_INPUT,
                                           "%s: is a database of something else", connection->name);
}

static bool set_up(Connection *connection, StoreMode mode, Status *status) {
    sqlite3_busy_timeout(connection->database, BUSY_MS);
    sqlite3_extended_result_codes(connection->database, 1);
    if (!look_through(connection, status) || !is_ours(connection, status))
        return false;
    if (!simple(connection, "PRAGMA synchronous = FULL", status))
        return false;
    if (mode != STORE_LOOK) /* from here on, changes write it; see write_number */
        connection->number = (uint32_t)rng_entropy() >> 1 | 1;
    return true;
}

static bool open_normally(Connection *connection, StoreMode mode, Status *status) {
    int flags = SQLITE_OPEN_READWRITE | (mode == STORE_CREATE ? SQLITE_OPEN_CREATE : 0);
    int error = sqlite3_open_v2(connection->path, &connection->database, flags, NULL);
    return error == SQLITE_OK ? set_up(connection, mode, status) : fail(connection, error, status);
}

/* After open_normally has failed. */
static bool can_be_frozen(const Connection *connection, StoreMode mode) {
    int error = sqlite3_extended_errcode(connection->database);
    return mode == STORE_LOOK && !log_exists(connection->path) &&
           (error == SQLITE_READONLY_DIRECTORY ||
            (is_read_only(connection) && (error & 0xff) == SQLITE_CANTOPEN));
}

static bool open_frozen(Connection *connection, Status *status) {
    *status = (Status){.code = STATUS_OK};
    disconnect(connection);
    connection->frozen = true;
    if (stat(connection->path, &connection->before) != 0)
        return file_fail(connection->name, errno, status);
    Text address = {0};
    text_add(&address, "file:");
    for (const char *at = connection->path; *at; at++)
        text_format(&address, strchr("?#%", *at) ? "%%%02x" : "%c", (unsigned)(unsigned char)*at);
    text_add(&address, "?immutable=1");
    if (address.failed) {
        text_release(&address);
        return status_no_memory(status);
    }
    int error = sqlite3_open_v2(address.data, &connection->database,
                                SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    text_release(&address);
    return error == SQLITE_OK ? set_up(connection, STORE_LOOK, status)
                              : fail(connection, error, status);
}

/* What SQLite would say less clearly, or not at all: it would wait for a FIFO. */
static bool check_file(const char *path, const char *name, StoreMode mode, Status *status) {
    struct stat file;
    int error = name[0] == '\0' ? ENOENT : stat(path, &file) == 0 ? 0 : errno;
    if (error == 0 && S_ISDIR(file.st_mode))
        error = EISDIR;
    if (error == 0 && !S_ISREG(file.st_mode))
        return status_fail(status, STATUS_INPUT, "%s: is not a regular file", name);
    if (error == ENOENT && mode == STORE_CREATE && name[0])
        return file_check_writable(path, status);
    return error == 0 || file_fail(name[0] ? name : "sqlite:", error, status);
}

static bool open_path(Connection *connection, StoreMode mode, Status *status) {
    if (!check_file(connection->path, connection->name, mode, status) ||
        !sqlite_log_check(connection->path, status))
        return false;
    return open_normally(connection, mode, status) ||
           (can_be_frozen(connection, mode) && open_frozen(connection, status));
}

/* In the middle of a snapshot another one would not do. Those who write must not continue in
 * another file. */
static bool was_changed(void *given) {
    const Connection *connection = given;
    return connection->changed && connection->mode == STORE_LOOK &&
           (!connection->database || sqlite3_get_autocommit(connection->database));
}

static bool remember_file(Connection *connection, Status *status) {
    return stat(connection->path, &connection->before) == 0 ||
           file_fail(connection->name, errno, status);
}

static bool open_again(void *given, Status *status) {
    Connection *connection = given;
    disconnect(connection);
    connection->frozen = connection->changed = false;
    connection->before = (struct stat){0};
    if (open_path(connection, STORE_LOOK, status) && remember_file(connection, status))
        return true;
    disconnect(connection);
    return false;
}

static void *open_file(const char *address, StoreMode mode, char *name, Status *status) {
    snprintf(name, DRIVER_NAME_BYTES, "%s", address);
    Connection *connection = calloc(1, sizeof *connection);
    /* To SQLite ":memory:" and, depending on its build, "file:..." are not paths. */
    size_t bytes = strlen(address) + sizeof "./";
    char *path = malloc(bytes);
    if (!connection || !path) {
        free(connection);
        free(path);
        status_no_memory(status);
        return NULL;
    }
    snprintf(path, bytes, "%s%s", address[0] == '/' ? "" : "./", address);
    snprintf(connection->name, sizeof connection->name, "%s", address);
    connection->path = path;
    connection->mode = mode;
    if (open_path(connection, mode, status) && remember_file(connection, status))
        return connection;
    close_connection(connection);
    return NULL;
}

/* ---- before the first change */

/* While another process does the same, SQLite fails at once instead of waiting. */
static bool become_writable(void *given, Status *status) {
    const Connection *connection = given;
    uint64_t start = clock_now_ns();
    for (;;) {
        int error =
            sqlite3_exec(connection->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (error == SQLITE_OK)
            return true;
        if ((error & 0xff) != SQLITE_BUSY || clock_seconds_since(start) * 1000 > BUSY_MS)
            return fail(connection, error, status);
        sqlite3_sleep(RETRY_MS);
    }
}

/* Copies the log into the database file, and at the end empties it. So a store that is moved or
 * copied after a command has ended is complete. */
static bool write_back(void *given, bool at_end, Status *status) {
    Connection *connection = given;
    int frames = 0, copied = 0;
    sqlite3_busy_timeout(connection->database, at_end ? END_MS : 0);
    int error = sqlite3_wal_checkpoint_v2(
        connection->database, NULL, at_end ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE,
        &frames, &copied);
    sqlite3_busy_timeout(connection->database, BUSY_MS);
    if (error == SQLITE_OK || !at_end || (error == SQLITE_BUSY && frames == copied))
        return true;
    if (error == SQLITE_BUSY)
        return status_fail(status, STATUS_SYSTEM,
                           "%s: a reader keeps results in %s-wal; keep both files together",
                           connection->name, connection->name);
    return fail(connection, error, status);
}

/* ---- copying */

/* To a new file, as the store is at one moment, whoever writes to it. */
static bool copy_to(void *given, const char *path, Status *status) {
    Connection *connection = given;
    sqlite3 *copy = NULL;
    int error = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    /* A copy that fails is removed, so it needs no journal, which a full disk would leave behind.
     */
    if (error == SQLITE_OK)
        error = sqlite3_exec(copy, "PRAGMA journal_mode=OFF", NULL, NULL, NULL);
    sqlite3_backup *backup =
        error == SQLITE_OK ? sqlite3_backup_init(copy, "main", connection->database, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        error = sqlite3_backup_finish(backup);
    } else if (error == SQLITE_OK)
        error = sqlite3_errcode(copy);
    sqlite3_close(copy);
    return error == SQLITE_OK || status_fail(status, STATUS_SYSTEM, "%s: cannot be copied: %s",
                                             connection->name, sqlite3_errstr(error));
}

static const Driver driver = {
    .claim_lock = "",
    .now = "((julianday('now') - 2440587.5) * 86400.0)",
    .begin_write = "BEGIN IMMEDIATE",
    .begin_read = "BEGIN",
    .find_tables = "SELECT 1 FROM sqlite_master WHERE name = 'tetropt_store'",
    .open = open_file,
    .close = close_connection,
    .execute = execute,
    .columns = "SELECT name FROM pragma_table_info($1)",
    .lost = was_changed,
    .reconnect = open_again,
    .become_writable = become_writable,
    .write_back = write_back,
    .copy_to = copy_to,
};

const Driver *driver_sqlite(void) {
    return &driver;
}
