/*
 * status: how a function of the library says that something went wrong.
 *
 * The library never prints and never exits. A function that can fail takes a Status and returns
 * false (or NULL) after filling it; the command line turns the code into the exit code and the
 * message into the one line `tetropt: WHAT: WHY`.
 */
#ifndef TETROPT_BASE_STATUS_H
#define TETROPT_BASE_STATUS_H

#include <stdbool.h>

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_UNMET = 1,        /* the work ended without what was asked */
    STATUS_INPUT = 2,        /* bad usage or bad input */
    STATUS_SYSTEM = 3,       /* file, database, network, memory */
    STATUS_INTERRUPTED = 130 /* a signal; the best so far was kept */
} StatusCode;

enum { STATUS_MESSAGE_BYTES = 512 };

typedef struct Status {
    StatusCode code;
    char message[STATUS_MESSAGE_BYTES];
} Status;

/* Fills `status` (which may be NULL) and returns false, so that callers can `return
 * status_fail(...)`. The message is cut at its end when it is too long; control characters and
 * bytes that are no UTF-8 become `?`. */
bool status_fail(Status *status, StatusCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " in front of the message that is already there. Returns false. */
bool status_prefix(Status *status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The failure of an allocation. Returns false. */
bool status_no_memory(Status *status);

#endif
