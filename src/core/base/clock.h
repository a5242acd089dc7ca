/*
 * clock: monotonic time, for limits and for rates, and the CPU time of a thread. It ends work but
 * never changes a result.
 */
#ifndef TETROPT_BASE_CLOCK_H
#define TETROPT_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment. */
uint64_t clock_now_ns(void);

/* CPU time of the calling thread in nanoseconds: what others on the machine do is not in it. It
 * takes half a microsecond, twenty times as long as clock_now_ns. */
uint64_t clock_thread_ns(void);

/* Seconds since `start_ns`, a value of clock_now_ns. */
double clock_seconds_since(uint64_t start_ns);

#endif
