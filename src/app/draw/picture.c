#include "draw/picture.h"

#include "system/file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const endings[PICTURE_COUNT] = {".svg", ".png", ".pdf"};

int picture_format_of(const char *path, Status *status) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < PICTURE_COUNT; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return i;
    status_fail(status, STATUS_INPUT, "%s: a picture's name must end in .svg, .png or .pdf", path);
    return -1;
}

bool picture_write(const char *path, const ViewGame *game, Status *status) {
    int format = picture_format_of(path, status);
    if (format < 0)
        return false;
    Text bytes;
    text_init(&bytes);
    bool ok = picture_game(game, (PictureFormat)format, &bytes, status) &&
              file_replace(path, bytes.data, bytes.length, status);
    text_release(&bytes);
    return ok;
}

#ifndef TETROPT_CAIRO

bool picture_game(const ViewGame *game, PictureFormat format, Text *bytes, Status *status) {
    (void)game, (void)format, (void)bytes;
    return status_fail(status, STATUS_INPUT, "pictures: this tetropt was built without cairo");
}

bool picture_board(const Grid *grid, const char *title, PictureFormat format, Text *bytes,
                   Status *status) {
    (void)grid, (void)title;
    return picture_game(NULL, format, bytes, status);
}

#else

#include "draw/canvas.h"
#include "draw/panel.h"

#include <math.h>

/* Where the panels stand. Lengths are pixels (points in PDF); a panel is in cells. */
typedef struct Layout {
    int panels, rows; /* of the board */
    int columns, lines, pages;
    double cell, page_width, page_height, margin, heading;
    double panel_width, panel_height; /* in cells, with the space between panels */
} Layout;

typedef struct Sheet {
    const ViewGame *game;
    Layout layout;
    char facts[96]; /* the line under the title */
    bool final_panel;
} Sheet;

enum { PAGE_WIDTH = 842, PAGE_HEIGHT = 595 }; /* A4 landscape, in points */

#define PANEL_GAP 0.7
#define HEADING_FONT 17.0
#define FACTS_FONT 12.5

/* Cells get smaller with the number of panels, but never too small to read the titles. */
static double sheet_cell(int panels) {
    return panels <= 6 ? 26 : panels <= 30 ? 18 : panels <= 120 ? 14 : 11;
}

static double page_cell(int panels) {
    return panels <= 6 ? 16 : panels <= 24 ? 10 : 7;
}

/* As wide as makes the sheet about as wide as 1.6 times its height, and without a last line that is
 * nearly empty where one column less or more fills it. */
static int choose_columns(const Layout *layout) {
    double ideal = sqrt(1.6 * layout->panels * layout->panel_height / layout->panel_width);
    int low = (int)fmax(1, floor(ideal * 0.8)), high = (int)fmax(low, ceil(ideal * 1.15)),
        best = low;
    double best_cost = INFINITY;
    for (int columns = low; columns <= high && columns <= layout->panels; columns++) {
        int lines = (layout->panels + columns - 1) / columns;
        double cost =
            0.3 * (lines * columns - layout->panels) / columns + fabs(log(columns / ideal));
        if (cost < best_cost) {
            best_cost = cost;
            best = columns;
        }
    }
    return best < layout->panels ? best : layout->panels;
}

static void layout_sheet(Layout *layout, double text_width) {
    layout->cell = layout->panels == 1 ? 32 : sheet_cell(layout->panels);
    layout->margin = 24;
    layout->columns = choose_columns(layout);
    layout->lines = (layout->panels + layout->columns - 1) / layout->columns;
    layout->pages = 1;
    /* A picture of pixels has a bounded number of them: 48 million are 192 MB while it is drawn. */
    double area = layout->columns * layout->panel_width * layout->lines * layout->panel_height;
    layout->cell = fmin(layout->cell, sqrt(48e6 / area));
    /* Neither the marks beside the outer walls nor the last gap count. */
    double wide =
        (layout->columns * layout->panel_width - 2 * PANEL_SIDE - PANEL_GAP) * layout->cell;
    layout->page_width = ceil(fmax(wide, text_width) + 2 * layout->margin);
    layout->page_height = ceil(layout->heading + 2 * layout->margin +
                               (layout->lines * layout->panel_height - PANEL_GAP) * layout->cell);
}

