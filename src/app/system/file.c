/*
 * file: whole files by plain system calls. A file is replaced by rename, the one step that a crash
 * or a reader can only see done or not done; both the data and the directory are synced, so that a
 * result that was reported is there after a power cut too.
 */
#include "system/file.h"

#include "base/rng.h"
#include "base/text.h"
#include "system/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the user can fix by naming another file is bad input; the rest is a system failure. */
static StatusCode failure_code(int error) {
    switch (error) {
    case ENOENT:
    case EACCES:
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
        return STATUS_INPUT;
    case EINTR:
        return STATUS_INTERRUPTED;
    default:
        return STATUS_SYSTEM;
    }
}

bool file_fail(const char *path, int error, Status *status) {
    return status_fail(status, failure_code(error), "%s: %s", path,
                       error == EINTR ? "interrupted" : strerror(error));
}

bool file_exists(const char *path, bool *exists, Status *status) {
    *exists = access(path, F_OK) == 0;
    return *exists || errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ||
           file_fail(path, errno, status);
}

static bool read_all(int descriptor, size_t limit, Text *text, const char *path, Status *status) {
    char block[65536];
    for (;;) {
        ssize_t count = read(descriptor, block, sizeof block);
        if (count < 0)
            return file_fail(path, errno, status);
        if (count == 0)
            break;
        if ((size_t)count > limit - text->length)
            return status_fail(status, STATUS_INPUT, "%s: larger than %zu bytes", path, limit);
        text_add_bytes(text, block, (size_t)count);
        if (text->failed) /* what does not end would be read for ever */
            break;
    }
    text_add(text, "");
    return text->failed ? status_no_memory(status) : true;
}

char *file_read(const char *path, size_t limit, size_t *length, Status *status) {
    bool standard_input = strcmp(path, "-") == 0;
    int descriptor = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        file_fail(path, errno, status);
        return NULL;
    }
    Text text = {0};
    bool ok = read_all(descriptor, limit, &text, standard_input ? "standard input" : path, status);
    if (!standard_input)
        close(descriptor);
    if (!ok) {
        text_release(&text);
        return NULL;
    }
    if (length)
        *length = text.length;
    return text.data;
}

enum { FOLDER_BYTES = 4096, LINKS_MAX = 40, TEMPORARY_BYTES = 32, TEMPORARY_TRIES = 100 };

/* After a stop, writing to a pipe ends, because that may block; a file is finished. */
static bool write_all(int descriptor, const char *data, size_t length, bool may_stop) {
    while (length > 0) {
        ssize_t count = write(descriptor, data, length);
        if (count < 0 && errno == EINTR && !(may_stop && atomic_load(stop_flag())))
            continue;
        if (count < 0)
            return false;
        data += count;
        length -= (size_t)count;
    }
    return true;
}

/* The directory that `path` is in; false when its name is too long. */
static bool folder_of(const char *path, char folder[FOLDER_BYTES]) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= FOLDER_BYTES)
        return false;
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (length == 0)
        strcpy(folder, slash ? "/" : ".");
    return true;
}

