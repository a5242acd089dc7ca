/*
 * child: what the library needs of a platform to talk to another program, as a table of functions.
 *
 * The library itself never starts a process. A front end that may do so passes a table
 * (system/child in the program); without one there are no outside players.
 */
#ifndef TETROPT_BASE_CHILD_H
#define TETROPT_BASE_CHILD_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum ChildRead {
    CHILD_LINE,
    CHILD_LATE,    /* nothing by the deadline */
    CHILD_STOPPED, /* this program was told to end; whoever waits should give up */
    CHILD_ENDED,   /* it closed its output */
    CHILD_TOO_LONG /* more than CHILD_LINE_MAX bytes without an end of line */
} ChildRead;

enum { CHILD_LINE_MAX = 1 << 20 };

typedef struct ChildHost {
    /* Starts a command; NULL with `status`. That it does not exist may show only when it is read.
     */
    void *(*start)(const char *command, Status *status);
    /* Writes all bytes by the deadline (of clock_now_ns). CHILD_LINE: done. */
    ChildRead (*write)(void *child, const char *bytes, size_t count, uint64_t deadline_ns);
    /* The next line, without its end, with a NUL behind it; valid until the next call. */
    ChildRead (*read)(void *child, uint64_t deadline_ns, const char **line, size_t *length);
    /* How a child that CHILD_ENDED ended, e.g. "ended with exit code 1". */
    const char *(*ending)(void *child);
    /* Stops the child until it is continued, so that it does not compute when it is not its turn.
     */
    void (*pause)(void *child, bool paused);
    /* Closes its input, waits at most `grace_ms` for its end, then kills it. NULL is allowed. */
    void (*end)(void *child, int grace_ms);
} ChildHost;

#endif
