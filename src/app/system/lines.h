/*
 * lines: the lines of a stream, one at a time, in bounded memory.
 *
 * Whatever comes, at most `limit` bytes and one block are held. A longer line is reported as such
 * when the limit is passed, and the rest of it is read and dropped before the next one.
 */
#ifndef TETROPT_SYSTEM_LINES_H
#define TETROPT_SYSTEM_LINES_H

#include "base/status.h"

#include <stddef.h>

typedef enum LinesEvent {
    LINES_LINE,     /* there is one */
    LINES_TOO_LONG, /* one that is not given */
    LINES_END,
    LINES_STOPPED, /* a signal came, or `wait` said no */
    LINES_FAILED   /* with `status` */
} LinesEvent;

typedef struct Lines {
    int descriptor;
    const char *name; /* what messages call the stream */
    size_t limit;     /* bytes of a line, without its end */
    /* Called before every read, which may block; NULL: not needed. */
    bool (*wait)(void *context);
    void *context;
    /* Of lines.c: data[used..length) was read and not yet given. */
    char *data;
    size_t capacity, used, length;
    bool ended, skipping;
} Lines;

/* Gives the next line without its end; it stays until the next call. The last one may have no end.
 * A Lines begins as its first fields with the rest zero; in the end comes lines_release. */
LinesEvent lines_next(Lines *lines, const char **line, size_t *length, Status *status);

/* Reads up to `capacity` bytes behind the last line, as they are; *bytes is 0 at the end. */
LinesEvent lines_read(Lines *lines, char *data, size_t capacity, size_t *bytes, Status *status);

void lines_release(Lines *lines);

#endif
