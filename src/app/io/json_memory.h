/*
 * json_memory: lets jansson read a text even when memory runs out meanwhile, and tells that it did.
 *
 * jansson 2.14 does not look whether the buffer of the word it reads could grow. When it could not,
 * words come out short, errors are told that are none, and in the end it writes behind a buffer. So
 * while a text is read such buffers come from memory that was put by before. Other requests are
 * refused then, which jansson takes well: it gives up soon.
 */
#ifndef TETROPT_IO_JSON_MEMORY_H
#define TETROPT_IO_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct JsonReserve {
    char *start;
    size_t bytes, used;
    bool watched; /* json_memory_watch was called */
    bool starved; /* memory ran out since the beginning */
} JsonReserve;

/* Makes jansson take its memory here. For a program that owns jansson, once, before all else. */
void json_memory_watch(void);

/* Around the reading of a text of `length` bytes, by one thread. The reserve must stay where it is.
 * False: no memory for it. What was read while memory was out must be dropped before the end. */
bool json_reserve_begin(JsonReserve *reserve, size_t length);
void json_reserve_end(JsonReserve *reserve);

#endif
