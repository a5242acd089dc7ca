/* lines: a buffer that grows with the longest line, up to the limit, and never beyond. */
#include "system/lines.h"

#include "system/file.h"
#include "system/stop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16 };

/* Moves what is left to the front and makes room for a block behind it. */
static bool make_room(Lines *lines, Status *status) {
    if (lines->used > 0) {
        memmove(lines->data, lines->data + lines->used, lines->length - lines->used);
        lines->length -= lines->used;
        lines->used = 0;
    }
    if (lines->capacity - lines->length >= BLOCK_BYTES)
        return true;
    size_t most = lines->limit + BLOCK_BYTES, wanted = 2 * lines->capacity + BLOCK_BYTES;
    size_t capacity = wanted < most ? wanted : most;
    char *grown = realloc(lines->data, capacity);
    if (!grown)
        return status_no_memory(status);
    lines->data = grown;
    lines->capacity = capacity;
    return true;
}

/* One read of at most `capacity` bytes, 0 at the end. LINES_LINE: it was done. */
static LinesEvent read_block(Lines *lines, char *data, size_t capacity, size_t *bytes,
                             Status *status) {
    for (;;) {
        if (atomic_load(stop_flag()) || (lines->wait && !lines->wait(lines->context)))
            return LINES_STOPPED;
        ssize_t count = read(lines->descriptor, data, capacity);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            file_fail(lines->name, errno, status);
            return LINES_FAILED;
        }
        *bytes = (size_t)count;
        return LINES_LINE;
    }
}

/* LINES_LINE when there may be more of one. */
static LinesEvent read_more(Lines *lines, Status *status) {
    size_t bytes;
    if (!make_room(lines, status))
        return LINES_FAILED;
    LinesEvent event = read_block(lines, lines->data + lines->length,
                                  lines->capacity - lines->length, &bytes, status);
    if (event == LINES_LINE) {
        lines->length += bytes;
        lines->ended = bytes == 0;
    }
    return event;
}

LinesEvent lines_read(Lines *lines, char *data, size_t capacity, size_t *bytes, Status *status) {
    size_t there = lines->length - lines->used;
    if (there == 0)
        return read_block(lines, data, capacity, bytes, status);
    *bytes = there < capacity ? there : capacity;
    memcpy(data, lines->data + lines->used, *bytes);
    lines->used += *bytes;
    return LINES_LINE;
}

LinesEvent lines_next(Lines *lines, const char **line, size_t *length, Status *status) {
    if (atomic_load(stop_flag()))
        return LINES_STOPPED;
    for (size_t searched = 0;;) {
        size_t there = lines->length - lines->used;
        const char *start = there ? lines->data + lines->used : "";
        const char *end = memchr(start + searched, '\n', there - searched);
        bool last = !end && lines->ended;
        if (last && (there == 0 || lines->skipping))
            return LINES_END;
        *line = start;
        *length = end ? (size_t)(end - start) : there;
        searched = there;
        bool too_long = *length > lines->limit, skipped = lines->skipping;
        if (end || last || too_long || skipped) {
            lines->used += *length + (end != NULL);
            lines->skipping = (too_long || skipped) && !end;
            searched = 0;
            if (too_long && !skipped)
                return LINES_TOO_LONG;
            if (!skipped)
                return LINES_LINE;
            if (end)
                continue;
        }
        LinesEvent event = read_more(lines, status);
        if (event != LINES_LINE)
            return event;
    }
}

void lines_release(Lines *lines) {
    free(lines->data);
    lines->data = NULL;
    lines->capacity = lines->used = lines->length = 0;
}