static void sync_folder_of(const char *path) {
    char folder[FOLDER_BYTES];
    int descriptor =
        folder_of(path, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

/* Puts what the link `*path` holds, as seen from here, in its place. False when it is none (with
 * errno EINVAL or ENOENT) or that failed. */
static bool follow(char **path) {
    char target[FOLDER_BYTES], folder[FOLDER_BYTES];
    ssize_t length = readlink(*path, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    Text joined = {0};
    if (target[0] != '/' && folder_of(*path, folder))
        text_format(&joined, "%s/", folder);
    text_add(&joined, target);
    if (joined.failed) {
        text_release(&joined);
        errno = ENOMEM;
        return false;
    }
    free(*path);
    *path = joined.data;
    return true;
}

/* realpath fails for a file that does not exist yet. */
static char *with_real_folder(const char *path) {
    char folder[FOLDER_BYTES];
    const char *slash = strrchr(path, '/');
    char *real = folder_of(path, folder) ? realpath(folder, NULL) : NULL;
    if (!real)
        return strdup(path);
    Text joined = {0};
    text_format(&joined, "%s/%s", strcmp(real, "/") == 0 ? "" : real, slash ? slash + 1 : path);
    free(real);
    if (!joined.failed)
        return joined.data;
    text_release(&joined);
    return NULL;
}

char *file_target(const char *path) {
    char *at = strdup(path), *target = NULL;
    int links = 0;
    while (at && links < LINKS_MAX && follow(&at))
        links++;
    if (at && (links == LINKS_MAX || errno == EINVAL || errno == ENOENT || errno == ENOTDIR ||
               errno == EACCES || errno == ENAMETOOLONG))
        target = with_real_folder(at);
    free(at);
    return target;
}

/* What is at `path`: false with `status` for what can never be replaced. A file that its owner has
 * closed to writing is meant to stay, though renaming another over it would go through. */
static bool look_at(const char *path, struct stat *existing, bool *there, Status *status) {
    *there = stat(path, existing) == 0;
    if (!*there && errno != ENOENT)
        return file_fail(path, errno, status);
    if (*there && S_ISDIR(existing->st_mode))
        return status_fail(status, STATUS_INPUT, "%s: is a directory", path);
    return !*there || access(path, W_OK) == 0 || file_fail(path, errno, status);
}

bool file_check_writable(const char *path, Status *status) {
    struct stat existing;
    bool there;
    if (!path)
        return true;
    if (!look_at(path, &existing, &there, status))
        return false;
    if (there && !S_ISREG(existing.st_mode))
        return true;
    char *target = file_target(path), folder[FOLDER_BYTES];
    if (!target)
        return file_fail(path, errno, status);
    bool ok = !folder_of(target, folder) || access(folder, W_OK | X_OK) == 0 ||
              file_fail(path, errno, status);
    free(target);
    return ok;
}

/* A device or pipe (/dev/stdout, /dev/null) cannot be replaced, only written to. Opening a pipe
 * waits for its reader, and a signal ends that. */
static bool write_to_device(const char *path, const char *data, size_t length, Status *status) {
    int device;
    do
        device = open(path, O_WRONLY | O_CLOEXEC);
    while (device < 0 && errno == EINTR && !atomic_load(stop_flag()));
    bool written = device >= 0 && write_all(device, data, length, true);
    int error = errno;
    if (device >= 0)
        close(device);
    return written || file_fail(path, error, status);
}

/* A new file in the directory of `target`, with the mode of `existing` or, when that is NULL, the
 * one that any new file gets. Its name says nothing of the target's, which may be as long as names
 * can be. Returns its descriptor, or -1 with errno. */
static int open_temporary(const char *target, const struct stat *existing, char *name,
                          size_t bytes) {
    char folder[FOLDER_BYTES];
    mode_t mode = existing ? existing->st_mode & 0777 : 0666;
    if (!folder_of(target, folder)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (int i = 0;; i++) {
        snprintf(name, bytes, "%s/.tetropt-%016llx", folder, (unsigned long long)rng_entropy());
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno == EEXIST && i < TEMPORARY_TRIES)
            continue;
        if (descriptor >= 0 && existing) /* what the umask took away; not everywhere possible */
            (void)fchmod(descriptor, mode);
        return descriptor;
    }
}

/* Writes, syncs and closes; returns 0 or the error. */
static int fill_and_close(int descriptor, const char *data, size_t length) {
    bool ok = write_all(descriptor, data, length, false) && fsync(descriptor) == 0;
    int error = ok ? 0 : errno;
    if (close(descriptor) != 0 && ok)
        error = errno;
    return error;
}

static bool replace_target(const char *path, const char *target, const struct stat *existing,
                           const char *data, size_t length, Status *status) {
    char temporary[FOLDER_BYTES + TEMPORARY_BYTES];
    int descriptor = open_temporary(target, existing, temporary, sizeof temporary);
    if (descriptor < 0)
        return file_fail(path, errno, status);
    int error = fill_and_close(descriptor, data, length);
    if (error == 0 && rename(temporary, target) != 0)
        error = errno;
    if (error == 0) {
        sync_folder_of(target);
        return true;
    }
    unlink(temporary);
    return status_fail(status, error == ENAMETOOLONG ? STATUS_INPUT : STATUS_SYSTEM, "%s: %s", path,
                       strerror(error));
}

bool file_replace(const char *path, const char *data, size_t length, Status *status) {
    struct stat existing;
    bool there;
    if (!look_at(path, &existing, &there, status))
        return false;
    if (there && !S_ISREG(existing.st_mode))
        return write_to_device(path, data, length, status);
    char *target = file_target(path);
    if (!target)
        return file_fail(path, errno, status);
    bool ok = replace_target(path, target, there ? &existing : NULL, data, length, status);
    free(target);
    return ok;
}
