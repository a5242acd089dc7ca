/* wrap_library: databases, the web server, the terminal, drawings. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

#ifdef TETROPT_SQLITE
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

WRAP(int, sqlite3_open_v2, const char *path, sqlite3 **database, int flags, const char *system) {
    if (!fault_now(FAULT_DATABASE, "sqlite3_open_v2", EIO))
        return __real_sqlite3_open_v2(path, database, flags, system);
    *database = NULL;
    return SQLITE_NOMEM;
}

WRAP(int, sqlite3_prepare_v2, sqlite3 *database, const char *sql, int bytes,
     sqlite3_stmt **statement, const char **rest) {
    if (!fault_now(FAULT_DATABASE, "sqlite3_prepare_v2", EIO))
        return __real_sqlite3_prepare_v2(database, sql, bytes, statement, rest);
    *statement = NULL;
    return SQLITE_IOERR_READ;
}

WRAP(int, sqlite3_step, sqlite3_stmt *statement) {
    return fault_now(FAULT_DATABASE, "sqlite3_step", EIO) ? SQLITE_IOERR_FSYNC
                                                          : __real_sqlite3_step(statement);
}

WRAP(int, sqlite3_bind_text, sqlite3_stmt *statement, int index, const char *text, int bytes,
     void (*release)(void *)) {
    return fault_now(FAULT_DATABASE, "sqlite3_bind_text", ENOMEM)
               ? SQLITE_NOMEM
               : __real_sqlite3_bind_text(statement, index, text, bytes, release);
}

/* The memory of SQLite. What it takes to set these hooks up is no call of the program. */
static sqlite3_mem_methods usual_memory;
static bool hooked;

static void *sqlite_allocate(int bytes) {
    return hooked && fault_now(FAULT_MEMORY, "sqlite", ENOMEM) ? NULL : usual_memory.xMalloc(bytes);
}

static void *sqlite_reallocate(void *memory, int bytes) {
    return hooked && fault_now(FAULT_MEMORY, "sqlite", ENOMEM)
               ? NULL
               : usual_memory.xRealloc(memory, bytes);
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int descriptor, void *bytes, size_t count);
int __real_stat(const char *path, struct stat *about);
int __real_fstat(int descriptor, struct stat *about);

/* Its system calls. It tells the reason of a failure from errno. */
static int sqlite_open(const char *path, int flags, int mode) {
    /* After a failure it tries again to open the same for reading alone: no better then. */
    static char failed[1024];
    bool again = strcmp(failed, path) == 0;
    failed[0] = '\0';
    if (!fault_now(FAULT_FILE, "sqlite-open", EMFILE) && !again)
        return __real_open(path, flags, (mode_t)mode);
    if (!again)
        snprintf(failed, sizeof failed, "%s", path);
    errno = EMFILE;
    return -1;
}

static ssize_t sqlite_read(int descriptor, void *bytes, size_t count) {
    return fault_now_bytes("sqlite-read", EIO, &count) ? -1 : __real_read(descriptor, bytes, count);
}

static ssize_t sqlite_pread(int descriptor, void *bytes, size_t count, off_t at) {
    return fault_now_bytes("sqlite-pread", EIO, &count) ? -1 : pread(descriptor, bytes, count, at);
}

static ssize_t sqlite_pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    return fault_now_bytes("sqlite-pwrite", ENOSPC, &count) ? -1
                                                            : pwrite(descriptor, bytes, count, at);
}

static int sqlite_ftruncate(int descriptor, off_t bytes) {
    return fault_now(FAULT_FILE, "sqlite-ftruncate", EIO) ? -1 : ftruncate(descriptor, bytes);
}

static int sqlite_stat(const char *path, struct stat *about) {
    return fault_now(FAULT_FILE, "sqlite-stat", EIO) ? -1 : __real_stat(path, about);
}

static int sqlite_fstat(int descriptor, struct stat *about) {
    return fault_now(FAULT_FILE, "sqlite-fstat", EIO) ? -1 : __real_fstat(descriptor, about);
}

static int sqlite_fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fault_now(FAULT_FILE, "sqlite-fcntl", EIO) ? -1 : fcntl(descriptor, command, argument);
}

/* A lock that cannot be taken looks like one that somebody else holds. Nobody will let go of it
 * here, so a minute's wait for every statement is left out. */
WRAP(int, sqlite3_busy_timeout, sqlite3 *database, int milliseconds) {
    enum { LONGEST_MS = 200 };
    return __real_sqlite3_busy_timeout(database,
                                       milliseconds < LONGEST_MS ? milliseconds : LONGEST_MS);
}

