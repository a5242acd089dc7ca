/* clock: CLOCK_MONOTONIC, because the time of day can be set back while a limit runs. */
#include "base/clock.h"

#include <time.h>

uint64_t clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double clock_seconds_since(uint64_t start_ns) {
    return (double)(clock_now_ns() - start_ns) * 1e-9;
}
