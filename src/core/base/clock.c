/* clock: CLOCK_MONOTONIC, because the time of day can be set back while a limit runs. */
#include "base/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_now_ns(void) {
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_thread_ns(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
#else
    return clock_now_ns();
#endif
}

double clock_seconds_since(uint64_t start_ns) {
    return (double)(clock_now_ns() - start_ns) * 1e-9;
}
