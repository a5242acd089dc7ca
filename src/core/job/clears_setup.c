/* clears_setup: the options that only `setup` and `chance` have. */
#include "job/clears.h"

#include "engine/randomizer.h"

#include <string.h>

/* ---- setup */

/* Colours as bits; 'G' is behind the pieces. */
static bool read_colors(const char *name, const char *text, unsigned *colors, Status *status) {
    *colors = 0;
    for (; text && *text; text++) {
        Piece piece = piece_from_letter(*text);
        if (piece == PIECE_NONE && *text != 'G')
            return status_option(status, name, "'%c' is not a colour (IOTSZJL, G)", *text);
        *colors |= 1u << piece;
    }
    return true;
}

static bool has_color(unsigned colors, char cell) {
    return colors >> piece_from_letter(cell) & 1;
}

bool clears_read_wanted(ClearsRun *run, Status *status) {
    const ClearsQuestion *asked = run->asked;
    unsigned fill, margin;
    if (!asked->fill)
        return status_option(status, "fill",
                             "missing (the colour of the cells to fill, such as I)");
    if (!read_colors("fill", asked->fill, &fill, status) ||
        !read_colors("margin", asked->margin, &margin, status))
        return false;
    if (fill & margin)
        return status_option(status, "margin", "has a colour of fill");
    Grid blocks = run->grid;
    int lines = grid_highest(&run->grid);
    for (int y = 0; y < lines; y++)
        for (int x = 0; x < blocks.width; x++)
            if (blocks.cells[y][x] != '.' && has_color(fill | margin, blocks.cells[y][x]))
                blocks.cells[y][x] = '.';
    Board board;
    if (!grid_check(&blocks, status))
        return status_prefix_option(status, run->asked->board ? "board" : "fumen");
    grid_to_board(&blocks, &board);
    lines = lines > 0 ? lines : 1;
    if (!area_init(&run->area, &board, lines, &run->rules, status))
        return false;
    for (int y = 0; y < lines; y++)
        for (int x = 0; x < blocks.width; x++) {
            char cell = run->grid.cells[y][x];
            Cells bit = (Cells)1 << (x * lines + y);
            if (cell != '.' && has_color(fill, cell))
                run->wanted |= bit;
            else if (cell != '.' && has_color(margin, cell))
                run->margin |= bit;
        }
    if (!run->wanted)
        return status_option(status, "fill", "no cell of the field has the colour %s", asked->fill);
    int most = run->queues.length < AREA_MAX_PIECES ? run->queues.length : AREA_MAX_PIECES;
    if (__builtin_popcountll(run->wanted) > 4 * most)
        return status_option(status, "patterns", "queues of %d piece%s cannot fill %d cells",
                             run->queues.length, run->queues.length == 1 ? "" : "s",
                             __builtin_popcountll(run->wanted));
    if (!run->margin && __builtin_popcountll(run->wanted) % 4 != 0)
        return status_option(status, "fill",
                             "%d cells, which pieces of 4 cells cannot fill exactly",
                             __builtin_popcountll(run->wanted));
    return true;
}

/* ---- chance */

/* What is left of the bag after these pieces, of which bags of seven were drawn. */
static unsigned bag_after(const Piece *pieces, int count, bool *repeated) {
    unsigned left = (1u << PIECE_COUNT) - 1;
    *repeated = false;
    for (int i = 0; i < count; i++) {
        left = left ? left : (1u << PIECE_COUNT) - 1;
        *repeated |= !(left >> pieces[i] & 1);
        left &= ~(1u << pieces[i]);
    }
    return left;
}

bool clears_read_chance(ClearsRun *run, Status *status) {
    const ClearsQuestion *asked = run->asked;
    ChanceTask *task = &run->chance_task;
    uint8_t queue[CHANCE_MAX_VISIBLE + 1], held[2], bag[PIECE_COUNT + 1];
    *task = (ChanceTask){.area = &run->area, .held = PIECE_NONE, .hold = asked->hold};
    if (!asked->queue)
        return status_option(status, "queue", "missing (the current piece and the preview)");
    int count = pieces_parse(asked->queue, queue, CHANCE_MAX_VISIBLE + 1, status);
    if (count < 0)
        return status_prefix_option(status, "queue");
    if (count < 1 || count > CHANCE_MAX_VISIBLE)
        return status_option(status, "queue", "1 to %d pieces are expected", CHANCE_MAX_VISIBLE);
    int held_count = asked->held ? pieces_parse(asked->held, held, 2, status) : 0;
    if (held_count < 0 || held_count > 1 || (held_count == 1 && !asked->hold))
        return status_option(status, "held",
                             held_count == 1 ? "cannot be combined with hold off"
                                             : "one piece is expected");
    Piece known[CHANCE_MAX_VISIBLE + 1];
    int all = 0;
    if (held_count == 1)
        known[all++] = task->held = (Piece)held[0];
    task->visible_count = count;
    for (int i = 0; i < count; i++)
        known[all++] = task->visible[i] = (Piece)queue[i];
    bool repeated;
    task->bag = bag_after(known, all, &repeated);
    if (!asked->bag)
        return !repeated ||
               status_option(status, "bag", "missing: held piece and queue do not begin a bag");
    int left = pieces_parse(asked->bag, bag, PIECE_COUNT + 1, status);
    if (left < 0)
        return status_prefix_option(status, "bag");
    task->bag = 0;
    for (int i = 0; i < left; i++) {
        if (task->bag >> bag[i] & 1 || i == PIECE_COUNT)
            return status_option(status, "bag", "a piece occurs twice");
        task->bag |= 1u << bag[i];
    }
    return true;
}
