/* memory: wrappers of calloc and realloc; see the header. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

void *memory_new(size_t count, size_t bytes, Status *status) {
    void *memory = calloc(count, bytes);
    if (!memory)
        status_no_memory(status);
    return memory;
}

bool memory_grow(void *items, size_t bytes, size_t *capacity) {
    size_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    void *array; /* the pointer is copied because its type is not known here */
    memcpy(&array, items, sizeof array);
    array = realloc(array, larger * bytes);
    if (!array)
        return false;
    memcpy(items, &array, sizeof array);
    *capacity = larger;
    return true;
}
