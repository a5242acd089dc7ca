/*
 * gif: writes animated GIF files (GIF89a), frame by frame.
 *
 * A pixel is a number in a table of at most 64 colours, which all frames share. Of every frame only
 * the rectangle that differs from the one before is written.
 */
#ifndef TETROPT_DRAW_GIF_H
#define TETROPT_DRAW_GIF_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

enum { GIF_COLORS = 64, GIF_MAX_SIDE = 4096 };

typedef struct Gif Gif;

/* Begins a file that plays forever; its bytes are added to `out`. `colors` are 0xRRGGBB. NULL with
 * `status` when memory runs out. */
Gif *gif_new(int width, int height, const uint32_t colors[GIF_COLORS], Text *out, Status *status);

/* Adds a frame of width * height pixels, row by row from the top, shown for `seconds`. */
void gif_frame(Gif *gif, const uint8_t *pixels, double seconds);

/* Ends the file and frees the encoder; NULL is allowed. */
void gif_end(Gif *gif);

#endif
