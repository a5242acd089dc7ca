/*
 * pattern: sets of queues in the notation of the community.
 *
 * A pattern is a row of elements, with commas or spaces between them where wanted: a piece `I`; one
 * of several `[SZ]`; one of the others `[^TI]`; any `*`. An element followed by `pN` stands for N
 * pieces drawn from it without repetition, in every order; `!` draws all of them. Several patterns
 * are several lines of the same length; `#` starts a comment. The queues are distinct and sorted,
 * so that queues with a common beginning stand together.
 */
#ifndef TETROPT_CLEARS_PATTERN_H
#define TETROPT_CLEARS_PATTERN_H

#include "base/status.h"
#include "engine/piece.h"

#include <stddef.h>
#include <stdint.h>

enum {
    PATTERN_MAX_PIECES = 20,     /* of a queue: three bits each in 64 */
    PATTERN_MAX_REPEATS = 15,    /* of one piece in a queue */
    PATTERN_MAX_QUEUES = 1 << 25 /* 256 MB */
};

/* Piece i of a queue is in the bits 61 - 3i and above: queues sort as their pieces do. */
typedef uint64_t QueueCode;

static inline Piece queue_piece(QueueCode code, int i) {
    return (Piece)(code >> (61 - 3 * i) & 7);
}

static inline QueueCode queue_with(QueueCode code, int i, Piece piece) {
    return code | (QueueCode)piece << (61 - 3 * i);
}

typedef struct Queues {
    QueueCode *codes; /* sorted, distinct */
    size_t count;
    int length; /* pieces of each */
} Queues;

/* Reads patterns with at most `most` distinct queues, 1..PATTERN_MAX_QUEUES; more are refused
 * before they are made. False with `status`, which names the line and the character. On success the
 * caller calls queues_release. */
bool queues_parse(const char *text, size_t most, Queues *queues, Status *status);
void queues_release(Queues *queues);

/* Writes the letters of a queue. */
void queue_letters(QueueCode code, int length, char letters[PATTERN_MAX_PIECES + 1]);

/* The end of the queues that share their first `depth` pieces with queue number `first`. */
size_t queues_same(const Queues *queues, size_t first, size_t end, int depth);

#endif
