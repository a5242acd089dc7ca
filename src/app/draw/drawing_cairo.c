/* drawing_cairo: PNG and PDF output of drawing.h. Only in builds with cairo. */
#include "draw/drawing_output.h"

#include <cairo-pdf.h>
#include <cairo.h>

static void set_color(cairo_t *cairo, PaletteColor color, double opacity) {
    uint32_t rgb = palette_rgb(color, false);
    cairo_set_source_rgba(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                          (rgb & 255) / 255.0, opacity > 0 ? opacity : 1);
}

static void cairo_output_move(Drawing *drawing, double x, double y) {
    cairo_move_to(drawing->cairo, x, y);
}

static void cairo_output_line_to(Drawing *drawing, double x, double y) {
    cairo_line_to(drawing->cairo, x, y);
}

static void cairo_output_close(Drawing *drawing) {
    cairo_close_path(drawing->cairo);
}

static void cairo_output_paint(Drawing *drawing, DrawingStyle style) {
    cairo_t *cairo = drawing->cairo;
    if (style.fill != PALETTE_NONE) {
        set_color(cairo, style.fill, style.opacity);
        cairo_fill_preserve(cairo);
    }
    if (style.stroke != PALETTE_NONE) {
        const double *dash = drawing_dash(style.dash);
        cairo_set_dash(cairo, dash, dash[0] > 0 ? 2 : 0, 0);
        cairo_set_line_width(cairo, style.width > 0 ? style.width : 1);
        cairo_set_line_cap(cairo, style.square ? CAIRO_LINE_CAP_SQUARE : CAIRO_LINE_CAP_BUTT);
        set_color(cairo, style.stroke, 1);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void cairo_output_circle(Drawing *drawing, DrawingPoint center, double radius,
                                DrawingStyle style) {
    cairo_arc(drawing->cairo, center.x, center.y, radius, 0, 2 * DRAWING_PI);
    cairo_close_path(drawing->cairo);
    cairo_output_paint(drawing, style);
}

static void cairo_output_text(Drawing *drawing, DrawingPoint at, const char *string,
                              DrawingFont font) {
    cairo_t *cairo = drawing->cairo;
    cairo_save(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, font.size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, string, &extents);
    set_color(cairo, font.color, 1);
    cairo_translate(cairo, at.x, at.y);
    cairo_rotate(cairo, font.degrees * DRAWING_PI / 180);
    cairo_move_to(cairo, -extents.x_advance * (int)font.anchor / 2, 0);
    cairo_show_text(cairo, string);
    cairo_restore(cairo);
    cairo_new_path(cairo);
}

static void cairo_output_clip(Drawing *drawing, DrawingPoint corner, double width, double height) {
    cairo_save(drawing->cairo);
    cairo_rectangle(drawing->cairo, corner.x, corner.y, width, height);
    cairo_clip(drawing->cairo);
}

static void cairo_output_unclip(Drawing *drawing) {
    cairo_restore(drawing->cairo);
}

static void paint_paper(Drawing *drawing) {
    set_color(drawing->cairo, drawing->paper, 1);
    cairo_paint(drawing->cairo);
}

static void cairo_output_next_page(Drawing *drawing) {
    cairo_show_page(drawing->cairo);
    paint_paper(drawing);
}

static const DrawingOutput cairo_output = {
    cairo_output_move,  cairo_output_line_to, cairo_output_close,
    cairo_output_paint, cairo_output_circle,  cairo_output_text,
    cairo_output_clip,  cairo_output_unclip,  cairo_output_next_page};

static cairo_status_t add_bytes(void *closure, const unsigned char *data, unsigned int length) {
    Text *bytes = closure;
    text_add_bytes(bytes, (const char *)data, length);
    return bytes->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

bool drawing_cairo(const DrawingPage *page, DrawingFormat format, Text *bytes, Status *status) {
    double scale = format == DRAWING_PNG && page->scale > 0 ? page->scale : 1;
    double width = page->width * scale, height = page->height * scale;
    cairo_surface_t *surface =
        format == DRAWING_PDF
            ? cairo_pdf_surface_create_for_stream(add_bytes, bytes, width, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    if (format == DRAWING_PDF) /* the same drawing gives the same bytes at any time */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "2000-01-01T00:00:00Z");
    cairo_t *cairo = cairo_create(surface);
    Drawing drawing = {
        .output = &cairo_output, .cairo = cairo, .paper = page->paper ? page->paper : PALETTE_CARD};
    paint_paper(&drawing);
    cairo_scale(cairo, scale, scale);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    page->draw(&drawing, page->data);
    cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    if (format == DRAWING_PNG && result == CAIRO_STATUS_SUCCESS)
        result = cairo_surface_write_to_png_stream(surface, add_bytes, bytes);
    cairo_surface_finish(surface); /* writes the rest of a PDF */
    if (result == CAIRO_STATUS_SUCCESS)
        result = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (result == CAIRO_STATUS_NO_MEMORY)
        return status_no_memory(status);
    return result == CAIRO_STATUS_SUCCESS ||
           status_fail(status, result == CAIRO_STATUS_INVALID_STRING ? STATUS_INPUT : STATUS_SYSTEM,
                       "picture: %s", cairo_status_to_string(result));
}
