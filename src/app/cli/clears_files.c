/* clears_files: one row, line or picture per solution; a picture shows the pieces in their original
 * rows. */
#include "cli/clears_files.h"

#include "draw/drawing.h"

#include <stdio.h>

enum { CELL = 14, MARGIN = 2 };

static double share_of(const ClearsRun *run, const Solution *solution) {
    return (double)solution->served / (double)run->queues.count;
}

/* The keys of a game: "hold left cw drop; drop". */
static void add_keys(const Solution *solution, Text *text) {
    for (int i = 0; i < solution->count; i++) {
        const SolutionMove *move = &solution->moves[i];
        text_add(text, i > 0 ? "; " : "");
        text_add(text, move->move.hold ? "hold " : "");
        for (int k = 0; k < move->keys_count; k++)
            text_format(text, "%s%s", k > 0 ? " " : "", key_names[move->keys[k]]);
    }
}

static void add_queue(const ClearsRun *run, const Solution *solution, Text *text) {
    char letters[PATTERN_MAX_PIECES + 1];
    queue_letters(run->queues.codes[solution->queue], run->queues.length, letters);
    text_add(text, letters);
}

void clears_csv(const ClearsRun *run, Text *text) {
    text_add(text, "solution,queues,share,minimal,pieces,queue,fumen,keys\n");
    for (size_t i = 0; i < run->solutions.count; i++) {
        const Solution *solution = &run->solutions.items[i];
        char letters[AREA_MAX_PIECES + 1];
        clears_solution_pieces(solution, letters);
        text_format(text, "%zu,%zu,%.6f,%d,%s,", i + 1, solution->served, share_of(run, solution),
                    clears_is_minimal(run, i), letters);
        if (solution->moves) {
            add_queue(run, solution, text);
            text_add_char(text, ',');
            clears_solution_fumen(run, i, text);
            text_add_char(text, ',');
            add_keys(solution, text);
        } else
            text_add(text, ",,");
        text_add_char(text, '\n');
    }
}

void clears_lines(const ClearsRun *run, Text *text) {
    for (size_t i = 0; i < run->solutions.count; i++) {
        JsonWriter json;
        jw_init(&json, text);
        jw_object(&json, NULL);
        clears_write_solution(run, i, &json);
        jw_end(&json);
        text_add_char(text, '\n');
    }
}

void clears_fumens(const ClearsRun *run, Text *text) {
    for (size_t i = 0; i < run->solutions.count; i++)
        if (clears_solution_fumen(run, i, text))
            text_add_char(text, '\n');
}

/* ---- pictures */

typedef struct Picture {
    const Area *area;
    const Solution *solution;
} Picture;

/* The number of the place that fills a cell; -1: none, -2: filled at the start. */
static int owner(const Picture *picture, int x, int y) {
    const Area *area = picture->area;
    if (x < 0 || x >= area->width || y < 0 || y >= area->lines)
        return -1;
    Cells cell = (Cells)1 << (x * area->lines + y);
    for (int i = 0; i < picture->solution->count; i++)
        if (picture->solution->places[i].cells & cell)
            return i;
    return area->start & cell ? -2 : -1;
}

static int kind_of(const Picture *picture, int place) {
    return palette_kind(place < 0 ? 'G' : piece_letters[picture->solution->places[place].piece]);
}

static void draw_cell(Drawing *drawing, const Picture *picture, int x, int y) {
    int place = owner(picture, x, y);
    double left = MARGIN + x * CELL, top = MARGIN + (picture->area->lines - 1 - y) * CELL;
    PaletteColor color = place == -1   ? PALETTE_FIELD
                         : place == -2 ? (PaletteColor)(PALETTE_MUTED + kind_of(picture, place))
                                       : (PaletteColor)(PALETTE_PIECE + kind_of(picture, place));
    drawing_rectangle(drawing, left, top, CELL, CELL, (DrawingStyle){.fill = color});
}

