/* board_view: boards as lines of text, one or several side by side. */
#include "term/board_view.h"

#include "draw/palette.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ACROSS = 12 };

void board_view_title(const DecodeStep *step, int number, char title[BOARD_VIEW_TITLE_BYTES]) {
    const Placement *at = &step->move.placement;
    char clears[16] = "";
    if (step->lines > 0)
        snprintf(clears, sizeof clears, " -%d line%s", step->lines, step->lines > 1 ? "s" : "");
    snprintf(title, BOARD_VIEW_TITLE_BYTES, "%d: %c %s x=%d%s%s", number, piece_letters[at->piece],
             rotation_names[at->rotation], at->x, step->move.hold ? " hold" : "", clears);
}

/* One row, or the floor where y is -1. */
static void draw_row(const Grid *grid, int y, bool color, Text *text) {
    text_add_char(text, y < 0 ? '+' : '|');
    for (int x = 0; x < grid->width; x++) {
        char cell = y < 0 ? '-' : grid->cells[y][x];
        int kind = palette_kind(cell);
        if (y < 0)
            text_add(text, "--");
        else if (cell == '.')
            text_add(text, color ? "\x1b[38;5;238m \xc2\xb7\x1b[0m" : " .");
        else if (color)
            text_format(text, "\x1b[48;5;%dm\x1b[38;5;%dm %c\x1b[0m", palette_terminal(kind, 256),
                        palette_terminal_letter(kind, 256),
                        islower((unsigned char)cell) ? ' ' : cell);
        else
            text_format(text, " %c", cell);
    }
    bool full = y >= 0 && !memchr(grid->cells[y], '.', grid->width);
    text_add(text, y < 0 ? "-+" : full ? " <" : " |");
}

static void draw_boards(const Grid *grids, int count, int rows, bool color, Text *text) {
    for (int y = rows - 1; y >= -1; y--)
        for (int i = 0; i < count; i++) {
            draw_row(&grids[i], y, color, text);
            text_add(text, i < count - 1 ? "  " : "\n");
        }
}

void board_view_draw(const Grid *grid, int rows, bool color, Text *text) {
    draw_boards(grid, 1, rows > BOARD_VIEW_LEAST_ROWS ? rows : BOARD_VIEW_LEAST_ROWS, color, text);
}

void board_view_game(const ViewGame *game, int columns, bool color, Text *text) {
    int wide = 2 * game->start->width + 3; /* with the walls; two spaces between boards */
    int across = (columns + 2) / (wide + 2);
    across = across < 1 ? 1 : across > MOST_ACROSS ? MOST_ACROSS : across;
    Grid grids[MOST_ACROSS];
    Frame frame;
    frame_start(&frame, game->start);
    int rows = BOARD_VIEW_LEAST_ROWS, filled = 0;
    for (int i = 0; i < game->count; i++) {
        frame_place(&frame, &game->steps[i]);
        /* 1. The title, and the board with small letters for earlier pieces. */
        DecodeStep step = game->steps[i];
        char title[BOARD_VIEW_TITLE_BYTES];
        step.lines = 0; /* the board shows the full rows */
        board_view_title(&step, i + 1, title);
        bool last = filled == across - 1 || i == game->count - 1;
        text_format(text, "%s%-*.*s", filled ? "  " : "", last ? 0 : wide, wide, title);
        Grid *grid = &grids[filled++];
        *grid = frame.grid;
        for (int y = 0; y < grid_rows(grid); y++)
            for (int x = 0; x < grid->width; x++)
                if (frame.numbers[y][x] != frame.number)
                    grid->cells[y][x] = (char)tolower((unsigned char)grid->cells[y][x]);
        int highest = grid_highest(grid);
        rows = highest > rows ? highest : rows;
        frame_clear(&frame);
        if (!last)
            continue;
        /* 2. The boards below their titles. */
        text_add_char(text, '\n');
        draw_boards(grids, filled, rows, color, text);
        text_add_char(text, '\n');
        rows = BOARD_VIEW_LEAST_ROWS;
        filled = 0;
    }
}

void board_view_pair(const ViewGame games[2], bool color, Text *text) {
    Frame frames[2];
    for (int k = 0; k < 2; k++)
        frame_start(&frames[k], games[k].start);
    int most = games[0].count > games[1].count ? games[0].count : games[1].count;
    int wide = 2 * games[0].start->width + 3;
    for (int i = 0; i < most; i++) {
        Grid grids[2];
        int rows = BOARD_VIEW_LEAST_ROWS;
        for (int k = 0; k < 2; k++) {
            char title[BOARD_VIEW_TITLE_BYTES] = "over";
            if (i < games[k].count) {
                board_view_title(&games[k].steps[i], i + 1, title);
                frame_place(&frames[k], &games[k].steps[i]);
                frame_clear(&frames[k]);
            }
            text_format(text, "%s%-*.*s", k ? "  " : "", k ? 0 : wide, wide, title);
            grids[k] = frames[k].grid;
            int highest = grid_highest(&grids[k]);
            rows = highest > rows ? highest : rows;
        }
        text_add_char(text, '\n');
        draw_boards(grids, 2, rows, color, text);
        text_add_char(text, '\n');
    }
}
