/* field_view: draws cells, pieces and walls on a screen; pages of several boards below. */
#include "term/field_view.h"

#include "draw/palette.h"

enum { BOARD_GAP = 2, CAPTION_ROWS = 3, LEAST_ROWS = 8 };

/* The characters of a cell without colours. */
typedef struct Mark {
    uint32_t unicode;
    char ascii[3];
} Mark;

static const Mark stack_mark = {0x2593, "[]"}, piece_mark = {0x2588, "[]"},
                  ghost_mark = {0x2591, "::"}, flash_mark = {0x2588, "=="};

static void put_mark(Screen *screen, int row, int column, int width, Style style,
                     const Mark *mark) {
    for (int i = 0; i < width; i++)
        screen_glyph(screen, row, column + i, style, mark->unicode, mark->ascii[i]);
}

/* A block: a coloured background, or marks. */
static void put_block(Screen *screen, int row, int column, int width, char cell, const Mark *mark) {
    Style style = (Style)(STYLE_CELL + palette_kind(cell));
    for (int i = 0; screen->color && i < width; i++)
        screen_glyph(screen, row, column + i, style, ' ', ' ');
    if (!screen->color)
        put_mark(screen, row, column, width, STYLE_PLAIN, mark);
}

/* Above the visible height the walls end: a piece may be there, but must not stay. */
static void draw_row(const FieldView *view, int y, int row, int left, Screen *screen) {
    int width = view->cell_columns;
    bool visible = y < view->grid->height;
    for (int side = 0; visible && side < 2; side++)
        screen_glyph(screen, row, left + side * (width * view->grid->width + 1), STYLE_WALL, 0x2502,
                     '|');
    for (int x = 0; x < view->grid->width; x++) {
        char cell = view->grid->cells[y][x];
        int column = left + 1 + x * width;
        if (visible && view->flash >> y & 1)
            put_mark(screen, row, column, width, STYLE_FLASH, &flash_mark);
        else if (cell != '.')
            put_block(screen, row, column, width, cell, &stack_mark);
        else if (visible)
            screen_glyph(screen, row, column + width - 1, STYLE_DIM, 0xb7, '.');
    }
}

static void draw_floor(const FieldView *view, int row, int left, Screen *screen) {
    int wide = view->cell_columns * view->grid->width;
    screen_glyph(screen, row, left, STYLE_WALL, view->low ? 0x2506 : 0x2514, '+');
    for (int i = 0; i < wide; i++)
        screen_glyph(screen, row, left + 1 + i, STYLE_WALL, view->low ? ' ' : 0x2500,
                     view->low ? ' ' : '-');
    screen_glyph(screen, row, left + 1 + wide, STYLE_WALL, view->low ? 0x2506 : 0x2518, '+');
    if (view->low)
        screen_format(screen, row, left + 2, STYLE_DIM, "%d row%s below", view->low,
                      view->low == 1 ? "" : "s");
}

static void put_piece(Screen *screen, int row, int column, int width, Piece piece, bool ghost) {
    if (ghost)
        put_mark(screen, row, column, width, (Style)(STYLE_GHOST + piece), &ghost_mark);
    else
        put_block(screen, row, column, width, piece_letters[piece], &piece_mark);
}

static void draw_piece(const FieldView *view, Placement at, bool ghost, int top, int left,
                       Screen *screen) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    for (int i = 0; i < 4; i++) {
        int x = at.x + shape->cells[i].x, y = at.y + shape->cells[i].y;
        if (y >= view->low && y < view->low + view->rows)
            put_piece(screen, top + view->low + view->rows - 1 - y,
                      left + 1 + x * view->cell_columns, view->cell_columns, at.piece, ghost);
    }
}

void field_view_draw(const FieldView *view, int top, int left, Screen *screen) {
    for (int i = 0; i < view->rows; i++)
        draw_row(view, view->low + view->rows - 1 - i, top + i, left, screen);
    draw_floor(view, top + view->rows, left, screen);
    if (view->ghost.piece != PIECE_NONE)
        draw_piece(view, view->ghost, true, top, left, screen);
    if (view->piece.piece != PIECE_NONE)
        draw_piece(view, view->piece, false, top, left, screen);
}

void field_view_piece(Piece piece, bool dim, int top, int left, Screen *screen) {
    if (piece == PIECE_NONE)
        return;
    const Shape *shape = &piece_shapes[piece][NORTH];
    for (int i = 0; i < 4; i++)
        put_piece(screen, top + 1 - shape->cells[i].y,
                  left + 2 * (shape->cells[i].x - shape->min_x), 2, piece, dim);
}

/* The layout of a page of boards. */
typedef struct Page {
    int cell_columns, rows, across, most;
} Page;

static Page page_of(const Grid *grid, int cell_columns, int rows, int top, const Screen *screen) {
    Page page = {.cell_columns = cell_columns, .rows = rows};
    int fitting = screen->rows - top - 1 - CAPTION_ROWS;
    page.rows = page.rows < fitting ? page.rows : fitting;
    if (page.rows <= 0)
        return page;
    page.across = (screen->columns + BOARD_GAP) / (cell_columns * grid->width + 2 + BOARD_GAP);
    page.most = page.across * ((screen->rows - top) / (page.rows + 1 + CAPTION_ROWS));
    return page;
}

static int rows_needed(const FieldCaption *boards, int count) {
    int rows = LEAST_ROWS;
    for (int i = 0; i < count; i++) {
        int highest = grid_highest(boards[i].grid) + 1;
        rows = highest > rows ? highest : rows;
    }
    return rows < boards[0].grid->height ? rows : boards[0].grid->height;
}

int field_view_boards(const FieldCaption *boards, int count, int top, Screen *screen) {
    if (count == 0)
        return 0;
    int rows = rows_needed(boards, count);
    Page page = page_of(boards[0].grid, 2, rows, top, screen);
    if (page.most < count)
        page = page_of(boards[0].grid, 1, rows, top, screen);
    int drawn = page.most < count ? page.most : count;
    for (int i = 0; i < drawn; i++) {
        FieldView view = {.grid = boards[i].grid,
                          .piece.piece = PIECE_NONE,
                          .ghost.piece = PIECE_NONE,
                          .cell_columns = page.cell_columns,
                          .rows = page.rows};
        int row = top + i / page.across * (page.rows + 1 + CAPTION_ROWS);
        int column = i % page.across * (field_view_columns(&view) + BOARD_GAP);
        field_view_draw(&view, row, column, screen);
        for (int k = 0; k < CAPTION_ROWS && boards[i].lines[k]; k++)
            screen_format(screen, row + page.rows + 1 + k, column + 1, STYLE_PLAIN, "%.*s",
                          field_view_columns(&view), boards[i].lines[k]);
    }
    return drawn;
}
