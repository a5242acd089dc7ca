/*
 * panel: parts of a board's picture. Row 0 is the lowest, at the lower end of the panel. Equal
 * cells and edges are one path, in runs: a sheet of a thousand panels stays small.
 */
#include "draw/panel.h"

static double x_of(const Panel *panel, double x) {
    return panel->left + x * panel->cell;
}

static double y_of(const Panel *panel, double y) {
    return panel->top + (panel->rows - y) * panel->cell;
}

static void add_line(Drawing *drawing, const Panel *panel, double x1, double y1, double x2,
                     double y2) {
    drawing_move(drawing, x_of(panel, x1), y_of(panel, y1));
    drawing_line_to(drawing, x_of(panel, x2), y_of(panel, y2));
}

/* Cells x .. x + count - 1 of row y. */
static void add_cells(Drawing *drawing, const Panel *panel, int x, int y, int count) {
    drawing_add_rectangle(drawing, x_of(panel, x), y_of(panel, y + 1), count * panel->cell,
                          panel->cell);
}

void panel_field(Drawing *drawing, const Panel *panel) {
    int width = panel->frame->grid.width, rows = panel->rows;
    drawing_rectangle(drawing, panel->left, panel->top, width * panel->cell, rows * panel->cell,
                      (DrawingStyle){.fill = PALETTE_CARD});
    for (int x = 1; x < width; x++)
        add_line(drawing, panel, x, 0, x, rows);
    for (int y = 1; y < rows; y++)
        add_line(drawing, panel, 0, y, width, y);
    drawing_paint(drawing, (DrawingStyle){.stroke = PALETTE_LINES, .width = 0.05 * panel->cell});
}

static void fill_cells(Drawing *drawing, const Panel *panel, char letter, bool fresh,
                       PaletteColor color) {
    const Frame *frame = panel->frame;
    for (int y = 0; y < panel->rows; y++)
        for (int x = 0; x < frame->grid.width; x++) {
            int run = 0;
            while (x + run < frame->grid.width && frame->grid.cells[y][x + run] == letter &&
                   (panel->fresh > 0 && frame->numbers[y][x + run] == panel->fresh) == fresh)
                run++;
            if (run > 0)
                add_cells(drawing, panel, x, y, run);
            x += run;
        }
    drawing_paint(drawing, (DrawingStyle){.fill = color});
}

/* Whether the line to the left of a cell, or below it, divides step `number` (-1: any) from others.
 */
static bool divides(const Panel *panel, int32_t number, bool upright, int x, int y) {
    int32_t here = frame_owner(panel->frame, panel->rows, x, y);
    int32_t other = frame_owner(panel->frame, panel->rows, x - upright, y - !upright);
    return here != other && (number < 0 || here == number || other == number);
}

static void draw_edges(Drawing *drawing, const Panel *panel, int32_t number, DrawingStyle style) {
    int size[] = {panel->frame->grid.width, panel->rows};
    for (int upright = 0; upright < 2; upright++)
        for (int line = 0; line <= size[!upright]; line++)
            for (int from = 0, to; from < size[upright]; from = to + 1) {
                for (to = from;
                     to < size[upright] &&
                     divides(panel, number, upright, upright ? line : to, upright ? to : line);)
                    to++;
                if (to > from && upright)
                    add_line(drawing, panel, line, from, line, to);
                else if (to > from)
                    add_line(drawing, panel, from, line, to, line);
            }
    style.square = true;
    drawing_paint(drawing, style);
}

void panel_stack(Drawing *drawing, const Panel *panel) {
    PaletteColor colors = panel->fresh > 0 ? PALETTE_MUTED : PALETTE_PIECE;
    for (const char *letter = "IOTSZJLG"; *letter; letter++)
        fill_cells(drawing, panel, *letter, false, colors + (unsigned)palette_kind(*letter));
    draw_edges(drawing, panel, -1,
               (DrawingStyle){.stroke = panel->fresh > 0 ? PALETTE_CARD : PALETTE_TEXT,
                              .width = 0.06 * panel->cell});
}

void panel_piece(Drawing *drawing, const Panel *panel) {
    for (int y = 0; y < panel->rows; y++)
        for (int x = 0; x < panel->frame->grid.width; x++)
            if (panel->frame->numbers[y][x] == panel->fresh) {
                char letter = panel->frame->grid.cells[y][x];
                unsigned kind = (unsigned)palette_kind(letter);
                fill_cells(drawing, panel, letter, true, PALETTE_PIECE + kind);
                draw_edges(
                    drawing, panel, panel->fresh,
                    (DrawingStyle){.stroke = PALETTE_EDGE + kind, .width = 0.16 * panel->cell});
                return;
            }
}

void panel_add_full_rows(Drawing *drawing, const Panel *panel) {
    for (int y = 0; y < panel->rows; y++)
        if (panel->frame->full_rows >> y & 1)
            add_cells(drawing, panel, 0, y, panel->frame->grid.width);
}

void panel_full_rows(Drawing *drawing, const Panel *panel) {
    int width = panel->frame->grid.width;
    for (int y = 0; y < panel->rows; y++) {
        if (!(panel->frame->full_rows >> y & 1))
            continue;
        for (int x = 0; x < 2 * width; x++)
            add_line(drawing, panel, x / 2.0, y, x / 2.0 + 0.5, y + 1);
        drawing_paint(drawing, (DrawingStyle){.stroke = PALETTE_SOFT, .width = 0.07 * panel->cell});
        for (int side = 0; side < 2; side++) {
            double wall = side ? width + 0.15 : -0.15, out = side ? 0.38 : -0.38;
            add_line(drawing, panel, wall, y + 0.5, wall + out, y + 0.2);
            drawing_line_to(drawing, x_of(panel, wall + out), y_of(panel, y + 0.8));
            drawing_close(drawing);
        }
        drawing_paint(drawing, (DrawingStyle){.fill = PALETTE_TEXT});
    }
}

void panel_walls(Drawing *drawing, const Panel *panel) {
    const Grid *grid = &panel->frame->grid;
    double wall = 0.07; /* half of the line, so that it lies outside the cells */
    add_line(drawing, panel, -wall, panel->rows, -wall, -wall);
    drawing_line_to(drawing, x_of(panel, grid->width + wall), y_of(panel, -wall));
    drawing_line_to(drawing, x_of(panel, grid->width + wall), y_of(panel, panel->rows));
    drawing_paint(drawing, (DrawingStyle){.stroke = PALETTE_SOFT, .width = 2 * wall * panel->cell});
    if (panel->rows <= grid->height)
        return;
    add_line(drawing, panel, 0, grid->height, grid->width, grid->height);
    drawing_paint(drawing,
                  (DrawingStyle){.stroke = PALETTE_SOFT, .width = wall * panel->cell, .dash = 4});
}
