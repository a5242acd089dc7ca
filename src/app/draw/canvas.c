#include "draw/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

static cairo_status_t add_bytes(void *closure, const unsigned char *data, unsigned int length) {
    Text *bytes = closure;
    text_add_bytes(bytes, (const char *)data, length);
    return bytes->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

bool canvas_ok(cairo_status_t result, Status *status) {
    if (result == CAIRO_STATUS_SUCCESS)
        return true;
    if (result == CAIRO_STATUS_NO_MEMORY)
        return status_no_memory(status);
    return status_fail(status, result == CAIRO_STATUS_INVALID_STRING ? STATUS_INPUT : STATUS_SYSTEM,
                       "picture: %s", cairo_status_to_string(result));
}

static cairo_surface_t *new_surface(double width, double height, PictureFormat format,
                                    Text *bytes) {
    if (format == PICTURE_SVG)
        return cairo_svg_surface_create_for_stream(add_bytes, bytes, width, height);
    if (format == PICTURE_PDF)
        return cairo_pdf_surface_create_for_stream(add_bytes, bytes, width, height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
}

bool canvas_render(double width, double height, PictureFormat format,
                   void (*draw)(cairo_t *cairo, const void *data), const void *data, Text *bytes,
                   Status *status) {
    cairo_surface_t *surface = new_surface(width, height, format, bytes);
    cairo_t *cairo = cairo_create(surface);
    draw(cairo, data);
    cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    if (format == PICTURE_PNG && result == CAIRO_STATUS_SUCCESS)
        result = cairo_surface_write_to_png_stream(surface, add_bytes, bytes);
    cairo_surface_finish(surface); /* writes the rest of SVG and PDF */
    if (result == CAIRO_STATUS_SUCCESS)
        result = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return canvas_ok(result, status);
}
