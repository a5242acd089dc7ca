/* Any bytes as a fumen: refused with a message, or pages that are written and read back equal. */
#include "formats/fumen.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_page(const FumenPage *a, const FumenPage *b) {
    return memcmp(&a->field, &b->field, sizeof a->field) == 0 &&
           memcmp(&a->placement, &b->placement, sizeof a->placement) == 0 && a->lock == b->lock &&
           a->rise == b->rise && a->mirror == b->mirror && a->colored == b->colored;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Fumen fumen, again;
    Status status = {0};
    if (!fumen_decode((const char *)data, size, &fumen, &status)) {
        if (status.code != STATUS_INPUT || status.message[0] == '\0')
            abort();
        return 0;
    }
    Text text;
    text_init(&text);
    if (!fumen_encode(fumen.pages, fumen.count, &text, &status) ||
        !fumen_decode(text.data, text.length, &again, &status) || again.count != fumen.count)
        abort();
    for (size_t i = 0; i < fumen.count; i++)
        if (!same_page(&fumen.pages[i], &again.pages[i]))
            abort();
    fumen_release(&again);
    fumen_release(&fumen);
    text_release(&text);
    return 0;
}
