/* Any bytes as a file of kicks: refused with a message, or a table with which every placement that
 * is listed on a board with a slot can be made by the keys that are found for it. */
#include "clears/kicks.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_piece(const KickTable *table, const Columns *columns, Piece piece) {
    enum { ROOM = 1024, KEYS = 250 };
    Placement places[ROOM];
    Board board;
    columns_to_board(columns, &board);
    int count = kicks_list(table, columns, piece, true, places, ROOM);
    for (int i = 0; i < count; i += 7) {
        uint8_t keys[KEYS];
        int presses = kicks_path(table, columns, places[i], true, false, keys, KEYS);
        Placement at = {(uint8_t)piece, NORTH, (int8_t)board_spawn_x(&board),
                        (int8_t)board_spawn_y(&board), SPIN_NONE};
        if (presses < 1)
            abort();
        for (int k = 0; k < presses; k++)
            kicks_press(table, &board, (Key)keys[k], &at);
        if (!placement_same_cells(at, places[i]))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    KickTable table;
    Status status = {0};
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    bool ok = kicks_parse(text, &table, &status);
    free(text);
    if (!ok) {
        if (status.code != STATUS_INPUT || !status.message[0])
            abort();
        return 0;
    }
    Columns columns = {.width = 10, .height = 20};
    for (int x = 0; x < 10; x++)
        columns.column[x] = x == 4 ? 0x1 : x == 5 ? 0x2 : 0x17;
    for (int p = 0; p < PIECE_COUNT; p++)
        check_piece(&table, &columns, (Piece)p);
    return 0;
}
