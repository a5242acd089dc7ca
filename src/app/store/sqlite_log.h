/*
 * sqlite_log: looks at the write-ahead log beside a database, NAME-wal, before SQLite does.
 *
 * SQLite applies whatever log it finds there. A log that was left behind when its database was
 * moved would be applied to the next database of that name, or deleted with it. So a database has a
 * number (PRAGMA user_version), which every change writes again, and so into the log.
 */
#ifndef TETROPT_STORE_SQLITE_LOG_H
#define TETROPT_STORE_SQLITE_LOG_H

#include "base/status.h"

/* Fails when there is a log with changes but no database, or the log of another database. */
bool sqlite_log_check(const char *path, Status *status);

#endif
