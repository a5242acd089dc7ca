/*
 * canvas: a cairo drawing as the bytes of an SVG, PNG or PDF file. Only in builds with cairo.
 */
#ifndef TETROPT_DRAW_CANVAS_H
#define TETROPT_DRAW_CANVAS_H

#include "draw/picture.h"

#include <cairo.h>

/* Calls `draw` with `data` for a page of that size (pixels, or points in PDF) and adds the bytes of
 * the file to `bytes`. */
bool canvas_render(double width, double height, PictureFormat format,
                   void (*draw)(cairo_t *cairo, const void *data), const void *data, Text *bytes,
                   Status *status);

/* False with `status` when cairo says that something failed. */
bool canvas_ok(cairo_status_t result, Status *status);

#endif
