/*
 * file: whole files by plain system calls. A file is replaced by rename, the one step that a crash
 * or a reader can only see done or not done; both the data and the folder are synced, so that a
 * result that was reported is there after a power cut too.
 */
#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the user can mend by naming another file is bad input; the rest is the system's. */
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
    Text text;
    text_init(&text);
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

enum { FOLDER_BYTES = 4096 };

static bool write_all(int descriptor, const char *data, size_t length) {
    while (length > 0) {
        ssize_t count = write(descriptor, data, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        data += count;
        length -= (size_t)count;
    }
    return true;
}

/* mkstemp makes 0600; a result file should have the mode that a plain creation would have given. */
static void apply_usual_mode(int descriptor) {
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
}

/* The folder that `path` is in; false when its name is too long. */
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

bool file_check_writable(const char *path, Status *status) {
    struct stat existing;
    char folder[FOLDER_BYTES];
    if (!path)
        return true;
    bool there = stat(path, &existing) == 0;
    if (there && S_ISDIR(existing.st_mode))
        return status_fail(status, STATUS_INPUT, "%s: is a folder", path);
    if (there && !S_ISREG(existing.st_mode))
        return access(path, W_OK) == 0 || file_fail(path, errno, status);
    return !folder_of(path, folder) || access(folder, W_OK | X_OK) == 0 ||
           file_fail(path, errno, status);
}

/* A device or pipe (/dev/stdout, /dev/null) cannot be replaced, only written to. */
static bool write_to_device(const char *path, const char *data, size_t length, Status *status) {
    int device = open(path, O_WRONLY | O_CLOEXEC);
    bool written = device >= 0 && write_all(device, data, length);
    int error = errno;
    if (device >= 0)
        close(device);
    return written || status_fail(status, STATUS_SYSTEM, "%s: %s", path, strerror(error));
}

/* Writes, syncs and closes; returns 0 or the error. */
static int fill_and_close(int descriptor, const char *data, size_t length) {
    apply_usual_mode(descriptor);
    bool ok = write_all(descriptor, data, length) && fsync(descriptor) == 0;
    int error = ok ? 0 : errno;
    if (close(descriptor) != 0 && ok)
        error = errno;
    return error;
}

bool file_replace(const char *path, const char *data, size_t length, Status *status) {
    struct stat existing;
    bool there = stat(path, &existing) == 0;
    if (there && S_ISDIR(existing.st_mode))
        return status_fail(status, STATUS_INPUT, "%s: is a folder", path);
    if (there && !S_ISREG(existing.st_mode))
        return write_to_device(path, data, length, status);
    Text temporary;
    text_init(&temporary);
    text_format(&temporary, "%s.XXXXXX", path);
    if (temporary.failed)
        return status_no_memory(status);
    int descriptor = mkstemp(temporary.data);
    if (descriptor < 0) {
        file_fail(path, errno, status);
        text_release(&temporary);
        return false;
    }
    int error = fill_and_close(descriptor, data, length);
    if (error == 0 && rename(temporary.data, path) != 0)
        error = errno;
    if (error == 0)
        sync_folder_of(path);
    else {
        unlink(temporary.data);
        status_fail(status, STATUS_SYSTEM, "%s: %s", path, strerror(error));
    }
    text_release(&temporary);
    return error == 0;
}
