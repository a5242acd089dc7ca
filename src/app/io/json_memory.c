#include "io/json_memory.h"

#include <jansson.h>
#include <stdlib.h>

/* A buffer begins with so much and doubles. All sizes together are less than four times a word. */
enum { BUFFER_BYTES = 16, BUFFERS = 4, SPARE_BYTES = 1024 };

/* That of the text which this thread reads. */
static _Thread_local JsonReserve *current;

static bool may_be_a_buffer(size_t bytes) {
    return bytes >= BUFFER_BYTES && (bytes & (bytes - 1)) == 0;
}

static void *take(JsonReserve *reserve, size_t bytes) {
    reserve->starved = true;
    if (!may_be_a_buffer(bytes) || bytes > reserve->bytes - reserve->used)
        return NULL;
    void *memory = reserve->start + reserve->used; /* aligned: all sizes are multiples of 16 */
    reserve->used += bytes;
    return memory;
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    return memory || !current ? memory : take(current, bytes);
}

static void release(void *memory) {
    const char *place = memory;
    if (!current || place < current->start || place >= current->start + current->bytes)
        free(memory);
}

void json_memory_watch(void) {
    json_set_alloc_funcs(allocate, release);
}

bool json_reserve_begin(JsonReserve *reserve, size_t length) {
    json_malloc_t its_malloc;
    json_free_t its_free;
    json_get_alloc_funcs(&its_malloc, &its_free);
    *reserve = (JsonReserve){.watched = its_malloc == allocate};
    if (!reserve->watched)
        return true;
    reserve->bytes = length * BUFFERS + SPARE_BYTES;
    reserve->start = malloc(reserve->bytes);
    if (!reserve->start)
        return false;
    current = reserve;
    return true;
}

void json_reserve_end(JsonReserve *reserve) {
    if (!reserve->watched)
        return;
    current = NULL;
    free(reserve->start);
}
