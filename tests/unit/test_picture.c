/* Pictures: frames of a game, the files that come out, what is refused. */
#include <signal.h>

#include "draw/animation.h"
#include "draw/palette.h"
#include "draw/picture.h"
#include "system/file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two pieces that fill the lowest row of a board 5 wide, and a third on top. */
static const DecodeStep steps[3] = {
    {{{.piece = PIECE_I, .rotation = NORTH, .x = 1, .y = 0}, false}, 0, 0, NULL},
    {{{.piece = PIECE_L, .rotation = WEST, .x = 4, .y = 1}, true}, 1, 0, NULL},
    {{{.piece = PIECE_O, .rotation = NORTH, .x = 0, .y = 0}, false}, 0, 0, NULL},
};

static ViewGame three_pieces(Grid *start) {
    grid_init(start, 5, 8);
    return (ViewGame){start, steps, 3, "three pieces"};
}

Test(frame, walks_through_a_game) {
    Grid start;
    ViewGame game = three_pieces(&start);
    Frame frame;
    frame_start(&frame, &start);
    frame_place(&frame, &game.steps[0]);
    cr_assert_eq(frame.full_rows, 0);
    frame_clear(&frame);
    cr_assert_eq(frame.numbers[0][3], 1);
    frame_place(&frame, &game.steps[1]);
    cr_assert_eq(frame.full_rows, 1);
    cr_assert_eq(frame.grid.cells[0][4], 'L');
    frame_clear(&frame);
    cr_assert_eq(frame.lines, 1);
    cr_assert_eq(frame.full_rows, 0);
    cr_assert_eq(frame.numbers[0][0], 0);
    cr_assert_eq(frame.numbers[0][4], 2);
    cr_assert_eq(frame_rows_needed(&game, 1), 3);
    cr_assert_eq(frame_rows_needed(&game, 6), 6);
}

Test(picture, the_ending_names_the_format) {
    Status status = {0};
    cr_assert_eq(drawing_format_of("a.svg", &status), DRAWING_SVG);
    cr_assert_eq(drawing_format_of("x.y/a.PNG", &status), DRAWING_PNG);
    cr_assert_eq(drawing_format_of("a.b.pdf", &status), DRAWING_PDF);
    cr_assert_eq(status.code, STATUS_OK);
    cr_assert_eq(drawing_format_of("a.gif", &status), -1);
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_eq(drawing_format_of("svg", &status), -1);
}

static uint32_t color_of(PaletteColor first, char letter) {
    return palette_rgb(first + (unsigned)palette_kind(letter), false);
}

