/*
 * partition_picture: plays the game once and draws it at some moments, from left to right.
 *
 * Given cells are grey, pieces have their colours and edges, as in all pictures (draw/palette). The
 * boards are larger than those of draw/panel and have their own cells (problem/partition_game).
 */
#include "draw/partition_picture.h"

#include "base/memory.h"
#include "system/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NUMBER_PANELS = 9, MAX_PANELS = MAX_NUMBER_PANELS + 4, HEIGHT = 700 };
#define MARGIN 24.0
#define GAP 16.0
#define TITLE 36.0
#define FONT 11.0
#define MIN_PANEL 72.0 /* a title fits */

typedef struct Moment {
    int placed;
    char title[24], text[40];
} Moment;

typedef struct Sheet {
    const Partition *partition;
    const PartitionMoves *moves;
    PartitionGame *game;
    uint8_t *pieces;
    Moment moments[MAX_PANELS];
    int count, columns, rows;
    double cell, panel;
    Status *status;
    bool ok;
} Sheet;

static Moment *add_moment(Sheet *sheet, int placed, const char *title) {
    Moment *moment = &sheet->moments[sheet->count++];
    moment->placed = placed;
    snprintf(moment->title, sizeof moment->title, "%s", title);
    snprintf(moment->text, sizeof moment->text, "%d pieces", placed);
    return moment;
}

static void choose_moments(Sheet *sheet) {
    const Partition *partition = sheet->partition;
    int numbers = partition->count, every = (numbers + MAX_NUMBER_PANELS - 1) / MAX_NUMBER_PANELS;
    add_moment(sheet, 0, "start");
    if (!sheet->moves)
        return;
    for (int i = every - 1; i < numbers; i += every) {
        Moment *moment = add_moment(sheet, partition_end_of_number(partition, i), "");
        snprintf(moment->title, sizeof moment->title, "number %d: %d", i + 1,
                 partition->numbers[i]);
    }
    int full = partition_end_of_number(partition, numbers - 1) + partition_sets(partition);
    add_moment(sheet, full, "buckets full");
    add_moment(sheet, full + 1, "lock open");
    add_moment(sheet, partition_piece_count(partition), "end");
}

static double left_of(const Sheet *sheet, int panel) {
    return MARGIN + panel * (sheet->panel + GAP) +
           (sheet->panel - sheet->columns * sheet->cell) / 2;
}

static double y_of(const Sheet *sheet, int y) {
    return MARGIN + TITLE + (sheet->rows - y) * sheet->cell;
}

/* 0..6 for a piece, 7 for a given cell, -1 for an empty one. */
static int kind_at(const Sheet *sheet, int x, int y) {
    int owner = partition_game_owner(sheet->game, x, y);
    return owner == 0  ? -1
           : owner < 0 ? palette_kind('G')
                       : palette_kind(piece_letters[sheet->pieces[owner - 1]]);
}

static void draw_cells(Drawing *drawing, const Sheet *sheet, double left) {
    double cell = sheet->cell;
    for (int kind = 0; kind < PALETTE_KINDS; kind++) {
        for (int y = 0; y < sheet->rows; y++)
            for (int x = 0, run; x < sheet->columns; x += run + 1) {
                for (run = 0; x + run < sheet->columns && kind_at(sheet, x + run, y) == kind;)
                    run++;
                if (run > 0)
                    drawing_add_rectangle(drawing, left + x * cell, y_of(sheet, y + 1), run * cell,
                                          cell);
            }
        drawing_paint(drawing, (DrawingStyle){.fill = PALETTE_PIECE + (unsigned)kind});
    }
}

static int owner_at(const Sheet *sheet, int x, int y) {
    return x < 0 || x >= sheet->columns || y < 0 || y >= sheet->rows
               ? 0
               : partition_game_owner(sheet->game, x, y);
}

static void draw_edges(Drawing *drawing, const Sheet *sheet, double left) {
    double cell = sheet->cell;
    for (int y = 0; y <= sheet->rows; y++)
        for (int x = 0; x <= sheet->columns; x++) {
            if (owner_at(sheet, x, y) != owner_at(sheet, x - 1, y)) {
                drawing_move(drawing, left + x * cell, y_of(sheet, y));
                drawing_line_to(drawing, left + x * cell, y_of(sheet, y + 1));
            }
            if (owner_at(sheet, x, y) != owner_at(sheet, x, y - 1)) {
                drawing_move(drawing, left + x * cell, y_of(sheet, y));
                drawing_line_to(drawing, left + (x + 1) * cell, y_of(sheet, y));
            }
        }
    drawing_paint(drawing,
                  (DrawingStyle){.stroke = PALETTE_TEXT, .width = 0.1 * cell, .square = true});
}

static void draw_panel(Drawing *drawing, const Sheet *sheet, int panel) {
    const Moment *moment = &sheet->moments[panel];
    double left = left_of(sheet, panel), middle = left + sheet->columns * sheet->cell / 2;
    DrawingFont font = {
        .size = FONT, .anchor = DRAWING_MIDDLE, .color = PALETTE_TEXT, .bold = true};
    drawing_text(drawing, middle, MARGIN + FONT, moment->title, font);
    font.bold = false;
    font.color = PALETTE_SOFT;
    drawing_text(drawing, middle, MARGIN + 2.3 * FONT, moment->text, font);
    drawing_rectangle(drawing, left, y_of(sheet, sheet->rows), sheet->columns * sheet->cell,
                      sheet->rows * sheet->cell,
                      (DrawingStyle){.stroke = PALETTE_SOFT, .fill = PALETTE_CARD});
    draw_cells(drawing, sheet, left);
    draw_edges(drawing, sheet, left);
}

static void draw(Drawing *drawing, const void *data) {
    Sheet *sheet = *(Sheet *const *)data;
    for (int panel = 0; panel < sheet->count; panel++) {
        for (int i = partition_game_placed(sheet->game);
             sheet->ok && i < sheet->moments[panel].placed; i++)
            sheet->ok = partition_game_play(sheet->game, sheet->moves->texts[i], sheet->status);
        draw_panel(drawing, sheet, panel);
    }
}

bool partition_picture_write(const Partition *partition, const PartitionMoves *moves,
                             const char *path, Status *status) {
    Sheet sheet = {.partition = partition,
                   .moves = moves,
                   .columns = partition_columns(partition),
                   .rows = partition_rows(partition),
                   .status = status,
                   .ok = true};
    Sheet *handle = &sheet;
    sheet.game = partition_game_new(partition, status);
    sheet.pieces = memory_new((size_t)partition_piece_count(partition), 1, status);
    bool ok = sheet.game && sheet.pieces;
    if (ok) {
        partition_pieces(partition, sheet.pieces);
        choose_moments(&sheet);
        sheet.cell = fmax(1, fmin(16, floor((double)HEIGHT / sheet.rows)));
        sheet.panel = fmax(MIN_PANEL, sheet.columns * sheet.cell);
        DrawingPage page = {.draw = draw,
                            .data = &handle,
                            .width = 2 * MARGIN + sheet.count * (sheet.panel + GAP) - GAP,
                            .height = 2 * MARGIN + TITLE + sheet.rows * sheet.cell,
                            .label = "3-PARTITION as a game of Tetris"};
        Text svg = {0};
        ok = drawing_render(&page, DRAWING_SVG, &svg, status) && sheet.ok &&
             file_replace(path, svg.data, svg.length, status);
        text_release(&svg);
    }
    free(sheet.pieces);
    partition_game_free(sheet.game);
    return ok;
}
