/*
 * decided: which candidates of a search are decided, so that it can be saved and continued.
 *
 * A search for solutions meets its candidates (sets of places) in a fixed order and finds the
 * queues that can build each. What it has found is kept as text, one entry per candidate that
 * serves queues: its number, '=', its set of queues, a space. A set is written four queues to a
 * hexadecimal digit, the first queue lowest; g stands for 2 digits 0, h for 4, ... z for 2^20;
 * those at the end are left out. A search that is continued meets the same candidates again and
 * takes the answers from the text.
 */
#ifndef TETROPT_CLEARS_DECIDED_H
#define TETROPT_CLEARS_DECIDED_H

#include "base/text.h"

#include <stdint.h>

typedef struct Decided {
    size_t count; /* candidates that this run has decided or recalled */
    size_t known; /* those that an earlier one has decided */
    Text log;
    size_t at; /* the first entry of the log that was not recalled yet */
} Decided;

void decided_release(Decided *decided);

/* Takes what an earlier search has written. False: it is malformed; or no memory (log.failed). */
bool decided_restore(Decided *decided, size_t known, const char *log, size_t queues);

/* Whether the next candidate is known. */
static inline bool decided_next(const Decided *decided) {
    return decided->count < decided->known;
}

/* The next candidate, which is known: adds its queues to the empty `set`. False: it has none. */
bool decided_recall(Decided *decided, uint64_t *set, size_t queues);

/* The next candidate, which is decided now; NULL: it serves no queue. */
void decided_add(Decided *decided, const uint64_t *set, size_t queues);

#endif
