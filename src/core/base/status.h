/*
 * status: how a function of the library reports a failure.
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
    STATUS_UNMET = 1,        /* no solution, or target not reached */
    STATUS_INPUT = 2,        /* bad usage or bad input */
    STATUS_SYSTEM = 3,       /* file, database, network, memory */
    STATUS_INTERRUPTED = 130 /* a signal; the best so far was kept */
} StatusCode;

enum { STATUS_MESSAGE_BYTES = 512 };

typedef struct Status {
    StatusCode code;
    bool option; /* the message begins with the name of an option: the command line adds "--" */
    char message[STATUS_MESSAGE_BYTES];
} Status;

/* Fills `status` (which may be NULL) and returns false, so that callers can `return
 * status_fail(...)`. A message that is too long is truncated; control characters and bytes that are
 * not UTF-8 become `?`. */
bool status_fail(Status *status, StatusCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Invalid input in an option: the message is "OPTION: WHY". Returns false. */
bool status_option(Status *status, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " in front of the message that is already there. Returns false. */
bool status_prefix(Status *status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "OPTION: " in front of it, for a failure in the value of an option. Returns false. */
bool status_prefix_option(Status *status, const char *option);

/* The failure of an allocation. Returns false. */
bool status_no_memory(Status *status);

#endif
