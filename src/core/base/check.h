/*
 * check: asserts the invariant of a value after a change.
 *
 * CHECK_OK(board_ok, board) calls `bool board_ok(const Board *, const char **reason)` in builds
 * without NDEBUG (debug and sanitizer builds, which the tests run) and is nothing in a release.
 */
#ifndef TETROPT_BASE_CHECK_H
#define TETROPT_BASE_CHECK_H

#include <assert.h>

#ifdef NDEBUG
#define CHECK_OK(ok_function, value) ((void)0)
#else
#define CHECK_OK(ok_function, value)                                                               \
    do {                                                                                           \
        const char *check_reason_;                                                                 \
        assert(ok_function(value, &check_reason_) && "the invariant is broken");                   \
    } while (0)
#endif

#endif