static void layout_pages(Layout *layout) {
    layout->margin = 30;
    layout->page_width = PAGE_WIDTH;
    layout->page_height = PAGE_HEIGHT;
    double wide = PAGE_WIDTH - 2 * layout->margin;
    double high = PAGE_HEIGHT - 2.5 * layout->margin - layout->heading;
    layout->cell = fmin(page_cell(layout->panels), high / layout->panel_height);
    layout->columns = (int)(wide / (layout->panel_width * layout->cell));
    layout->lines = (int)(high / (layout->panel_height * layout->cell) + 1e-9);
    layout->cell = fmin(wide / (layout->columns * layout->panel_width),
                        high / (layout->lines * layout->panel_height));
    int each = layout->columns * layout->lines;
    layout->pages = (layout->panels + each - 1) / each;
}

static void layout_init(Layout *layout, const Grid *grid, int panels, int rows, double heading) {
    *layout = (Layout){.panels = panels, .rows = rows, .heading = heading};
    layout->panel_width = panel_width(grid) + PANEL_GAP;
    layout->panel_height = panel_height(rows) + PANEL_GAP;
}

static void set_font(cairo_t *cairo, bool bold, double size) {
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

/* How wide the heading is, measured on a surface that nobody sees. */
static bool heading_width(const char *title, const char *facts, double *width, Status *status) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cairo = cairo_create(surface);
    cairo_text_extents_t upper = {0}, lower = {0};
    set_font(cairo, true, HEADING_FONT);
    if (title)
        cairo_text_extents(cairo, title, &upper);
    set_font(cairo, false, FACTS_FONT);
    cairo_text_extents(cairo, facts, &lower);
    cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    double wider = fmax(upper.x_advance, lower.x_advance);
    *width = isfinite(wider) ? fmin(wider, 3000) : 0;
    return canvas_ok(result, status);
}

static double heading_height(const char *title) {
    return (title ? HEADING_FONT * 1.5 : 0) + FACTS_FONT * 1.5 + 8;
}

static void draw_heading(cairo_t *cairo, const char *title, const char *facts, double margin) {
    double y = margin;
    if (title) {
        y += HEADING_FONT;
        set_font(cairo, true, HEADING_FONT);
        panel_color(cairo, PANEL_INK);
        cairo_move_to(cairo, margin, y);
        cairo_show_text(cairo, title);
        y += HEADING_FONT * 0.4;
    }
    set_font(cairo, false, FACTS_FONT);
    panel_color(cairo, PANEL_INK_LIGHT);
    cairo_move_to(cairo, margin, y + FACTS_FONT);
    cairo_show_text(cairo, facts);
}

static void draw_page_number(cairo_t *cairo, const Layout *layout, int page) {
    char text[32];
    snprintf(text, sizeof text, "%d / %d", page + 1, layout->pages);
    set_font(cairo, false, 9);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    panel_color(cairo, PANEL_INK_LIGHT);
    cairo_move_to(cairo, layout->page_width - layout->margin - extents.x_advance,
                  layout->page_height - layout->margin * 0.6);
    cairo_show_text(cairo, text);
}

/* Moves to the place of panel `index` and scales so that a cell is 1. */
static void enter_panel(cairo_t *cairo, const Layout *layout, int index) {
    int on_page = index % (layout->columns * layout->lines);
    double x = on_page % layout->columns * layout->panel_width * layout->cell;
    double y = on_page / layout->columns * layout->panel_height * layout->cell;
    cairo_save(cairo);
    /* The walls, not the marks beside them, line up with the heading. */
    cairo_translate(cairo, layout->margin - PANEL_SIDE * layout->cell + x,
                    layout->margin + layout->heading + y);
    cairo_scale(cairo, layout->cell, layout->cell);
}

