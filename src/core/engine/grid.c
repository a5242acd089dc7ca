/* grid: characters, cell by cell. */
#include "engine/grid.h"

#include <string.h>

void grid_init(Grid *grid, int width, int height) {
    grid->width = (uint8_t)width;
    grid->height = (uint8_t)height;
    memset(grid->cells, '.', sizeof grid->cells);
}

static bool row_is(const Grid *grid, int y, bool filled) {
    for (int x = 0; x < grid->width; x++)
        if ((grid->cells[y][x] != '.') != filled)
            return false;
    return true;
}

int grid_highest(const Grid *grid) {
    int y = grid_rows(grid);
    while (y > 0 && row_is(grid, y - 1, false))
        y--;
    return y;
}

bool grid_set_row(Grid *grid, int y, const char *text, size_t length, Status *status) {
    if (length != grid->width)
        return status_fail(status, STATUS_INPUT, "is %zu cells wide, not %d", length, grid->width);
    for (int x = 0; x < grid->width; x++) {
        char cell = text[x];
        if (cell == ' ' || cell == '.')
            cell = '.';
        else if (cell == '#' || cell == 'G')
            cell = 'G';
        else if (piece_from_letter(cell) == PIECE_NONE)
            return status_fail(status, STATUS_INPUT, "'%c' in column %d is not a cell (.IOTSZJLG#)",
                               cell, x + 1);
        grid->cells[y][x] = cell;
    }
    return true;
}

bool grid_check(const Grid *grid, Status *status) {
    int highest = grid_highest(grid);
    for (int y = 0; y < highest; y++)
        if (row_is(grid, y, true))
            return status_fail(status, STATUS_INPUT, "row %d from the bottom is full", y + 1);
    return true;
}

void grid_to_board(const Grid *grid, Board *board) {
    board_init(board, grid->width, grid->height);
    for (int y = 0; y < grid_rows(grid); y++) {
        unsigned row = 0;
        for (int x = 0; x < grid->width; x++)
            row |= (unsigned)(grid->cells[y][x] != '.') << x;
        board_set_row(board, y, (uint16_t)row);
    }
}

void grid_mark(Grid *grid, Placement placement, char mark) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    for (int i = 0; i < 4; i++) {
        int x = placement.x + shape->cells[i].x, y = placement.y + shape->cells[i].y;
        if (x >= 0 && x < grid->width && y >= 0 && y < grid_rows(grid))
            grid->cells[y][x] = mark;
    }
}

int grid_lock(Grid *grid, Placement placement, uint64_t *rows) {
    grid_mark(grid, placement, piece_letters[placement.piece]);
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    int count = grid_rows(grid), kept = 0;
    if (rows)
        *rows = 0;
    int low = placement.y + shape->min_y, high = placement.y + shape->max_y;
    bool any = false; /* only a row of the piece can be full */
    for (int y = low < 0 ? 0 : low; y <= high && y < count; y++)
        any = any || row_is(grid, y, true);
    if (!any)
        return 0;
    for (int y = 0; y < count; y++) {
        if (!row_is(grid, y, true))
            memmove(grid->cells[kept++], grid->cells[y], sizeof grid->cells[y]);
        else if (rows)
            *rows |= (uint64_t)1 << y;
    }
    for (int y = kept; y < count; y++)
        memset(grid->cells[y], '.', sizeof grid->cells[y]);
    return count - kept;
}

void grid_rise(Grid *grid, int hole) {
    memmove(grid->cells[1], grid->cells[0], (size_t)(grid_rows(grid) - 1) * sizeof grid->cells[0]);
    for (int x = 0; x < grid->width; x++)
        grid->cells[0][x] = x == hole ? '.' : 'G';
}
