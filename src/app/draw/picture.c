/*
 * picture: lays panels out on a sheet or on A4 pages and draws them.
 *
 * Lengths are pixels (points in PDF) except where they are said to be in cells.
 */
#include "draw/picture.h"

#include "draw/panel.h"

#include <math.h>
#include <stdio.h>

/* Around the cells of a panel, in cells: a title above, walls and marks of full rows beside. */
#define TITLE 1.75
#define SIDE 0.6
#define FOOT 0.5
#define GAP 0.7 /* between panels */

enum { MIN_COLUMNS = 9 }; /* narrow boards get wider panels, so that a title fits */

#define HEADING_FONT 17.0
#define FACTS_FONT 12.5

typedef struct Sheet {
    const ViewGame *game;
    char facts[96];   /* the line below the title */
    bool final_panel; /* the last placement cleared lines, or there is none */
    int panels, rows; /* rows of the board that are shown */
    int columns, lines, pages;
    double cell, page_width, page_height, margin, heading;
    double panel_width, panel_height; /* in cells, with the space between panels */
} Sheet;

/* ---- layout */

static int panel_columns(const Grid *grid) {
    return grid->width > MIN_COLUMNS ? grid->width : MIN_COLUMNS;
}

/* The number of columns that makes the sheet about 1.6 times as wide as high, without a last line
 * that is nearly empty where one column less or more fills it. */
static int choose_columns(const Sheet *sheet) {
    double ideal = sqrt(1.6 * sheet->panels * sheet->panel_height / sheet->panel_width);
    int low = (int)fmax(1, floor(ideal * 0.8)), high = (int)fmax(low, ceil(ideal * 1.15)),
        best = low;
    double best_cost = INFINITY;
    for (int columns = low; columns <= high && columns <= sheet->panels; columns++) {
        int lines = (sheet->panels + columns - 1) / columns;
        double cost =
            0.3 * (lines * columns - sheet->panels) / columns + fabs(log(columns / ideal));
        if (cost < best_cost) {
            best_cost = cost;
            best = columns;
        }
    }
    return best < sheet->panels ? best : sheet->panels;
}

static double heading_width(const Sheet *sheet) {
    double title = sheet->game->title ? drawing_text_width(sheet->game->title) * HEADING_FONT : 0;
    return fmin(fmax(title, drawing_text_width(sheet->facts) * FACTS_FONT), 3000);
}

static void layout_sheet(Sheet *sheet) {
    /* Cells get smaller with the number of panels, but never too small to read the titles. */
    int panels = sheet->panels;
    sheet->cell = panels == 1 ? 32 : panels <= 6 ? 26 : panels <= 30 ? 18 : panels <= 120 ? 14 : 11;
    sheet->margin = 24;
    sheet->columns = choose_columns(sheet);
    sheet->lines = (panels + sheet->columns - 1) / sheet->columns;
    sheet->pages = 1;
    /* A picture of pixels has a bounded number of them: 48 million are 192 MB while it is drawn. */
    double area = sheet->columns * sheet->panel_width * sheet->lines * sheet->panel_height;
    sheet->cell = fmin(sheet->cell, sqrt(48e6 / area));
    /* Neither the marks beside the outer walls nor the last gap count. */
    double wide = (sheet->columns * sheet->panel_width - 2 * SIDE - GAP) * sheet->cell;
    sheet->page_width = ceil(fmax(wide, heading_width(sheet)) + 2 * sheet->margin);
    sheet->page_height = ceil(sheet->heading + 2 * sheet->margin +
                              (sheet->lines * sheet->panel_height - GAP) * sheet->cell);
}

static void layout_pages(Sheet *sheet) {
    sheet->margin = 30;
    sheet->page_width = 842; /* A4 landscape */
    sheet->page_height = 595;
    double wide = sheet->page_width - 2 * sheet->margin;
    double high = sheet->page_height - 2.5 * sheet->margin - sheet->heading;
    double cell = sheet->panels <= 6 ? 16 : sheet->panels <= 24 ? 10 : 7;
    cell = fmin(cell, high / sheet->panel_height);
    sheet->columns = (int)(wide / (sheet->panel_width * cell));
    sheet->lines = (int)(high / (sheet->panel_height * cell) + 1e-9);
    sheet->cell = fmin(wide / (sheet->columns * sheet->panel_width),
                       high / (sheet->lines * sheet->panel_height));
    int each = sheet->columns * sheet->lines;
    sheet->pages = (sheet->panels + each - 1) / each;
}

/* ---- drawing */

static void draw_heading(Drawing *drawing, const Sheet *sheet, int page) {
    double y = sheet->margin;
    if (sheet->game->title) {
        drawing_text(drawing, sheet->margin, y + HEADING_FONT, sheet->game->title,
                     (DrawingFont){.size = HEADING_FONT, .color = PALETTE_TEXT, .bold = true});
        y += HEADING_FONT * 1.4;
    }
    drawing_text(drawing, sheet->margin, y + FACTS_FONT, sheet->facts,
                 (DrawingFont){.size = FACTS_FONT, .color = PALETTE_SOFT});
    if (sheet->pages == 1)
        return;
    char number[32];
    snprintf(number, sizeof number, "%d / %d", page + 1, sheet->pages);
    drawing_text(drawing, sheet->page_width - sheet->margin,
                 sheet->page_height - sheet->margin * 0.6, number,
                 (DrawingFont){.size = 9, .anchor = DRAWING_RIGHT, .color = PALETTE_SOFT});
}

