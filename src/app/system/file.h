/*
 * file: reads whole files up to a limit, and replaces files atomically.
 *
 * What the user can fix by naming another file (it is missing, a directory, not allowed) is bad
 * input; everything else is a failure of the system.
 */
#ifndef TETROPT_SYSTEM_FILE_H
#define TETROPT_SYSTEM_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Reads all of `path` ("-" is standard input) into a NUL-terminated buffer that the caller frees. A
 * file longer than `limit` bytes is an error. Returns NULL with `status` on failure: a missing or
 * oversized file is bad input, a read error is a system failure, and a signal that came while it
 * waited interrupts it. */
char *file_read(const char *path, size_t limit, size_t *length, Status *status);

/* Says "PATH: WHY" for the errno `error`, with the status code that fits it. Returns false. */
bool file_fail(const char *path, int error, Status *status);

/* Whether there is something called `path`. False with `status` when that cannot be found out. */
bool file_exists(const char *path, bool *exists, Status *status);

/* Where writing to `path` ends up: links followed, even one to a file that does not exist yet, and
 * the directory by its real name if it exists. The caller frees it; NULL with errno when a link
 * could not be read or memory ran out. */
char *file_target(const char *path);

/* Fails when `path` cannot be made or replaced, as far as that can be seen beforehand: for those
 * who write it after long work. NULL is fine. */
bool file_check_writable(const char *path, Status *status);

/* Replaces `path` by `length` bytes of `data`: written to a temporary file beside it, synced,
 * renamed. A link stays one, and the file keeps its mode. Devices and pipes are written to. On
 * failure the old file is as it was. */
bool file_replace(const char *path, const char *data, size_t length, Status *status);

#endif
