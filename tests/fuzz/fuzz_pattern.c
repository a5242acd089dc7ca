/* Any bytes as patterns: refused with a message, or queues that are sorted, distinct and made of
 * pieces. */
#include "clears/pattern.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 60 }; /* more would mostly make millions of queues, which takes time only */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[LONGEST + 1];
    if (size > LONGEST)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    Queues queues;
    Status status = {0};
    if (!queues_parse(text, PATTERN_MAX_QUEUES, &queues, &status)) {
        if (status.code == STATUS_OK || !status.message[0])
            abort();
        return 0;
    }
    if (queues.count == 0 || queues.length < 1 || queues.length > PATTERN_MAX_PIECES)
        abort();
    size_t step = queues.count / 100000 + 1; /* some patterns stand for millions */
    for (size_t i = 0; i < queues.count; i += step) {
        if (i > 0 && queues.codes[i - 1] >= queues.codes[i])
            abort();
        for (int k = 0; k < queues.length; k++)
            if (queue_piece(queues.codes[i], k) >= PIECE_COUNT)
                abort();
    }
    queues_release(&queues);
    return 0;
}
