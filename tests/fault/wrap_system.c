/* wrap_system: calls to the C library that may fail. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Declares what the linker calls the function itself, and its stand-in. */
#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

/* ---- memory */

WRAP(void *, malloc, size_t bytes) {
    return fault_now(FAULT_MEMORY, "malloc", ENOMEM) ? NULL : __real_malloc(bytes);
}

WRAP(void *, calloc, size_t count, size_t bytes) {
    return fault_now(FAULT_MEMORY, "calloc", ENOMEM) ? NULL : __real_calloc(count, bytes);
}

WRAP(void *, realloc, void *memory, size_t bytes) {
    return fault_now(FAULT_MEMORY, "realloc", ENOMEM) ? NULL : __real_realloc(memory, bytes);
}

WRAP(void *, aligned_alloc, size_t alignment, size_t bytes) {
    return fault_now(FAULT_MEMORY, "aligned_alloc", ENOMEM)
               ? NULL
               : __real_aligned_alloc(alignment, bytes);
}

WRAP(char *, strdup, const char *text) {
    return fault_now(FAULT_MEMORY, "strdup", ENOMEM) ? NULL : __real_strdup(text);
}

WRAP(char *, strndup, const char *text, size_t most) {
    return fault_now(FAULT_MEMORY, "strndup", ENOMEM) ? NULL : __real_strndup(text, most);
}

/* ---- files */

WRAP(int, open, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fault_now(FAULT_FILE, "open", EMFILE) ? -1 : __real_open(path, flags, mode);
}

WRAP(ssize_t, read, int descriptor, void *bytes, size_t count) {
    return fault_now_bytes("read", EIO, &count) ? -1 : __real_read(descriptor, bytes, count);
}

WRAP(ssize_t, write, int descriptor, const void *bytes, size_t count) {
    return fault_now_bytes("write", ENOSPC, &count) ? -1 : __real_write(descriptor, bytes, count);
}

WRAP(int, close, int descriptor) {
    bool fails = fault_now(FAULT_FILE, "close", EIO);
    int result = __real_close(descriptor);
    if (!fails)
        return result;
    errno = EIO;
    return -1;
}

WRAP(int, fsync, int descriptor) {
    return fault_now(FAULT_FILE, "fsync", EIO) ? -1 : __real_fsync(descriptor);
}

WRAP(int, rename, const char *from, const char *to) {
    return fault_now(FAULT_FILE, "rename", EIO) ? -1 : __real_rename(from, to);
}

WRAP(int, mkstemp, char *template) {
    return fault_now(FAULT_FILE, "mkstemp", ENOSPC) ? -1 : __real_mkstemp(template);
}

WRAP(int, fchmod, int descriptor, mode_t mode) {
    return fault_now(FAULT_FILE, "fchmod", EIO) ? -1 : __real_fchmod(descriptor, mode);
}

WRAP(int, mkdir, const char *path, mode_t mode) {
    return fault_now(FAULT_FILE, "mkdir", ENOSPC) ? -1 : __real_mkdir(path, mode);
}

WRAP(int, stat, const char *path, struct stat *about) {
    return fault_now(FAULT_FILE, "stat", EIO) ? -1 : __real_stat(path, about);
}

WRAP(int, fstat, int descriptor, struct stat *about) {
    return fault_now(FAULT_FILE, "fstat", EIO) ? -1 : __real_fstat(descriptor, about);
}

WRAP(int, access, const char *path, int mode) {
    return fault_now(FAULT_FILE, "access", EIO) ? -1 : __real_access(path, mode);
}

WRAP(ssize_t, readlink, const char *path, char *bytes, size_t count) {
    return fault_now(FAULT_FILE, "readlink", EIO) ? -1 : __real_readlink(path, bytes, count);
}

WRAP(int, gethostname, char *name, size_t bytes) {
    return fault_now(FAULT_FILE, "gethostname", EIO) ? -1 : __real_gethostname(name, bytes);
}

WRAP(int, poll, struct pollfd *descriptors, nfds_t count, int milliseconds) {
    return fault_now(FAULT_FILE, "poll", ENOMEM) ? -1
                                                 : __real_poll(descriptors, count, milliseconds);
}