/* The border between two cells of different pieces. */
static void draw_edges(Drawing *drawing, const Picture *picture, int x, int y) {
    double right = MARGIN + (x + 1) * CELL, top = MARGIN + (picture->area->lines - 1 - y) * CELL;
    DrawingStyle style = {.stroke = PALETTE_CARD, .width = 1.5};
    if (owner(picture, x, y) != owner(picture, x + 1, y))
        drawing_line(drawing, right, top, right, top + CELL, style);
    if (owner(picture, x, y) != owner(picture, x, y + 1))
        drawing_line(drawing, right - CELL, top, right, top, style);
}

static void draw_picture(Drawing *drawing, const void *data) {
    const Picture *picture = data;
    for (int x = 0; x < picture->area->width; x++)
        for (int y = 0; y < picture->area->lines; y++)
            draw_cell(drawing, picture, x, y);
    for (int x = 0; x < picture->area->width; x++)
        for (int y = 0; y < picture->area->lines; y++)
            draw_edges(drawing, picture, x, y);
}

static void add_figure(const ClearsRun *run, size_t index, Text *text) {
    const Solution *solution = &run->solutions.items[index];
    Picture picture = {clears_area(run, index), solution};
    char letters[AREA_MAX_PIECES + 1], label[80];
    clears_solution_pieces(solution, letters);
    snprintf(label, sizeof label, "solution %zu, pieces %s", index + 1, letters);
    DrawingPage page = {.draw = draw_picture,
                        .data = &picture,
                        .width = picture.area->width * CELL + 2 * MARGIN,
                        .height = picture.area->lines * CELL + 2 * MARGIN,
                        .label = label};
    text_format(text, "<figure%s>\n", clears_is_minimal(run, index) ? " class=\"minimal\"" : "");
    drawing_svg(&page, DRAWING_IN_PAGE, text);
    text_format(text, "<figcaption><b>%zu</b> %.2f %% (%zu) %s", index + 1,
                100 * share_of(run, solution), solution->served, letters);
    if (solution->moves) {
        text_add(text, "<details><summary>game</summary><p>queue ");
        add_queue(run, solution, text);
        text_add(text, "<p>");
        add_keys(solution, text);
        text_add(text, "<p><code>");
        clears_solution_fumen(run, index, text);
        text_add(text, "</code></details>");
    }
    text_add(text, "</figcaption></figure>\n");
}

void clears_html(const ClearsRun *run, Text *text) {
    size_t queues = run->queues.count, any = solutions_served(&run->solutions, false, queues);
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                   "<title>Solutions</title>\n<style>\n:root{color-scheme:light dark;");
    palette_css(false, text);
    text_add(text, "}\n@media(prefers-color-scheme:dark){:root{");
    palette_css(true, text);
    text_add(text, "}}\nbody{font-family:sans-serif;background:var(--page);color:var(--text);"
                   "margin:1rem}\nmain{display:flex;flex-wrap:wrap;gap:.8rem}\n"
                   "figure{margin:0;padding:.5rem;background:var(--card);max-width:11rem}\n"
                   "figure.minimal{outline:2px solid var(--accent)}\n"
                   "figcaption{font-size:.8rem;overflow-wrap:anywhere}\n</style></head><body>\n");
    text_format(text, "<h1>%zu solution%s</h1>\n<p>%zu of %zu queues (%.2f %%)",
                run->solutions.count, run->solutions.count == 1 ? "" : "s", any, queues,
                queues > 0 ? 100 * (double)any / (double)queues : 0);
    if (run->minimal.count > 0)
        text_format(text, "; the outlined %zu serve all of them%s", run->minimal.count,
                    run->minimal.proved ? ", and no smaller set does" : "");
    text_add(text, ".</p>\n<main>\n");
    for (size_t i = 0; i < run->solutions.count; i++)
        add_figure(run, i, text);
    text_add(text, "</main></body></html>\n");
}