Test(picture, muted_colors_are_lighter) {
    for (const char *letter = "IOTSZJLG"; *letter; letter++)
        for (int shift = 0; shift < 24; shift += 8) {
            uint32_t part = color_of(PALETTE_PIECE, *letter) >> shift & 255;
            cr_assert_geq(color_of(PALETTE_MUTED, *letter) >> shift & 255, part);
            cr_assert_leq(color_of(PALETTE_EDGE, *letter) >> shift & 255, part);
        }
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

Test(animation, a_group_a_step_and_one_for_the_end) {
    Grid start;
    ViewGame game = three_pieces(&start);
    game.title = "a <title> & \"more\"";
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert(animation_svg(&game, 0.5, &text, &status), "%s", status.message);
    cr_assert_eq(count_of(text.data, "attributeName=\"visibility\""), 4);
    cr_assert_eq(count_of(text.data, "visibility=\"hidden\""), 3, "the end shows without SMIL");
    cr_assert_eq(count_of(text.data, "<g"), count_of(text.data, "</g>"));
    cr_assert_eq(count_of(text.data, "<title> &"), 0);
    cr_assert_eq(count_of(text.data, "a &lt;title&gt; &amp; &quot;more&quot;"), 2);
    cr_assert_eq(count_of(text.data, "<script"), 0);
    text_clear(&text);
    game.title = "no \xff, no \xef\xbf\xbf, no \x1b";
    cr_assert(animation_svg(&game, 0.5, &text, &status), "%s", status.message);
    cr_assert_eq(count_of(text.data, "no ?, no ?, no ?"), 2, "a file of XML, whatever the title");
    text_release(&text);
    game.count = ANIMATION_MAX_STEPS + 1;
    cr_assert_not(animation_svg(&game, 0.5, &text, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
}

Test(animation, tucked_pieces_do_not_fall_through_others) {
    Grid start;
    grid_init(&start, 5, 8);
    start.cells[1][0] = 'G';
    DecodeStep under = {{{.piece = PIECE_I, .rotation = NORTH, .x = 1, .y = 0}, false}, 0, 0, NULL};
    ViewGame game = {&start, &under, 1, NULL};
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert(animation_svg(&game, 0.5, &text, &status));
    cr_assert_eq(count_of(text.data, "animateTransform"), 0);
    text_clear(&text);
    start.cells[1][0] = '.';
    cr_assert(animation_svg(&game, 0.5, &text, &status));
    cr_assert_eq(count_of(text.data, "animateTransform"), 1);
    text_release(&text);
}

static void draw_line(Drawing *drawing, const void *data) {
    (void)data;
    drawing_line(drawing, 1, 1, 9, 9, (DrawingStyle){.stroke = PALETTE_SERIES});
}

Test(picture, files_are_replaced_or_left_alone) {
    char folder[] = "/tmp/tetropt-picture-XXXXXX", path[64];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/line.svg", folder);
    DrawingPage page = {.draw = draw_line, .width = 10, .height = 10, .label = "a line"};
    Status status = {0};
    cr_assert(drawing_write(&page, path, &status), "%s", status.message);
    size_t length = 0;
    char *text = file_read(path, 1 << 20, &length, &status);
    cr_assert(text);
    cr_assert(strstr(text, "<svg"));
    cr_assert(strstr(text, "<path d=\"M1 1L9 9\" stroke=\"#0072b2\""));
    free(text);
    unlink(path);
    snprintf(path, sizeof path, "%s/none/line.svg", folder);
    cr_assert_not(drawing_write(&page, path, &status));
    rmdir(folder);
}

/* SVG needs no library: cells of one letter are one path, and lines follow the grid. */
Test(picture, boards_as_svg) {
    Grid grid;
    grid_init(&grid, 16, 4);
    grid.cells[0][0] = grid.cells[0][1] = 'I';
    ViewGame board = {.start = &grid, .title = "<&>"};
    Text bytes;
    text_init(&bytes);
    Status status = {0};
    cr_assert(picture_game(&board, DRAWING_SVG, &bytes, &status), "%s", status.message);
    cr_assert_eq(count_of(bytes.data, "&lt;&amp;&gt;"), 2);
    cr_assert_eq(count_of(bytes.data, "<&>"), 0);
    char paint[32];
    snprintf(paint, sizeof paint, "Z\" fill=\"#%06x\"/>", (unsigned)color_of(PALETTE_PIECE, 'I'));
    cr_assert_eq(count_of(bytes.data, paint), 1);
    cr_assert_eq(count_of(bytes.data, "<svg"), count_of(bytes.data, "</svg>"));
    text_clear(&bytes);
    board.title = NULL;
    cr_assert(picture_game(&board, DRAWING_SVG, &bytes, &status));
    cr_assert(strstr(bytes.data, "16 columns, 4 rows"));
    text_release(&bytes);
}

#ifndef TETROPT_CAIRO

Test(picture, says_that_there_is_no_cairo) {
    Grid start;
    ViewGame game = three_pieces(&start);
    Text bytes;
    text_init(&bytes);
    Status status = {0};
    cr_assert_not(picture_game(&game, DRAWING_PNG, &bytes, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_not(drawing_available(DRAWING_PDF, &status));
    cr_assert(drawing_available(DRAWING_SVG, &status));
    text_release(&bytes);
}

#else

#include <cairo.h>

static bool starts_with(const Text *bytes, const char *magic) {
    return bytes->length > strlen(magic) && memcmp(bytes->data, magic, strlen(magic)) == 0;
}

Test(picture, every_format_has_its_magic) {
    static const char *const magic[DRAWING_FORMATS] = {"<?xml", "\x89PNG", "%PDF"};
    Grid start;
    ViewGame game = three_pieces(&start);
    for (int format = 0; format < DRAWING_FORMATS; format++) {
        Text bytes;
        text_init(&bytes);
        Status status = {0};
        cr_assert(picture_game(&game, (DrawingFormat)format, &bytes, &status), "%s",
                  status.message);
        cr_assert(starts_with(&bytes, magic[format]));
        text_release(&bytes);
    }
}

typedef struct Source {
    const Text *bytes;
    size_t at;
} Source;

static cairo_status_t read_bytes(void *closure, unsigned char *data, unsigned int length) {
    Source *source = closure;
    if (length > source->bytes->length - source->at)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(data, source->bytes->data + source->at, length);
    source->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* How many pixels of the picture have exactly this colour. */
static int count_pixels(cairo_surface_t *surface, uint32_t color) {
    const unsigned char *data = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface), count = 0;
    for (int y = 0; y < cairo_image_surface_get_height(surface); y++)
        for (int x = 0; x < cairo_image_surface_get_width(surface); x++) {
            uint32_t pixel;
            memcpy(&pixel, data + y * stride + 4 * x, sizeof pixel);
            count += (pixel & 0xffffff) == color;
        }
    return count;
}

static cairo_surface_t *draw_png(const ViewGame *game) {
    Text bytes;
    text_init(&bytes);
    Status status = {0};
    cr_assert(picture_game(game, DRAWING_PNG, &bytes, &status), "%s", status.message);
    Source source = {&bytes, 0};
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &source);
    cr_assert_eq(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    text_release(&bytes);
    return surface;
}

Test(picture, fresh_pieces_are_full_and_old_ones_muted) {
    Grid start;
    ViewGame game = three_pieces(&start);
    cairo_surface_t *surface = draw_png(&game);
    for (const char *letter = "IOL"; *letter; letter++)
        cr_assert_gt(count_pixels(surface, color_of(PALETTE_PIECE, *letter)), 100);
    cr_assert_gt(count_pixels(surface, color_of(PALETTE_MUTED, 'I')), 100);
    cr_assert_gt(count_pixels(surface, color_of(PALETTE_MUTED, 'L')), 100);
    cr_assert_eq(count_pixels(surface, color_of(PALETTE_MUTED, 'O')), 0,
                 "the last piece is never old");
    cr_assert_eq(count_pixels(surface, color_of(PALETTE_PIECE, 'Z')), 0);
    cairo_surface_destroy(surface);
}

Test(picture, large_and_tall_games_stay_bounded) {
    enum { MANY = PICTURE_MAX_PANELS + 1 };
    DecodeStep *many = calloc(MANY, sizeof *many);
    cr_assert(many);
    for (int i = 0; i < MANY; i++)
        many[i].move.placement = (Placement){.piece = PIECE_O, .x = (int8_t)(i % 8), .y = 40};
    Grid start;
    grid_init(&start, 10, 40);
    ViewGame game = {&start, many, 1000, NULL};
    cairo_surface_t *surface = draw_png(&game);
    double pixels =
        (double)cairo_image_surface_get_width(surface) * cairo_image_surface_get_height(surface);
    cr_assert_gt(pixels, 1e6);
    cr_assert_lt(pixels, 60e6);
    cairo_surface_destroy(surface);
    Text bytes;
    text_init(&bytes);
    Status status = {0};
    game.count = MANY;
    cr_assert_not(picture_game(&game, DRAWING_PNG, &bytes, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    text_release(&bytes);
    free(many);
}

Test(picture, one_board_and_odd_titles) {
    Grid grid;
    grid_init(&grid, 16, 4);
    Text bytes;
    text_init(&bytes);
    Status status = {0};
    ViewGame board = {.start = &grid};
    board.title = "<&\">";
    cr_assert(picture_game(&board, DRAWING_PDF, &bytes, &status));
    text_clear(&bytes);
    board.title = "\xff\xfe";
    cr_assert_not(picture_game(&board, DRAWING_PNG, &bytes, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    text_release(&bytes);
}

#endif
