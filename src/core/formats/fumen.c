/*
 * fumen: what happens when a page is left, and boards and games as pages.
 *
 * The reader is fumen_read.c, the writer fumen_write.c, the text of comments fumen_comment.c.
 */
#include "formats/fumen.h"

#include "formats/fumen_code.h"

#include <stdlib.h>
#include <string.h>

const char fumen_digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const char fumen_cells[10] = ".ILOZTJSG";

int fumen_cell_number(char cell) {
    const char *at = strchr(fumen_cells, cell);
    return at && *at ? (int)(at - fumen_cells) : FUMEN_CELL_COUNT - 1;
}

Cell fumen_origin_shift(Piece piece, Rotation rotation) {
    /* The format counts from the middle of each picture of a piece, which is not always the
     * rotation centre. */
    static const Cell shifts[PIECE_COUNT][ROTATION_COUNT] = {
        [PIECE_I] = {[SOUTH] = {-1, 0}, [WEST] = {0, 1}},
        [PIECE_O] = {[NORTH] = {0, 1}, [SOUTH] = {-1, 0}, [WEST] = {-1, 1}},
        [PIECE_S] = {[NORTH] = {0, 1}, [EAST] = {1, 0}},
        [PIECE_Z] = {[NORTH] = {0, 1}, [WEST] = {-1, 0}},
    };
    return shifts[piece][rotation];
}

bool fumen_placement_inside(Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    return at.x + shape->min_x >= 0 && at.x + shape->max_x < FUMEN_WIDTH &&
           at.y + shape->min_y >= 0 && at.y + shape->max_y < FUMEN_ROWS;
}

void fumen_field_init(FumenField *field) {
    memset(field, '.', sizeof *field);
}

void fumen_page_init(FumenPage *page) {
    *page = (FumenPage){.placement = {.piece = PIECE_NONE}, .lock = true};
    fumen_field_init(&page->field);
}

static void remove_full_rows(FumenField *field) {
    int kept = 0;
    for (int y = 0; y < FUMEN_ROWS; y++)
        if (memchr(field->cells[y], '.', FUMEN_WIDTH))
            memmove(field->cells[kept++], field->cells[y], FUMEN_WIDTH);
    for (; kept < FUMEN_ROWS; kept++)
        memset(field->cells[kept], '.', FUMEN_WIDTH);
}

static void rise(FumenField *field) {
    memmove(field->cells[1], field->cells[0], (FUMEN_ROWS - 1) * FUMEN_WIDTH);
    memcpy(field->cells[0], field->under, FUMEN_WIDTH);
    memset(field->under, '.', FUMEN_WIDTH);
}

static void mirror(FumenField *field) {
    for (int y = 0; y < FUMEN_ROWS; y++)
        for (int x = 0; x < FUMEN_WIDTH / 2; x++) {
            char left = field->cells[y][x];
            field->cells[y][x] = field->cells[y][FUMEN_WIDTH - 1 - x];
            field->cells[y][FUMEN_WIDTH - 1 - x] = left;
        }
}

void fumen_page_leave(const FumenPage *page, FumenField *field) {
    *field = page->field;
    if (!page->lock)
        return;
    Placement at = page->placement;
    if (at.piece != PIECE_NONE) {
        const Shape *shape = &piece_shapes[at.piece][at.rotation];
        for (int i = 0; i < 4; i++)
            field->cells[at.y + shape->cells[i].y][at.x + shape->cells[i].x] =
                piece_letters[at.piece];
    }
    remove_full_rows(field);
    if (page->rise)
        rise(field);
    if (page->mirror)
        mirror(field);
}

void fumen_release(Fumen *fumen) {
    free(fumen->pages);
    text_release(&fumen->comments);
    *fumen = (Fumen){0};
}

bool fumen_fits(const Grid *start, const DecodeStep *steps, int count) {
    if (start->width != FUMEN_WIDTH || grid_highest(start) > FUMEN_ROWS || count > FUMEN_MAX_PAGES)
        return false;
    for (int i = 0; i < count; i++)
        if (!fumen_placement_inside(steps[i].move.placement))
            return false;
    return true;
}

static void field_from_grid(const Grid *grid, FumenField *field) {
    fumen_field_init(field);
    for (int y = 0; y < FUMEN_ROWS; y++)
        memcpy(field->cells[y], grid->cells[y], FUMEN_WIDTH);
}

/* The field after a page, with the garbage that came up then. */
static void leave_page(const FumenPage *page, const DecodeStep *step, FumenField *field) {
    fumen_page_leave(page, field);
    for (int i = 0; i < step->garbage; i++) {
        memmove(field->cells[1], field->cells[0], (FUMEN_ROWS - 1) * sizeof field->cells[0]);
        for (int x = 0; x < FUMEN_WIDTH; x++)
            field->cells[0][x] = x == step->holes[i] ? '.' : 'G';
    }
}

bool fumen_write_game(const Grid *start, const DecodeStep *steps, int count, const char *comment,
                      Text *text, Status *status) {
    if (!fumen_fits(start, steps, count))
        return status_fail(status, STATUS_INPUT,
                           "fumen: it has ten columns, %d rows and at most %d pages; this does "
                           "not fit",
                           FUMEN_ROWS, FUMEN_MAX_PAGES);
    size_t pages = count > 0 ? (size_t)count : 1;
    FumenPage *page = malloc(pages * sizeof *page);
    if (!page)
        return status_no_memory(status);
    for (size_t i = 0; i < pages; i++) {
        fumen_page_init(&page[i]);
        if (i == 0)
            field_from_grid(start, &page[0].field);
        else
            leave_page(&page[i - 1], &steps[i - 1], &page[i].field);
        if (count > 0)
            page[i].placement = steps[i].move.placement;
    }
    page[0].colored = true;
    page[0].comment = comment;
    bool ok = fumen_encode(page, pages, text, status);
    free(page);
    return ok;
}

bool fumen_write_board(const Grid *grid, const char *comment, Text *text, Status *status) {
    return fumen_write_game(grid, NULL, 0, comment, text, status);
}

bool fumen_page_grid(const FumenPage *page, Grid *grid, Status *status) {
    if (grid->width != FUMEN_WIDTH)
        return status_fail(status, STATUS_INPUT, "a fumen has %d columns, not %d", FUMEN_WIDTH,
                           grid->width);
    grid_init(grid, grid->width, grid->height);
    for (int y = 0; y < FUMEN_ROWS; y++)
        memcpy(grid->cells[y], page->field.cells[y], FUMEN_WIDTH);
    return grid_check(grid, status);
}

bool fumen_read_board(const char *text, size_t length, Grid *grid, Status *status) {
    Fumen fumen;
    if (!fumen_decode(text, length, &fumen, status))
        return false;
    bool ok = fumen_page_grid(&fumen.pages[0], grid, status);
    fumen_release(&fumen);
    return ok;
}
