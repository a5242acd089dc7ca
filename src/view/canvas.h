/*
 * canvas: a few drawing calls for charts, to SVG text or to pixels.
 *
 * SVG is written here and not by cairo, because only so can its colours be names: elements carry
 * classes (`ink`, `s0` .. `s7`), and the page around them, or the file's own style sheet, says what
 * they look like in light, dark and print. Pixels come from cairo, in the light colours.
 *
 * Both get the same coordinates: the layout measures text by a table of widths that is a little
 * generous for the usual sans-serif fonts, so that what fits here fits there.
 */
#ifndef TETROPT_VIEW_CANVAS_H
#define TETROPT_VIEW_CANVAS_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* What a stroke or a fill is for. Series are the colours of Okabe and Ito, which people with any
 * kind of colour vision tell apart, in an order in which neighbours also differ in lightness. */
typedef enum CanvasColor {
    CANVAS_NONE = -1,
    CANVAS_SERIES = 0,
    CANVAS_SERIES_COUNT = 8,
    CANVAS_INK = 8,
    CANVAS_SOFT, /* secondary text, axes */
    CANVAS_GRID,
    CANVAS_PAPER,
    CANVAS_COLOR_COUNT
} CanvasColor;

typedef struct CanvasPoint {
    double x, y;
} CanvasPoint;

typedef struct CanvasStyle {
    CanvasColor stroke, fill;
    double width;   /* of the stroke */
    double opacity; /* of the fill; 0 counts as 1 */
    int dash;       /* 0: none; else one of the patterns, by number */
} CanvasStyle;

enum { CANVAS_DASHES = 5 };

typedef enum CanvasAnchor { CANVAS_LEFT, CANVAS_MIDDLE, CANVAS_RIGHT } CanvasAnchor;

typedef struct CanvasFont {
    double size;
    CanvasAnchor anchor;
    CanvasColor color;
    bool bold;
    double degrees; /* turned clockwise about the point given */
} CanvasFont;

typedef struct Canvas Canvas;
typedef struct CanvasKind {
    /* A path point by point, then painted and forgotten. */
    void (*point)(Canvas *canvas, double x, double y);
    void (*finish)(Canvas *canvas, bool closed, CanvasStyle style);
    void (*circle)(Canvas *canvas, CanvasPoint center, double radius, CanvasStyle style);
    void (*text)(Canvas *canvas, CanvasPoint at, const char *string, CanvasFont font);
    void (*clip)(Canvas *canvas, CanvasPoint corner, double width, double height);
    void (*unclip)(Canvas *canvas);
} CanvasKind;

struct Canvas {
    const CanvasKind *kind;
    Text *svg;
    void *cairo;
    size_t points; /* of the path so far */
};

/* Where SVG stands. */
typedef enum CanvasPlace {
    CANVAS_IN_PAGE, /* inside of HTML that has canvas_style in its style sheet */
    CANVAS_IN_FILE  /* alone: brings its colours along and paints the paper */
} CanvasPlace;

/* Draws something on a canvas of the size it asked for. */
typedef void CanvasDraw(Canvas *canvas, const void *data);

/* Adds an SVG element; `label` is what screen readers say. */
void canvas_svg(CanvasDraw *draw, const void *data, double width, double height, const char *label,
                CanvasPlace place, Text *svg);

/* Adds a PNG file, `scale` pixels a unit. Fails in a build without cairo. */
bool canvas_png(CanvasDraw *draw, const void *data, double width, double height, double scale,
                Text *bytes, Status *status);

/* Adds CSS: the classes by variables, light values on `:root`, dark ones where that is preferred,
 * light ones on paper. */
void canvas_style(Text *css);

/* The light colour, 0xRRGGBB, and the lengths of a dash pattern (two numbers, 0 0: solid). */
uint32_t canvas_light_color(CanvasColor color);
const double *canvas_dash(int dash);

/* How wide a line of UTF-8 is at font size 1. */
double canvas_text_width(const char *string);

/* Adds text with the characters escaped that mean something in HTML and SVG; what is not allowed
 * there at all (control characters, broken UTF-8) becomes a question mark. */
void canvas_escape(Text *text, const char *string);

/* ---- shapes from the above */

void canvas_point(Canvas *canvas, double x, double y);
void canvas_finish(Canvas *canvas, bool closed, CanvasStyle style);
void canvas_text(Canvas *canvas, double x, double y, const char *string, CanvasFont font);

void canvas_line(Canvas *canvas, double x1, double y1, double x2, double y2, CanvasStyle style);
void canvas_rectangle(Canvas *canvas, double x, double y, double width, double height,
                      CanvasStyle style);

enum { CANVAS_MARKERS = 8 };

/* A marker of shape 0..CANVAS_MARKERS-1 about a point: circle, square, triangle, diamond, ... */
void canvas_marker(Canvas *canvas, int shape, CanvasPoint at, double radius, CanvasStyle style);

#endif
