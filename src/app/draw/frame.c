/* frame: keeps the step that filled each cell beside the grid; both lose the same rows. */
#include "draw/frame.h"

#include <string.h>

void frame_start(Frame *frame, const Grid *start) {
    *frame = (Frame){.grid = *start};
}

static bool row_is_full(const Grid *grid, int y) {
    return !memchr(grid->cells[y], '.', grid->width);
}

void frame_place(Frame *frame, const DecodeStep *step) {
    Placement at = step->move.placement;
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    grid_mark(&frame->grid, at, piece_letters[at.piece]);
    frame->number++;
    frame->step = step;
    for (int i = 0; i < 4; i++) {
        int x = at.x + shape->cells[i].x, y = at.y + shape->cells[i].y;
        if (x < 0 || x >= frame->grid.width || y < 0 || y >= grid_rows(&frame->grid))
            continue;
        frame->numbers[y][x] = frame->number;
        if (row_is_full(&frame->grid, y))
            frame->full_rows |= (uint64_t)1 << y;
    }
}

void frame_clear(Frame *frame) {
    int rows = grid_rows(&frame->grid), kept = 0;
    for (int y = 0; y < rows; y++) {
        if (frame->full_rows >> y & 1)
            continue;
        if (kept != y) {
            memcpy(frame->grid.cells[kept], frame->grid.cells[y], sizeof frame->grid.cells[y]);
            memcpy(frame->numbers[kept], frame->numbers[y], sizeof frame->numbers[y]);
        }
        kept++;
    }
    frame->lines += rows - kept;
    for (int y = kept; y < rows; y++) {
        memset(frame->grid.cells[y], '.', sizeof frame->grid.cells[y]);
        memset(frame->numbers[y], 0, sizeof frame->numbers[y]);
    }
    frame->full_rows = 0;
    for (int i = 0; frame->step && i < frame->step->garbage; i++) {
        grid_rise(&frame->grid, frame->step->holes[i]);
        memmove(frame->numbers[1], frame->numbers[0],
                (size_t)(rows - 1) * sizeof frame->numbers[0]);
        memset(frame->numbers[0], 0, sizeof frame->numbers[0]);
    }
    frame->step = NULL;
}

int32_t frame_owner(const Frame *frame, int rows, int x, int y) {
    if (x < 0 || x >= frame->grid.width || y < 0 || y >= rows || frame->grid.cells[y][x] == '.')
        return 0;
    return frame->numbers[y][x] ? frame->numbers[y][x] : -frame->grid.cells[y][x];
}

int frame_rows_needed(const ViewGame *game, int least) {
    Frame frame;
    frame_start(&frame, game->start);
    int most = grid_highest(&frame.grid);
    for (int i = 0; i < game->count; i++) {
        frame_place(&frame, &game->steps[i]);
        int highest = grid_highest(&frame.grid);
        most = highest > most ? highest : most;
        frame_clear(&frame);
    }
    return most > least ? most : least;
}

int frame_free_fall(const Frame *before, int rows, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    for (int i = 0; i < 4; i++)
        for (int y = at.y + shape->cells[i].y; y < rows; y++)
            if (frame_owner(before, rows, at.x + shape->cells[i].x, y) != 0)
                return 0;
    int fall = rows - 1 - (at.y + shape->max_y);
    return fall > 0 ? fall : 0;
}
