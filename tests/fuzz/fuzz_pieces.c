/* Any bytes as a list of pieces. */
#include "engine/randomizer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    uint8_t pieces[100];
    Status status = {0};
    memcpy(text, data, size);
    text[size] = '\0';
    int count = pieces_parse(text, pieces, sizeof pieces, &status);
    if (count < 0 && !status.message[0])
        abort();
    for (int i = 0; i < count; i++)
        if (pieces[i] >= PIECE_COUNT)
            abort();
    free(text);
    return 0;
}
