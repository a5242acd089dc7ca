/*
 * arena: allocator whose objects are freed together.
 *
 * Invariant: an object never moves. A failed request is remembered in `failed`, so that code that
 * builds something large from many parts may check once.
 */
#ifndef TETROPT_BASE_ARENA_H
#define TETROPT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *blocks; /* the newest first */
    bool failed;
} Arena;

void arena_init(Arena *arena);
void arena_release(Arena *arena);

/* `count` zeroed items of `bytes` each, aligned for anything; NULL when memory is out. They live
 * until arena_release. */
void *arena_zeroed(Arena *arena, size_t count, size_t bytes);

/* Copies of a string (NULL stays NULL) and of formatted text; "" when that fails, so that they can
 * be shown without a check. */
const char *arena_copy(Arena *arena, const char *string);
const char *arena_format(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