__attribute__((constructor)) static void hook_sqlite(void) {
    static const struct {
        const char *name;
        sqlite3_syscall_ptr call;
    } calls[] = {
        {"open", (sqlite3_syscall_ptr)sqlite_open},
        {"read", (sqlite3_syscall_ptr)sqlite_read},
        {"pread", (sqlite3_syscall_ptr)sqlite_pread},
        {"pread64", (sqlite3_syscall_ptr)sqlite_pread},
        {"pwrite", (sqlite3_syscall_ptr)sqlite_pwrite},
        {"pwrite64", (sqlite3_syscall_ptr)sqlite_pwrite},
        {"ftruncate", (sqlite3_syscall_ptr)sqlite_ftruncate},
        {"stat", (sqlite3_syscall_ptr)sqlite_stat},
        {"fstat", (sqlite3_syscall_ptr)sqlite_fstat},
        {"fcntl", (sqlite3_syscall_ptr)sqlite_fcntl},
    };
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual_memory);
    sqlite3_mem_methods memory = usual_memory;
    memory.xMalloc = sqlite_allocate;
    memory.xRealloc = sqlite_reallocate;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    sqlite3_vfs *files = sqlite3_vfs_find(NULL);
    for (size_t i = 0; files && i < sizeof calls / sizeof *calls; i++)
        if (files->xGetSystemCall(files, calls[i].name))
            files->xSetSystemCall(files, calls[i].name, calls[i].call);
    hooked = true;
}
#endif

#ifdef TETROPT_POSTGRESQL
#include <libpq-fe.h>

WRAP(PGconn *, PQconnectdbParams, const char *const *names, const char *const *values, int expand) {
    return fault_now(FAULT_DATABASE, "PQconnectdbParams", ENOMEM)
               ? NULL
               : __real_PQconnectdbParams(names, values, expand);
}

WRAP(int, PQsendQueryParams, PGconn *server, const char *sql, int count, const Oid *types,
     const char *const *values, const int *lengths, const int *formats, int format) {
    return fault_now(FAULT_DATABASE, "PQsendQueryParams", EIO)
               ? 0
               : __real_PQsendQueryParams(server, sql, count, types, values, lengths, formats,
                                          format);
}

/* The server has done what it was asked, but nobody hears of it. */
WRAP(PGresult *, PQgetResult, PGconn *server) {
    bool fails = fault_now(FAULT_DATABASE, "PQgetResult", EIO);
    PGresult *result = __real_PQgetResult(server);
    if (!fails || !result)
        return result;
    PQclear(result);
    return PQmakeEmptyPGresult(server, PGRES_FATAL_ERROR);
}
#endif

#ifdef TETROPT_CAIRO
#include <cairo.h>

/* No surface has a negative size: what comes is one with an error. */
WRAP(cairo_surface_t *, cairo_image_surface_create, cairo_format_t format, int width, int height) {
    bool fails = fault_now(FAULT_LIBRARY, "cairo_image_surface_create", ENOMEM);
    return __real_cairo_image_surface_create(format, fails ? -1 : width, height);
}

WRAP(cairo_t *, cairo_create, cairo_surface_t *surface) {
    bool fails = fault_now(FAULT_LIBRARY, "cairo_create", ENOMEM);
    return __real_cairo_create(fails ? NULL : surface);
}
#endif

#ifdef TETROPT_NCURSES
#include <curses.h>

WRAP(SCREEN *, newterm, const char *type, FILE *output, FILE *input) {
    return fault_now(FAULT_LIBRARY, "newterm", ENOMEM) ? NULL : __real_newterm(type, output, input);
}
#endif

#ifdef TETROPT_WEB
#include <microhttpd.h>

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port,
                                           MHD_AcceptPolicyCallback policy, void *policy_context,
                                           MHD_AccessHandlerCallback handler, void *context, ...);
struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port,
                                           MHD_AcceptPolicyCallback policy, void *policy_context,
                                           MHD_AccessHandlerCallback handler, void *context, ...) {
    if (fault_now(FAULT_LIBRARY, "MHD_start_daemon", ENOMEM))
        return NULL;
    va_list options;
    va_start(options, context);
    struct MHD_Daemon *daemon =
        MHD_start_daemon_va(flags, port, policy, policy_context, handler, context, options);
    va_end(options);
    return daemon;
}

WRAP(struct MHD_Response *, MHD_create_response_from_buffer, size_t bytes, void *data,
     enum MHD_ResponseMemoryMode mode) {
    if (!fault_now(FAULT_LIBRARY, "MHD_create_response_from_buffer", ENOMEM))
        return __real_MHD_create_response_from_buffer(bytes, data, mode);
    return NULL;
}

WRAP(struct MHD_Response *, MHD_create_response_from_callback, uint64_t bytes, size_t block,
     MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release) {
    if (!fault_now(FAULT_LIBRARY, "MHD_create_response_from_callback", ENOMEM))
        return __real_MHD_create_response_from_callback(bytes, block, reader, context, release);
    return NULL;
}

WRAP(enum MHD_Result, MHD_queue_response, struct MHD_Connection *connection, unsigned code,
     struct MHD_Response *response) {
    return fault_now(FAULT_LIBRARY, "MHD_queue_response", ENOMEM)
               ? MHD_NO
               : __real_MHD_queue_response(connection, code, response);
}

WRAP(enum MHD_Result, MHD_add_response_header, struct MHD_Response *response, const char *name,
     const char *value) {
    return fault_now(FAULT_LIBRARY, "MHD_add_response_header", ENOMEM)
               ? MHD_NO
               : __real_MHD_add_response_header(response, name, value);
}
#endif
