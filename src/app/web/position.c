/* position: reads the parts of the line one after the other. */
#include "web/position.h"

#include "base/memory.h"
#include "formats/replay.h"

#include <stdio.h>
#include <string.h>

/* Cuts the text at *rest off before `end`; gives its length. */
static size_t next_part(const char **rest, char end, const char **part) {
    size_t length = strcspn(*rest, (char[]){end, '\0'});
    *part = *rest;
    *rest += length + ((*rest)[length] == end);
    return length;
}

/* Rows from the top; the last one is the floor. */
static bool read_rows(Grid *grid, const char *text, size_t length, Status *status) {
    int rows = length > 0 ? 1 : 0;
    for (size_t i = 0; i < length; i++)
        rows += text[i] == '/';
    if (rows > grid_rows(grid))
        return status_fail(status, STATUS_INPUT, "more than %d rows", grid_rows(grid));
    for (int y = rows - 1; y >= 0; y--) {
        size_t row = 0;
        while (row < length && text[row] != '/')
            row++;
        if (!grid_set_row(grid, y, text, row, status))
            return status_prefix(status, "row %d", y + 1);
        text += row + (y > 0);
        length -= row + (y > 0);
    }
    return grid_check(grid, status);
}

static bool read_pieces(Position *position, const char *text, size_t length, Status *status) {
    if (length > POSITION_MAX_PIECES)
        return status_fail(status, STATUS_INPUT, "more than %d pieces", POSITION_MAX_PIECES);
    for (size_t i = 0; i < length; i++) {
        Piece piece = piece_from_letter(text[i]);
        if (piece == PIECE_NONE)
            return status_fail(status, STATUS_INPUT, "number %zu is not a piece", i + 1);
        position->pieces[position->piece_count++] = (uint8_t)piece;
    }
    return true;
}

bool position_read(Position *position, const char *text, Status *status) {
    *position = (Position){.hold = PIECE_NONE};
    const char *part;
    size_t length = next_part(&text, ';', &part);
    int width = 0, height = 0, end = 0;
    if (length > 5 || sscanf(part, "%2dx%2d%n", &width, &height, &end) != 2 ||
        (size_t)end != length || width < BOARD_MIN_WIDTH || width > BOARD_MAX_WIDTH ||
        height < BOARD_MIN_HEIGHT || height > BOARD_MAX_HEIGHT)
        return status_fail(status, STATUS_INPUT, "position: not a size such as 10x20");
    grid_init(&position->start, width, height);
    length = next_part(&text, ';', &part);
    if (!read_rows(&position->start, part, length, status))
        return status_prefix(status, "position: board");
    length = next_part(&text, ';', &part);
    if (!read_pieces(position, part, length, status))
        return status_prefix(status, "position: pieces");
    position->hold_used = strcmp(text, "-") == 0;
    if (text[0] == '\0' || position->hold_used)
        return true;
    position->hold_used = text[0] >= 'a' && text[0] <= 'z';
    Piece held = piece_from_letter(position->hold_used ? (char)(text[0] - 'a' + 'A') : text[0]);
    if (held == PIECE_NONE || text[1] != '\0')
        return status_fail(status, STATUS_INPUT, "position: hold: not a piece");
    position->hold = (uint8_t)held;
    return true;
}

uint8_t *position_list(const Position *position, uint64_t seed, size_t *count, Status *status) {
    *count = position->piece_count + REPLAY_MAX_MOVES + GAME_QUEUE + 2;
    uint8_t *pieces = memory_new(*count, 1, status);
    if (!pieces)
        return NULL;
    memcpy(pieces, position->pieces, position->piece_count);
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    for (size_t i = position->piece_count; i < *count; i++)
        pieces[i] = (uint8_t)randomizer_next(&randomizer);
    return pieces;
}
