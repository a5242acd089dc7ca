#include "term/board_view.h"

#include "draw/palette.h"

#include <ctype.h>
#include <string.h>

static void draw_cell(char cell, bool color, Text *text) {
    if (cell == '.')
        text_add(text, color ? "\x1b[38;5;238m \xc2\xb7\x1b[0m" : " .");
    else if (color)
        text_format(text, "\x1b[48;5;%dm\x1b[38;5;%dm %c\x1b[0m",
                    palette_terminal(palette_kind(cell), 256),
                    palette_terminal_letter(palette_kind(cell), 256),
                    islower((unsigned char)cell) ? ' ' : cell);
    else
        text_format(text, " %c", cell);
}

static bool is_full(const Grid *grid, int y) {
    return !memchr(grid->cells[y], '.', grid->width);
}

static void draw_line(const Grid *grid, int y, bool color, Text *text) {
    text_add_char(text, '|');
    for (int x = 0; x < grid->width; x++)
        draw_cell(grid->cells[y][x], color, text);
    text_add(text, is_full(grid, y) ? " <" : " |");
}

static void draw_floor(const Grid *grid, Text *text) {
    text_add_char(text, '+');
    for (int x = 0; x < grid->width; x++)
        text_add(text, "--");
    text_add(text, "-+");
}

void board_view_draw_row(const Grid *const *grids, const char *const *titles, int count, int rows,
                         bool color, Text *text) {
    for (int i = 0; titles && i < count; i++) {
        int wide = 2 * grids[i]->width + 3;
        text_format(text, "%s%-*.*s", i ? "  " : "", i < count - 1 ? wide : 0, wide, titles[i]);
    }
    if (titles)
        text_add_char(text, '\n');
    for (int y = rows - 1; y >= -1; y--) {
        for (int i = 0; i < count; i++) {
            if (i > 0)
                text_add(text, "  ");
            if (y >= 0)
                draw_line(grids[i], y, color, text);
            else
                draw_floor(grids[i], text);
        }
        text_add_char(text, '\n');
    }
}

void board_view_draw(const Grid *grid, int rows, bool color, Text *text) {
    board_view_draw_row(&grid, NULL, 1, rows, color, text);
}
