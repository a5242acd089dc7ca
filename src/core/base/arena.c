/*
 * arena: blocks from calloc, filled from the front. A request that does not fit into the newest
 * block gets a new one, and the rest of the old block is not used again. Blocks double in size up
 * to LARGEST_BLOCK, so that a small document costs little.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 10, LARGEST_BLOCK = 1 << 16, ALIGNMENT = _Alignof(max_align_t) };

struct ArenaBlock {
    ArenaBlock *next;
    size_t used, size;
    _Alignas(max_align_t) char data[];
};

void arena_init(Arena *arena) {
    *arena = (Arena){0};
}

void arena_release(Arena *arena) {
    for (ArenaBlock *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena_init(arena);
}

static ArenaBlock *new_block(Arena *arena, size_t bytes) {
    size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    size = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
    size = size > bytes ? size : bytes;
    ArenaBlock *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    *block = (ArenaBlock){.next = arena->blocks, .size = size};
    arena->blocks = block;
    return block;
}

void *arena_zeroed(Arena *arena, size_t count, size_t bytes) {
    if (bytes > 0 && count > (SIZE_MAX / 2) / bytes) {
        arena->failed = true;
        return NULL;
    }
    size_t wanted = (count * bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    ArenaBlock *block = arena->blocks;
    if (!block || block->size - block->used < wanted)
        block = new_block(arena, wanted);
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    void *given = block->data + block->used;
    block->used += wanted;
    return given;
}

const char *arena_copy(Arena *arena, const char *string) {
    if (!string)
        return NULL;
    size_t bytes = strlen(string) + 1;
    char *copy = arena_zeroed(arena, bytes, 1);
    return copy ? memcpy(copy, string, bytes) : "";
}

const char *arena_format(Arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : arena_zeroed(arena, (size_t)length + 1, 1);
    arena->failed |= length < 0;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text ? text : "";
}
