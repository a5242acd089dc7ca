/* board_text: rows of text are placed from the floor up, so the last line is row 0. */
#include "engine/board_text.h"

#include <string.h>

/* Cuts the line end, also of files written on other systems. */
static size_t line_length(const char *line, const char *end, const char **next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    *next = newline ? newline + 1 : end;
    size_t length = (size_t)((newline ? newline : end) - line);
    return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

static int count_lines(const char *text, const char *end) {
    int count = 0, last_filled = 0;
    for (const char *line = text, *next; line < end; line = next) {
        count++;
        if (line_length(line, end, &next) > 0)
            last_filled = count;
    }
    return last_filled;
}

bool board_text_read(Grid *grid, const char *text, size_t length, Status *status) {
    const char *end = text + length, *line = text, *next;
    int count = count_lines(text, end);
    if (count > grid_rows(grid))
        return status_fail(status, STATUS_INPUT, "%d rows do not fit the board of %d", count,
                           grid_rows(grid));
    for (int i = 0; i < count; i++, line = next) {
        size_t cells = line_length(line, end, &next);
        if (!grid_set_row(grid, count - 1 - i, line, cells, status))
            return status_prefix(status, "line %d", i + 1);
    }
    return grid_check(grid, status);
}

void board_text_write(const Grid *grid, int least, Text *text) {
    int rows = grid_highest(grid);
    for (int y = (rows > least ? rows : least) - 1; y >= 0; y--) {
        text_add_bytes(text, grid->cells[y], grid->width);
        text_add_char(text, '\n');
    }
}
