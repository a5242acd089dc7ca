/*
 * shim: lets a chosen call to the C library or to a database fail, for a build with -Dfaults=true.
 *
 * The linker sends every call that the program makes to one of the functions in meson.build through
 * a __wrap_ function here, which counts it. The memory and the system calls of SQLite come here by
 * the hooks it has. Everything is counted in one row, so a number names a call as long as the
 * program does the same again: with one thread.
 *
 * Environment:
 *   TETROPT_FAULT=N       the N-th call fails (from 1); N+ also all later ones of its kind
 *   TETROPT_FAULT=sN      the N-th call, if it reads or writes, does so only in part
 *   TETROPT_FAULT_LOG=F   at the end F says what was counted: "calls N", then for every call whose
 *                         callers were not seen before "N KIND FUNCTION"; while it runs, what was
 *                         made to fail: "failed N KIND FUNCTION"
 *   TETROPT_FAULT_TRACE=1 shows the callers of what fails on standard error
 */
#ifndef TETROPT_TESTS_FAULT_SHIM_H
#define TETROPT_TESTS_FAULT_SHIM_H

#include <stdbool.h>
#include <stddef.h>

typedef enum FaultKind {
    FAULT_MEMORY,
    FAULT_FILE,
    FAULT_THREAD,
    FAULT_DATABASE,
    FAULT_LIBRARY,
    FAULT_KIND_COUNT
} FaultKind;

/* Counts a call; true when it shall fail. `error` becomes errno then. */
bool fault_now(FaultKind kind, const char *function, int error);

/* The same for a call that moves `count` bytes; `*count` becomes less when it shall be short. */
bool fault_now_bytes(const char *function, int error, size_t *count);

#endif
