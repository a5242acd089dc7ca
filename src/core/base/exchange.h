/*
 * exchange: communication between several runs of the same work, as islands or sharing trials,
 * usually the processes that mpirun started.
 *
 * All runs must make the same calls in the same order, on the thread that does the work; a call
 * returns when all have made it. NULL in place of an exchange, or a count of 1, means that there is
 * only one run.
 */
#ifndef TETROPT_BASE_EXCHANGE_H
#define TETROPT_BASE_EXCHANGE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Exchange {
    int index, count;
    void *context;
    /* Sends to the next run and receives as much from the one before, around a ring. */
    void (*shift)(void *context, const void *sent, void *received, size_t bytes);
    /* Replaces every value by its sum over the runs. */
    void (*sum)(void *context, int64_t *values, size_t count);
    /* The lowest index of a run that says yes, or -1. */
    int (*lowest)(void *context, int index, bool yes);
} Exchange;

/* The number of runs, and the index of this one. */
int exchange_count(const Exchange *exchange);
int exchange_index(const Exchange *exchange);

void exchange_sum(const Exchange *exchange, int64_t *values, size_t count);
int exchange_lowest(const Exchange *exchange, bool yes);

/* True when all runs can continue. If one cannot, all end; only the lowest one that failed keeps
 * its message. */
bool exchange_agree(const Exchange *exchange, bool ok, Status *status);

/* The value that the first run gives. */
int64_t exchange_from_first(const Exchange *exchange, int64_t value);

#endif