static void draw_step(cairo_t *cairo, const Layout *layout, const Frame *frame,
                      const DecodeStep *step, int index) {
    char left[32], right[32];
    snprintf(left, sizeof left, "%d %c", index + 1, piece_letters[step->move.placement.piece]);
    int lines = 0;
    for (uint64_t rows = frame->full_rows; rows; rows &= rows - 1)
        lines++;
    if (lines)
        snprintf(right, sizeof right, "%s%d row%s", step->move.hold ? "hold, " : "", lines,
                 lines == 1 ? "" : "s");
    else
        snprintf(right, sizeof right, "%s", step->move.hold ? "hold" : "");
    enter_panel(cairo, layout, index);
    panel_draw(cairo, frame, layout->rows, frame->number, (PanelTitle){left, right});
    cairo_restore(cairo);
}

/* Begins a page at the first panel of each. */
static void turn_page(cairo_t *cairo, const Layout *layout, const Sheet *sheet, int index) {
    int each = layout->columns * layout->lines;
    if (index % each != 0)
        return;
    if (index > 0)
        cairo_show_page(cairo);
    panel_color(cairo, PANEL_PAPER);
    cairo_paint(cairo);
    draw_heading(cairo, sheet->game->title, sheet->facts, layout->margin);
    if (layout->pages > 1)
        draw_page_number(cairo, layout, index / each);
}

static void draw_game(cairo_t *cairo, const void *data) {
    const Sheet *sheet = data;
    const ViewGame *game = sheet->game;
    const Layout *layout = &sheet->layout;
    Frame frame;
    frame_start(&frame, game->start);
    for (int i = 0; i < game->count; i++) {
        turn_page(cairo, layout, sheet, i);
        frame_place(&frame, &game->steps[i]);
        draw_step(cairo, layout, &frame, &game->steps[i], i);
        frame_clear(&frame);
    }
    if (sheet->final_panel) {
        turn_page(cairo, layout, sheet, game->count);
        enter_panel(cairo, layout, game->count);
        panel_draw(cairo, &frame, layout->rows, 0, (PanelTitle){game->count ? "end" : NULL, NULL});
        cairo_restore(cairo);
    }
}

static void describe(const ViewGame *game, char *facts, size_t bytes, bool *final_panel) {
    Frame frame;
    frame_start(&frame, game->start);
    bool cleared = false;
    for (int i = 0; i < game->count; i++) {
        frame_place(&frame, &game->steps[i]);
        cleared = frame.full_rows != 0;
        frame_clear(&frame);
    }
    bool empty = game->count > 0 && grid_highest(&frame.grid) == 0;
    if (game->count == 0)
        snprintf(facts, bytes, "%d columns, %d rows", game->start->width, game->start->height);
    else
        snprintf(facts, bytes, "%d piece%s, %d row%s removed%s", game->count,
                 game->count == 1 ? "" : "s", (int)frame.lines, frame.lines == 1 ? "" : "s",
                 empty ? ", the board is empty at the end" : "");
    *final_panel = cleared || game->count == 0;
}

bool picture_game(const ViewGame *game, PictureFormat format, Text *bytes, Status *status) {
    if (game->count > PICTURE_MAX_PANELS)
        return status_fail(status, STATUS_INPUT, "picture: %d pieces are more than %d panels",
                           game->count, PICTURE_MAX_PANELS);
    Sheet sheet = {.game = game};
    double heading = 0;
    describe(game, sheet.facts, sizeof sheet.facts, &sheet.final_panel);
    int rows = frame_rows_needed(game, 4);
    rows += rows < grid_rows(game->start);
    layout_init(&sheet.layout, game->start, game->count + sheet.final_panel, rows,
                heading_height(game->title));
    if (format == PICTURE_PDF)
        layout_pages(&sheet.layout);
    else if (heading_width(game->title, sheet.facts, &heading, status))
        layout_sheet(&sheet.layout, heading);
    else
        return false;
    return canvas_render(sheet.layout.page_width, sheet.layout.page_height, format, draw_game,
                         &sheet, bytes, status);
}

bool picture_board(const Grid *grid, const char *title, PictureFormat format, Text *bytes,
                   Status *status) {
    ViewGame game = {.start = grid, .title = title};
    return picture_game(&game, format, bytes, status);
}

#endif
