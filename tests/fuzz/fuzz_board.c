/* Any bytes as a board: refused with a message, or read, written and read again the same. */
#include "engine/board_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    Grid grid, again;
    int width = 4 + data[0] % 13, height = 4 + data[1] % 37;
    grid_init(&grid, width, height);
    grid_init(&again, width, height);
    Status status = {0};
    if (!board_text_read(&grid, (const char *)data + 2, size - 2, &status)) {
        if (status.code != STATUS_INPUT || !status.message[0])
            abort();
        return 0;
    }
    Board board;
    const char *reason;
    grid_to_board(&grid, &board);
    if (!board_ok(&board, &reason))
        abort();
    Text text;
    text_init(&text);
    board_text_write(&grid, 1, &text);
    if (!board_text_read(&again, text.data, text.length, &status) ||
        memcmp(&grid, &again, sizeof grid) != 0)
        abort();
    text_release(&text);
    return 0;
}
