#include "term/game_view.h"

#include "term/board_view.h"

#include <ctype.h>
#include <stdio.h>

enum { MOST_ACROSS = 12, LEAST_ROWS = 4 };

void game_view_title(const DecodeStep *step, int number, char title[GAME_VIEW_TITLE_BYTES]) {
    const Placement *at = &step->move.placement;
    char clears[16] = "";
    if (step->lines > 0)
        snprintf(clears, sizeof clears, " -%d row%s", step->lines, step->lines > 1 ? "s" : "");
    snprintf(title, GAME_VIEW_TITLE_BYTES, "%d: %c %s x=%d%s%s", number, piece_letters[at->piece],
             rotation_names[at->rotation], at->x, step->move.hold ? " hold" : "", clears);
}

/* Small letters for all that the last step did not fill. */
static void mute_earlier(const Frame *frame, Grid *grid) {
    for (int y = 0; y < grid_rows(grid); y++)
        for (int x = 0; x < grid->width; x++)
            if (frame->numbers[y][x] != frame->number)
                grid->cells[y][x] = (char)tolower((unsigned char)grid->cells[y][x]);
}

void game_view_panels(const ViewGame *game, int columns, bool color, Text *text) {
    int across = (columns + 2) / (2 * game->start->width + 5); /* walls and two spaces between */
    across = across < 1 ? 1 : across > MOST_ACROSS ? MOST_ACROSS : across;
    Grid shown[MOST_ACROSS];
    char titles[MOST_ACROSS][GAME_VIEW_TITLE_BYTES];
    const Grid *grids[MOST_ACROSS];
    const char *names[MOST_ACROSS];
    Frame frame;
    frame_start(&frame, game->start);
    int rows = LEAST_ROWS, filled = 0;
    for (int i = 0; i < game->count; i++) {
        frame_place(&frame, &game->steps[i]);
        shown[filled] = frame.grid;
        mute_earlier(&frame, &shown[filled]);
        grids[filled] = &shown[filled];
        names[filled] = titles[filled];
        DecodeStep step = game->steps[i];
        step.lines = 0; /* the panel shows the full rows */
        game_view_title(&step, i + 1, titles[filled]);
        int highest = grid_highest(&frame.grid);
        rows = highest > rows ? highest : rows;
        frame_clear(&frame);
        if (++filled == across || i == game->count - 1) {
            board_view_draw_row(grids, names, filled, rows, color, text);
            text_add_char(text, '\n');
            rows = LEAST_ROWS;
            filled = 0;
        }
    }
}
