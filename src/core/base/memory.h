/*
 * memory: allocation that reports its failure, and arrays that grow.
 */
#ifndef TETROPT_BASE_MEMORY_H
#define TETROPT_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>

/* Memory for `count` objects of `bytes` bytes, all zero; free() frees it. NULL with `status`. */
void *memory_new(size_t count, size_t bytes, Status *status);

/* True when the array `items_` (any pointer, or NULL) has a place for one more after `count_`
 * objects; it is enlarged if necessary. False: no memory; the array is as it was. */
#define MEMORY_HAS_PLACE(items_, count_, capacity_)                                                \
    ((count_) < (capacity_) || memory_grow(&(items_), sizeof *(items_), &(capacity_)))

/* Doubles the capacity of the array whose pointer is at `items`. */
bool memory_grow(void *items, size_t bytes, size_t *capacity);

#endif
