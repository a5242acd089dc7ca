/*
 * movie: draws cells straight into pixels, whose values are colours of the palette. One picture per
 * position of a falling piece, one with the piece at rest, one where full rows flash.
 */
#include "draw/movie.h"

#include "base/memory.h"
#include "draw/animation.h"
#include "draw/gif.h"
#include "draw/palette.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PALETTE_COUNT <= (int)GIF_COLORS, "every colour needs a number");

enum { CELL = 16, MARGIN = 10, WALL = 2, FALL_PICTURES = 5 };

static const double DROP_SHARE = 0.35, FLASH_SHARE = 0.28, END_SECONDS = 2.5;

typedef struct Movie {
    const ViewGame *game;
    Gif *gif;
    uint8_t *pixels;
    int rows, width, height;
    double seconds;
} Movie;

static void fill(Movie *movie, int left, int top, int width, int height, int color) {
    for (int y = top; y < top + height; y++)
        memset(movie->pixels + y * movie->width + left, color, (size_t)width);
}

static int cell_left(int x) {
    return MARGIN + WALL + x * CELL;
}

static int cell_top(const Movie *movie, int y) {
    return MARGIN + (movie->rows - 1 - y) * CELL;
}

/* The empty field between its walls. */
static void draw_field(Movie *movie) {
    int wide = movie->game->start->width * CELL, high = movie->rows * CELL;
    fill(movie, 0, 0, movie->width, movie->height, PALETTE_PAGE);
    fill(movie, MARGIN, MARGIN, wide + 2 * WALL, high + WALL, PALETTE_SOFT);
    fill(movie, MARGIN + WALL, MARGIN, wide, high, PALETTE_CARD);
    for (int x = 1; x < movie->game->start->width; x++)
        fill(movie, cell_left(x), MARGIN, 1, high, PALETTE_LINES);
    for (int y = 0; y < movie->rows - 1; y++)
        fill(movie, MARGIN + WALL, cell_top(movie, y), wide, 1, PALETTE_LINES);
}

/* A filled cell, with a line on each side where another piece, or nothing, is. */
static void draw_cell(Movie *movie, const Frame *frame, int x, int y, int raised, bool fresh) {
    int kind = palette_kind(frame->grid.cells[y][x]);
    int left = cell_left(x), top = cell_top(movie, y + raised);
    int32_t owner = frame_owner(frame, movie->rows, x, y);
    int edge = PALETTE_EDGE + kind;
    fill(movie, left, top, CELL, CELL, (fresh ? PALETTE_PIECE : PALETTE_MUTED) + kind);
    if (frame_owner(frame, movie->rows, x - 1, y) != owner)
        fill(movie, left, top, 1, CELL, edge);
    if (frame_owner(frame, movie->rows, x + 1, y) != owner)
        fill(movie, left + CELL - 1, top, 1, CELL, edge);
    if (frame_owner(frame, movie->rows, x, y + 1) != owner)
        fill(movie, left, top, CELL, 1, edge);
    if (frame_owner(frame, movie->rows, x, y - 1) != owner)
        fill(movie, left, top + CELL - 1, CELL, 1, edge);
}

/* The board with its newest piece `raised` by some rows. */
static void draw_board(Movie *movie, const Frame *frame, int raised, bool all_fresh) {
    draw_field(movie);
    for (int y = 0; y < movie->rows; y++)
        for (int x = 0; x < frame->grid.width; x++) {
            bool fresh = frame->number > 0 && frame->numbers[y][x] == frame->number;
            if (frame->grid.cells[y][x] != '.')
                draw_cell(movie, frame, x, y, fresh ? raised : 0, fresh || all_fresh);
        }
}

static void draw_step(Movie *movie, Frame *frame, const DecodeStep *step) {
    int fall = frame_free_fall(frame, movie->rows, step->move.placement);
    double left = movie->seconds;
    frame_place(frame, step);
    /* 1. The fall. */
    int pictures = fall < FALL_PICTURES ? fall : FALL_PICTURES;
    for (int i = 0; i < pictures; i++) {
        double time = movie->seconds * DROP_SHARE / pictures;
        draw_board(movie, frame, fall * (pictures - i) / pictures, false);
        gif_frame(movie->gif, movie->pixels, time);
        left -= time;
    }
    /* 2. At rest. */
    double flash = frame->full_rows ? movie->seconds * FLASH_SHARE : 0;
    draw_board(movie, frame, 0, false);
    gif_frame(movie->gif, movie->pixels, left - flash);
    /* 3. Full rows flash. */
    for (int y = 0; y < movie->rows; y++)
        if (frame->full_rows >> y & 1)
            fill(movie, MARGIN + WALL, cell_top(movie, y), frame->grid.width * CELL, CELL,
                 PALETTE_GHOST);
    if (flash > 0)
        gif_frame(movie->gif, movie->pixels, flash);
    frame_clear(frame);
}

bool movie_gif(const ViewGame *game, double seconds, Text *text, Status *status) {
    int rows = 0;
    if (!animation_rows(game, &rows, status))
        return false;
    Movie movie = {.game = game, .rows = rows, .seconds = seconds};
    movie.width = game->start->width * CELL + 2 * (MARGIN + WALL);
    movie.height = rows * CELL + 2 * MARGIN + WALL;
    uint32_t colors[GIF_COLORS] = {0};
    for (int i = 1; i < PALETTE_COUNT; i++)
        colors[i] = palette_rgb((PaletteColor)i, false);
    movie.pixels = memory_new((size_t)movie.width * (size_t)movie.height, 1, status);
    movie.gif = movie.pixels ? gif_new(movie.width, movie.height, colors, text, status) : NULL;
    if (movie.gif) {
        Frame frame;
        frame_start(&frame, game->start);
        for (int i = 0; i < game->count; i++)
            draw_step(&movie, &frame, &game->steps[i]);
        frame.number = 0;
        draw_board(&movie, &frame, 0, true);
        gif_frame(movie.gif, movie.pixels, END_SECONDS);
        gif_end(movie.gif);
    }
    free(movie.pixels);
    return movie.gif && (!text->failed || status_no_memory(status));
}