WRAP(int, socket, int domain, int type, int protocol) {
    return fault_now(FAULT_FILE, "socket", EMFILE) ? -1 : __real_socket(domain, type, protocol);
}

WRAP(int, bind, int descriptor, const struct sockaddr *address, socklen_t bytes) {
    return fault_now(FAULT_FILE, "bind", ENOBUFS) ? -1 : __real_bind(descriptor, address, bytes);
}

WRAP(int, listen, int descriptor, int backlog) {
    return fault_now(FAULT_FILE, "listen", ENOBUFS) ? -1 : __real_listen(descriptor, backlog);
}

WRAP(int, getsockname, int descriptor, struct sockaddr *address, socklen_t *bytes) {
    return fault_now(FAULT_FILE, "getsockname", ENOBUFS)
               ? -1
               : __real_getsockname(descriptor, address, bytes);
}

/* ---- streams */

/* The flag that ferror looks at: a stream that could not empty its buffer has it. */
enum { STREAM_ERROR = 0x20 };

/* Standard error is left alone: what is said there is looked at. */
static bool stream_fails(FILE *stream, const char *function, int error) {
    if (stream == stderr || !fault_now(FAULT_FILE, function, error))
        return false;
    stream->_flags |= STREAM_ERROR;
    return true;
}

WRAP(FILE *, fopen, const char *path, const char *mode) {
    return fault_now(FAULT_FILE, "fopen", EMFILE) ? NULL : __real_fopen(path, mode);
}

WRAP(int, fclose, FILE *stream) {
    bool fails = stream_fails(stream, "fclose", EIO);
    int result = __real_fclose(stream);
    if (fails)
        errno = EIO;
    return fails ? EOF : result;
}

WRAP(int, fflush, FILE *stream) {
    if (__fpending(stream) == 0)
        return __real_fflush(stream);
    return stream_fails(stream, "fflush", ENOSPC) ? EOF : __real_fflush(stream);
}

WRAP(size_t, fread, void *bytes, size_t size, size_t count, FILE *stream) {
    return stream_fails(stream, "fread", EIO) ? 0 : __real_fread(bytes, size, count, stream);
}

WRAP(char *, fgets, char *line, int bytes, FILE *stream) {
    return stream_fails(stream, "fgets", EIO) ? NULL : __real_fgets(line, bytes, stream);
}

WRAP(ssize_t, getline, char **line, size_t *capacity, FILE *stream) {
    if (fault_now(FAULT_MEMORY, "getline", ENOMEM)) /* the stream has no error then */
        return -1;
    return stream_fails(stream, "getline", EIO) ? -1 : __real_getline(line, capacity, stream);
}

WRAP(size_t, fwrite, const void *bytes, size_t size, size_t count, FILE *stream) {
    return stream_fails(stream, "fwrite", ENOSPC) ? 0 : __real_fwrite(bytes, size, count, stream);
}

WRAP(int, fputs, const char *text, FILE *stream) {
    return stream_fails(stream, "fputs", ENOSPC) ? EOF : __real_fputs(text, stream);
}

WRAP(int, puts, const char *text) {
    return stream_fails(stdout, "puts", ENOSPC) ? EOF : __real_puts(text);
}

WRAP(int, putchar, int character) {
    return stream_fails(stdout, "putchar", ENOSPC) ? EOF : __real_putchar(character);
}

WRAP(int, fputc, int character, FILE *stream) {
    return stream_fails(stream, "fputc", ENOSPC) ? EOF : __real_fputc(character, stream);
}

WRAP(int, printf, const char *format, ...) {
    if (stream_fails(stdout, "printf", ENOSPC))
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int result = vprintf(format, arguments);
    va_end(arguments);
    return result;
}

/* ---- threads */

WRAP(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes,
     void *(*start)(void *), void *argument) {
    return fault_now(FAULT_THREAD, "pthread_create", EAGAIN)
               ? EAGAIN
               : __real_pthread_create(thread, attributes, start, argument);
}
