#include "draw/panel.h"

#include "draw/palette.h"

#include <string.h>

enum { FIELD = 0xffffff, GRID_LINE = 0xe6e8eb, WALL = 0x4a515c };

void panel_color(cairo_t *cairo, uint32_t color) {
    cairo_set_source_rgb(cairo, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
}

static int columns_of(const Grid *grid) {
    return grid->width > PANEL_MIN_COLUMNS ? grid->width : PANEL_MIN_COLUMNS;
}

double panel_width(const Grid *grid) {
    return columns_of(grid) + 2 * PANEL_SIDE;
}

double panel_height(int rows) {
    return PANEL_TITLE + rows + PANEL_FOOT;
}

/* What is drawn, and how many rows: y = 0 is the lowest, at the lower end of the panel. */
typedef struct Panel {
    cairo_t *cairo;
    const Frame *frame;
    int rows, fresh;
} Panel;

static void add_cell(const Panel *panel, int x, int y) {
    cairo_rectangle(panel->cairo, x, panel->rows - 1 - y, 1, 1);
}

static void draw_field(const Panel *panel) {
    cairo_t *cairo = panel->cairo;
    int width = panel->frame->grid.width, rows = panel->rows;
    cairo_rectangle(cairo, 0, 0, width, rows);
    panel_color(cairo, FIELD);
    cairo_fill(cairo);
    for (int x = 1; x < width; x++) {
        cairo_move_to(cairo, x, 0);
        cairo_line_to(cairo, x, rows);
    }
    for (int y = 1; y < rows; y++) {
        cairo_move_to(cairo, 0, y);
        cairo_line_to(cairo, width, y);
    }
    cairo_set_line_width(cairo, 0.05);
    panel_color(cairo, GRID_LINE);
    cairo_stroke(cairo);
}

static bool is_fresh(const Panel *panel, int x, int y) {
    return panel->fresh > 0 && panel->frame->numbers[y][x] == panel->fresh;
}

/* All cells of one letter are one path: a sheet of a thousand panels stays small. */
static void fill_cells(const Panel *panel, char letter, bool fresh, uint32_t color) {
    const Grid *grid = &panel->frame->grid;
    for (int y = 0; y < panel->rows; y++)
        for (int x = 0; x < grid->width; x++)
            if (grid->cells[y][x] == letter && is_fresh(panel, x, y) == fresh)
                add_cell(panel, x, y);
    panel_color(panel->cairo, color);
    cairo_fill(panel->cairo);
}

static void draw_cells(const Panel *panel) {
    for (const char *letter = "IOTSZJLG"; *letter; letter++) {
        fill_cells(panel, *letter, true, palette_color(*letter));
        fill_cells(panel, *letter, false,
                   panel->fresh > 0 ? palette_muted(*letter) : palette_color(*letter));
    }
}

static int32_t owner(const Panel *panel, int x, int y) {
    return frame_owner(panel->frame, panel->rows, x, y);
}

/* The edges that divide the cells of `number` from others (all pieces when it is -1). */
static void add_edges(const Panel *panel, int32_t number) {
    int width = panel->frame->grid.width;
    for (int y = 0; y <= panel->rows; y++)
        for (int x = 0; x <= width; x++) {
            int32_t here = owner(panel, x, y), left = owner(panel, x - 1, y),
                    under = owner(panel, x, y - 1);
            double top = panel->rows - 1 - y;
            if (here != left && (number < 0 || here == number || left == number)) {
                cairo_move_to(panel->cairo, x, top);
                cairo_line_to(panel->cairo, x, top + 1);
            }
            if (here != under && (number < 0 || here == number || under == number)) {
                cairo_move_to(panel->cairo, x, top + 1);
                cairo_line_to(panel->cairo, x + 1, top + 1);
            }
        }
}

static void draw_edges(const Panel *panel) {
    cairo_set_line_cap(panel->cairo, CAIRO_LINE_CAP_SQUARE);
    add_edges(panel, -1);
    cairo_set_line_width(panel->cairo, 0.06);
    panel_color(panel->cairo, panel->fresh > 0 ? 0xffffff : PANEL_INK);
    cairo_stroke(panel->cairo);
}

static char letter_of(const Panel *panel, int32_t number) {
    for (int y = 0; y < panel->rows; y++)
        for (int x = 0; x < panel->frame->grid.width; x++)
            if (panel->frame->numbers[y][x] == number)
                return panel->frame->grid.cells[y][x];
    return 'G';
}

static void draw_outline(const Panel *panel) {
    if (panel->fresh <= 0)
        return;
    add_edges(panel, panel->fresh);
    cairo_set_line_width(panel->cairo, 0.16);
    panel_color(panel->cairo, palette_dark(letter_of(panel, panel->fresh)));
    cairo_stroke(panel->cairo);
}

/* Slanting lines over the row, and a wedge at either wall that also shows in a small panel. */
static void draw_full_row(const Panel *panel, int y) {
    cairo_t *cairo = panel->cairo;
    int width = panel->frame->grid.width;
    double top = panel->rows - 1 - y;
    for (int x = 0; x < 2 * width; x++) {
        cairo_move_to(cairo, x / 2.0, top + 1);
        cairo_line_to(cairo, x / 2.0 + 0.5, top);
    }
    cairo_set_line_width(cairo, 0.07);
    cairo_set_source_rgba(cairo, 0.1, 0.12, 0.15, 0.55);
    cairo_stroke(cairo);
    for (int side = 0; side < 2; side++) {
        double wall = side ? width + 0.15 : -0.15, out = side ? 0.38 : -0.38;
        cairo_move_to(cairo, wall, top + 0.5);
        cairo_line_to(cairo, wall + out, top + 0.2);
        cairo_line_to(cairo, wall + out, top + 0.8);
        cairo_close_path(cairo);
    }
    panel_color(cairo, PANEL_INK);
    cairo_fill(cairo);
}

static void draw_walls(const Panel *panel) {
    cairo_t *cairo = panel->cairo;
    const Grid *grid = &panel->frame->grid;
    double wall = 0.07; /* half of the line, so that it lies outside the cells */
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_move_to(cairo, -wall, 0);
    cairo_line_to(cairo, -wall, panel->rows + wall);
    cairo_line_to(cairo, grid->width + wall, panel->rows + wall);
    cairo_line_to(cairo, grid->width + wall, 0);
    cairo_set_line_width(cairo, 2 * wall);
    panel_color(cairo, WALL);
    cairo_stroke(cairo);
    if (panel->rows > grid->height) { /* where the hidden rows begin */
        double dashes[] = {0.4, 0.3};
        cairo_set_dash(cairo, dashes, 2, 0);
        cairo_move_to(cairo, 0, panel->rows - grid->height);
        cairo_line_to(cairo, grid->width, panel->rows - grid->height);
        cairo_stroke(cairo);
        cairo_set_dash(cairo, NULL, 0, 0);
    }
}

static void draw_title(cairo_t *cairo, double width, PanelTitle title) {
    cairo_set_font_size(cairo, 1.15);
    double baseline = PANEL_TITLE - 0.5;
    cairo_text_extents_t extents = {0};
    if (title.left) {
        cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                               CAIRO_FONT_WEIGHT_BOLD);
        panel_color(cairo, PANEL_INK);
        cairo_move_to(cairo, 0, baseline);
        cairo_show_text(cairo, title.left);
        cairo_text_extents(cairo, title.left, &extents);
    }
    if (title.right) {
        cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                               CAIRO_FONT_WEIGHT_NORMAL);
        double space = width - extents.x_advance - 0.5, size = 0.95;
        cairo_set_font_size(cairo, size);
        cairo_text_extents(cairo, title.right, &extents);
        if (extents.x_advance > space) {
            cairo_set_font_size(cairo, size * space / extents.x_advance);
            cairo_text_extents(cairo, title.right, &extents);
        }
        panel_color(cairo, PANEL_INK_LIGHT);
        cairo_move_to(cairo, width - extents.x_advance, baseline);
        cairo_show_text(cairo, title.right);
    }
}

void panel_draw(cairo_t *cairo, const Frame *frame, int rows, int fresh, PanelTitle title) {
    Panel panel = {cairo, frame, rows, fresh};
    cairo_save(cairo);
    cairo_translate(cairo, PANEL_SIDE, 0);
    draw_title(cairo, columns_of(&frame->grid), title);
    cairo_translate(cairo, (columns_of(&frame->grid) - frame->grid.width) / 2.0, PANEL_TITLE);
    draw_field(&panel);
    draw_cells(&panel);
    draw_edges(&panel);
    for (int y = 0; y < rows; y++)
        if (frame->full_rows >> y & 1)
            draw_full_row(&panel, y);
    draw_outline(&panel);
    draw_walls(&panel);
    cairo_restore(cairo);
}
