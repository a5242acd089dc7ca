/* Any bytes as the log of a saved search, after a byte for the number of queues and one for that of
 * candidates: refused, or sets of queues that are not empty, have no other queues, and are the same
 * when they are written and read again. */
#include "clears/decided.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 4 }; /* of 255 queues */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || memchr(data + 2, 0, size - 2))
        return 0;
    size_t queues = data[0], known = data[1];
    Text log = {0};
    text_add_bytes(&log, (const char *)data + 2, size - 2);
    Decided read = {0}, written = {0}, again = {0};
    uint64_t sets[256][WORDS] = {{0}};
    if (decided_restore(&read, known, log.data ? log.data : "", queues)) {
        for (size_t i = 0; i < known; i++) {
            bool any = decided_recall(&read, sets[i], queues);
            uint64_t all = 0;
            for (size_t q = 0; q < 64 * WORDS; q++)
                if (sets[i][q / 64] >> (q % 64) & 1) {
                    all = 1;
                    if (q >= queues)
                        abort();
                }
            if (any != (all != 0))
                abort();
            decided_add(&written, any ? sets[i] : NULL, queues);
        }
        if (decided_next(&read) ||
            !decided_restore(&again, known, written.log.data ? written.log.data : "", queues))
            abort();
        for (size_t i = 0; i < known; i++) {
            uint64_t set[WORDS] = {0};
            decided_recall(&again, set, queues);
            if (memcmp(set, sets[i], sizeof set) != 0)
                abort();
        }
    }
    decided_release(&read);
    decided_release(&written);
    decided_release(&again);
    text_release(&log);
    return 0;
}
