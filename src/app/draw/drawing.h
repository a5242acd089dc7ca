/*
 * drawing: a few drawing calls for plots, to SVG text or to pixels.
 *
 * SVG is written here and not by cairo, because only so can its colours be names: elements carry
 * classes (`ink`, `s0` .. `s7`), and the page around them, or the file's own style sheet, says what
 * they look like in light, dark and print. Pixels come from cairo, in the light colours.
 *
 * Both get the same coordinates: the layout measures text by a table of widths that is a little
 * generous for the usual sans-serif fonts, so that what fits here fits there.
 */
#ifndef TETROPT_DRAW_DRAWING_H
#define TETROPT_DRAW_DRAWING_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* What a stroke or a fill is for. Series are the colours of Okabe and Ito, which people with any
 * kind of colour vision tell apart, in an order in which neighbours also differ in lightness. */
typedef enum DrawingColor {
    DRAWING_NONE = -1,
    DRAWING_SERIES = 0,
    DRAWING_SERIES_COUNT = 8,
    DRAWING_INK = 8,
    DRAWING_SOFT, /* secondary text, axes */
    DRAWING_GRID,
    DRAWING_PAPER,
    DRAWING_COLOR_COUNT
} DrawingColor;

typedef struct DrawingPoint {
    double x, y;
} DrawingPoint;

typedef struct DrawingStyle {
    DrawingColor stroke, fill;
    double width;   /* of the stroke */
    double opacity; /* of the fill; 0 counts as 1 */
    int dash;       /* 0: none; else one of the patterns, by number */
} DrawingStyle;

enum { DRAWING_DASHES = 5 };

typedef enum DrawingAnchor { DRAWING_LEFT, DRAWING_MIDDLE, DRAWING_RIGHT } DrawingAnchor;

typedef struct DrawingFont {
    double size;
    DrawingAnchor anchor;
    DrawingColor color;
    bool bold;
    double degrees; /* turned clockwise about the point given */
} DrawingFont;

typedef struct Drawing Drawing;
typedef struct DrawingKind {
    /* A path point by point, then painted and forgotten. */
    void (*point)(Drawing *drawing, double x, double y);
    void (*finish)(Drawing *drawing, bool closed, DrawingStyle style);
    void (*circle)(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style);
    void (*text)(Drawing *drawing, DrawingPoint at, const char *string, DrawingFont font);
    void (*clip)(Drawing *drawing, DrawingPoint corner, double width, double height);
    void (*unclip)(Drawing *drawing);
} DrawingKind;

struct Drawing {
    const DrawingKind *kind;
    Text *svg;
    void *cairo;
    size_t points; /* of the path so far */
};

/* Where SVG stands. */
typedef enum DrawingPlace {
    DRAWING_IN_PAGE, /* inside of HTML that has drawing_style in its style sheet */
    DRAWING_IN_FILE  /* alone: brings its colours along and paints the paper */
} DrawingPlace;

/* Draws something on a drawing of the size it asked for. */
typedef void DrawingDraw(Drawing *drawing, const void *data);

/* Adds an SVG element; `label` is what screen readers say. */
void drawing_svg(DrawingDraw *draw, const void *data, double width, double height,
                 const char *label, DrawingPlace place, Text *svg);

/* Adds a PNG file, `scale` pixels a unit. Fails in a build without cairo. */
bool drawing_png(DrawingDraw *draw, const void *data, double width, double height, double scale,
                 Text *bytes, Status *status);

/* Adds CSS: the classes by variables, light values on `:root`, dark ones where that is preferred,
 * light ones on paper. */
void drawing_style(Text *css);

/* The light colour, 0xRRGGBB, and the lengths of a dash pattern (two numbers, 0 0: solid). */
uint32_t drawing_light_color(DrawingColor color);
const double *drawing_dash(int dash);

/* How wide a line of UTF-8 is at font size 1. */
double drawing_text_width(const char *string);

/* Adds text with the characters escaped that mean something in HTML and SVG; what is not allowed
 * there at all (control characters, U+FFFE and U+FFFF, broken UTF-8) becomes a question mark. */
void drawing_escape(Text *text, const char *string);

/* ---- shapes from the above */

void drawing_point(Drawing *drawing, double x, double y);
void drawing_finish(Drawing *drawing, bool closed, DrawingStyle style);
void drawing_text(Drawing *drawing, double x, double y, const char *string, DrawingFont font);

void drawing_line(Drawing *drawing, double x1, double y1, double x2, double y2, DrawingStyle style);
void drawing_rectangle(Drawing *drawing, double x, double y, double width, double height,
                       DrawingStyle style);

#define DRAWING_PI 3.14159265358979323846 /* C11 has no M_PI */

enum { DRAWING_MARKERS = 8 };

/* A marker of shape 0..DRAWING_MARKERS-1 about a point: circle, square, triangle, diamond, ... */
void drawing_marker(Drawing *drawing, int shape, DrawingPoint at, double radius,
                    DrawingStyle style);

#endif
