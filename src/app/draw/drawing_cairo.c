/* drawing_cairo: the pixels of drawing.h. Only built where cairo is. */
#include "draw/drawing.h"

#include "draw/canvas.h"

static void set_color(cairo_t *cairo, DrawingColor color, double opacity) {
    uint32_t rgb = drawing_light_color(color);
    cairo_set_source_rgba(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                          (rgb & 255) / 255.0, opacity > 0 ? opacity : 1);
}

/* Fills and strokes the path that is there. */
static void paint(cairo_t *cairo, DrawingStyle style) {
    if (style.fill != DRAWING_NONE) {
        set_color(cairo, style.fill, style.opacity);
        cairo_fill_preserve(cairo);
    }
    if (style.stroke != DRAWING_NONE) {
        const double *dash = drawing_dash(style.dash);
        cairo_set_dash(cairo, dash, dash[0] > 0 ? 2 : 0, 0);
        cairo_set_line_width(cairo, style.width > 0 ? style.width : 1);
        set_color(cairo, style.stroke, 1);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void draw_point(Drawing *drawing, double x, double y) {
    cairo_line_to(drawing->cairo, x, y);
}

static void draw_finish(Drawing *drawing, bool closed, DrawingStyle style) {
    if (closed)
        cairo_close_path(drawing->cairo);
    paint(drawing->cairo, style);
}

static void draw_circle(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style) {
    cairo_arc(drawing->cairo, center.x, center.y, radius, 0, 2 * DRAWING_PI);
    cairo_close_path(drawing->cairo);
    paint(drawing->cairo, style);
}

static void draw_text(Drawing *drawing, DrawingPoint at, const char *string, DrawingFont font) {
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

static void draw_clip(Drawing *drawing, DrawingPoint corner, double width, double height) {
    cairo_save(drawing->cairo);
    cairo_rectangle(drawing->cairo, corner.x, corner.y, width, height);
    cairo_clip(drawing->cairo);
}

static void draw_unclip(Drawing *drawing) {
    cairo_restore(drawing->cairo);
}

static const DrawingKind cairo_kind = {draw_point, draw_finish, draw_circle,
                                       draw_text,  draw_clip,   draw_unclip};

/* What canvas_render passes through. */
typedef struct Page {
    DrawingDraw *draw;
    const void *data;
    double scale;
} Page;

static void draw_page(cairo_t *cairo, const void *data) {
    const Page *page = data;
    Drawing drawing = {.kind = &cairo_kind, .cairo = cairo};
    set_color(cairo, DRAWING_PAPER, 1);
    cairo_paint(cairo);
    cairo_scale(cairo, page->scale, page->scale);
    page->draw(&drawing, page->data);
}

bool drawing_png(DrawingDraw *draw, const void *data, double width, double height, double scale,
                 Text *bytes, Status *status) {
    Page page = {.draw = draw, .data = data, .scale = scale};
    return canvas_render(width * scale, height * scale, PICTURE_PNG, draw_page, &page, bytes,
                         status);
}