/* A panel, and the heading of its page where it is the first. */
static void draw_panel(Drawing *drawing, const Sheet *sheet, const Frame *frame, int index,
                       int fresh, const char *left, const char *right) {
    int each = sheet->columns * sheet->lines, at = index % each;
    if (at == 0 && index > 0)
        drawing_next_page(drawing);
    if (at == 0)
        draw_heading(drawing, sheet, index / each);
    double cell = sheet->cell, columns = panel_columns(sheet->game->start);
    /* The walls, not the marks beside them, line up with the heading. */
    double x = sheet->margin + at % sheet->columns * sheet->panel_width * cell;
    double y = sheet->margin + sheet->heading + at / sheet->columns * sheet->panel_height * cell;
    double baseline = y + (TITLE - 0.5) * cell, size = 0.95;
    double space = columns - drawing_text_width(left) * 1.15 - 0.5;
    if (drawing_text_width(right) * size > space)
        size = space / drawing_text_width(right);
    drawing_text(drawing, x, baseline, left,
                 (DrawingFont){.size = 1.15 * cell, .color = PALETTE_TEXT, .bold = true});
    drawing_text(
        drawing, x + columns * cell, baseline, right,
        (DrawingFont){.size = size * cell, .anchor = DRAWING_RIGHT, .color = PALETTE_SOFT});
    Panel panel = {.frame = frame,
                   .rows = sheet->rows,
                   .fresh = fresh,
                   .left = x + (columns - frame->grid.width) / 2.0 * cell,
                   .top = y + TITLE * cell,
                   .cell = cell};
    panel_field(drawing, &panel);
    panel_stack(drawing, &panel);
    if (fresh > 0)
        panel_piece(drawing, &panel);
    panel_full_rows(drawing, &panel);
    panel_walls(drawing, &panel);
}

static void draw_game(Drawing *drawing, const void *data) {
    const Sheet *sheet = data;
    const ViewGame *game = sheet->game;
    Frame frame;
    frame_start(&frame, game->start);
    for (int i = 0; i < game->count; i++) {
        const DecodeStep *step = &game->steps[i];
        frame_place(&frame, step);
        char left[32], right[32] = "";
        int lines = 0;
        for (uint64_t rows = frame.full_rows; rows; rows &= rows - 1)
            lines++;
        snprintf(left, sizeof left, "%d %c", i + 1, piece_letters[step->move.placement.piece]);
        if (lines > 0)
            snprintf(right, sizeof right, "%s%d line%s", step->move.hold ? "hold, " : "", lines,
                     lines == 1 ? "" : "s");
        draw_panel(drawing, sheet, &frame, i, frame.number, left,
                   lines == 0 && step->move.hold ? "hold" : right);
        frame_clear(&frame);
    }
    if (sheet->final_panel)
        draw_panel(drawing, sheet, &frame, game->count, 0, game->count > 0 ? "end" : "", "");
}

static void describe(Sheet *sheet) {
    const ViewGame *game = sheet->game;
    Frame frame;
    frame_start(&frame, game->start);
    bool cleared = false;
    for (int i = 0; i < game->count; i++) {
        frame_place(&frame, &game->steps[i]);
        cleared = frame.full_rows != 0;
        frame_clear(&frame);
    }
    sheet->final_panel = cleared || game->count == 0;
    if (game->count == 0)
        snprintf(sheet->facts, sizeof sheet->facts, "%d columns, %d rows", game->start->width,
                 game->start->height);
    else
        snprintf(sheet->facts, sizeof sheet->facts, "%d piece%s, %d line%s cleared%s", game->count,
                 game->count == 1 ? "" : "s", (int)frame.lines, frame.lines == 1 ? "" : "s",
                 grid_highest(&frame.grid) == 0 ? ", perfect clear" : "");
}

bool picture_game(const ViewGame *game, DrawingFormat format, Text *bytes, Status *status) {
    if (game->count > PICTURE_MAX_PANELS)
        return status_fail(status, STATUS_INPUT, "picture: %d pieces are more than %d panels",
                           game->count, PICTURE_MAX_PANELS);
    Sheet sheet = {.game = game, .rows = frame_rows_needed(game, 4)};
    describe(&sheet);
    sheet.rows += sheet.rows < grid_rows(game->start);
    sheet.panels = game->count + sheet.final_panel;
    sheet.panel_width = panel_columns(game->start) + 2 * SIDE + GAP;
    sheet.panel_height = TITLE + sheet.rows + FOOT + GAP;
    sheet.heading = (game->title ? HEADING_FONT * 1.5 : 0) + FACTS_FONT * 1.5 + 8;
    if (format == DRAWING_PDF)
        layout_pages(&sheet);
    else
        layout_sheet(&sheet);
    DrawingPage page = {.draw = draw_game,
                        .data = &sheet,
                        .width = sheet.page_width,
                        .height = sheet.page_height,
                        .paper = PALETTE_PAGE,
                        .label = game->title ? game->title : sheet.facts};
    return drawing_render(&page, format, bytes, status);
}
