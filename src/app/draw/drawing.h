/*
 * drawing: the calls that plots, boards and diagrams are drawn with, and the files they become.
 *
 * SVG is written as text, here and nowhere else: it needs no library, and its colours can be CSS
 * variables that follow the theme of the page around it. PNG and PDF come from cairo, in the light
 * colours; a build without cairo has the same functions, which fail with a message.
 *
 * All formats get the same coordinates. Layouts measure text by a table of widths that is a little
 * generous for the usual sans-serif fonts, so text that fits in one format fits in all.
 */
#ifndef TETROPT_DRAW_DRAWING_H
#define TETROPT_DRAW_DRAWING_H

#include "base/status.h"
#include "draw/palette.h"

typedef enum DrawingFormat { DRAWING_SVG, DRAWING_PNG, DRAWING_PDF, DRAWING_FORMATS } DrawingFormat;

typedef struct DrawingPoint {
    double x, y;
} DrawingPoint;

typedef struct DrawingStyle {
    PaletteColor stroke, fill; /* PALETTE_NONE: neither is painted */
    double width;              /* of the stroke; 0 counts as 1 */
    double opacity;            /* of the fill; 0 counts as 1 */
    int dash;                  /* 0: none; else one of the patterns, by number */
    bool square;               /* lines end half their width further out, so that corners close */
} DrawingStyle;

enum { DRAWING_DASHES = 5, DRAWING_MARKERS = 8 };

typedef enum DrawingAnchor { DRAWING_LEFT, DRAWING_MIDDLE, DRAWING_RIGHT } DrawingAnchor;

typedef struct DrawingFont {
    double size;
    DrawingAnchor anchor;
    PaletteColor color;
    bool bold;
    double degrees; /* rotated clockwise about the given point */
} DrawingFont;

typedef struct Drawing Drawing;

/* Draws `data` on a drawing of the size that its page asked for. */
typedef void DrawingDraw(Drawing *drawing, const void *data);

typedef struct DrawingPage {
    DrawingDraw *draw;
    const void *data;
    double width, height; /* in units: pixels of PNG at scale 1, points of PDF */
    double scale;         /* pixels of PNG per unit; 0 counts as 1 */
    PaletteColor paper;   /* behind everything; PALETTE_NONE counts as PALETTE_CARD */
    const char *label;    /* what screen readers say */
} DrawingPage;

/* The format that the ending of a file name asks for (.svg, .png, .pdf), or -1 with `status`. */
int drawing_format_of(const char *path, Status *status);

/* False with `status` when this build cannot write the format. */
bool drawing_available(DrawingFormat format, Status *status);

/* Adds the bytes of a file. */
bool drawing_render(const DrawingPage *page, DrawingFormat format, Text *bytes, Status *status);

/* The same, written to a file, which is replaced as a whole or left as it was. */
bool drawing_write(const DrawingPage *page, const char *path, Status *status);

typedef enum DrawingPlace {
    DRAWING_IN_PAGE, /* inside HTML whose style sheet has palette_css; no paper */
    DRAWING_IN_FILE  /* on its own: light colours, and the paper is painted */
} DrawingPlace;

/* Adds an SVG element. */
void drawing_svg(const DrawingPage *page, DrawingPlace place, Text *svg);

/* How wide a line of UTF-8 is at font size 1. */
double drawing_text_width(const char *string);

/* Adds text with the characters escaped that have a meaning in HTML and SVG. Those that are not
 * allowed there at all (control characters, U+FFFE, U+FFFF, invalid UTF-8) become question marks.
 */
void drawing_escape(Text *text, const char *string);

/* ---- a path: subpaths of straight lines, painted together, then forgotten */

void drawing_move(Drawing *drawing, double x, double y);
void drawing_line_to(Drawing *drawing, double x, double y); /* a move where no subpath is open */
void drawing_close(Drawing *drawing);
void drawing_paint(Drawing *drawing, DrawingStyle style);

/* Adds a closed rectangle to the path. */
void drawing_add_rectangle(Drawing *drawing, double x, double y, double width, double height);

/* ---- shapes, painted at once */

void drawing_line(Drawing *drawing, double x1, double y1, double x2, double y2, DrawingStyle style);
void drawing_rectangle(Drawing *drawing, double x, double y, double width, double height,
                       DrawingStyle style);
void drawing_circle(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style);

/* A marker of shape 0..DRAWING_MARKERS-1 about a point: circle, square, triangle, diamond, ... */
void drawing_marker(Drawing *drawing, int shape, DrawingPoint at, double radius,
                    DrawingStyle style);

void drawing_text(Drawing *drawing, double x, double y, const char *string, DrawingFont font);

/* Between the two calls nothing is drawn outside of the rectangle. */
void drawing_clip(Drawing *drawing, DrawingPoint corner, double width, double height);
void drawing_unclip(Drawing *drawing);

/* Begins another page of a PDF. */
void drawing_next_page(Drawing *drawing);

/* A change of an attribute that repeats for ever, for SVG (SMIL). */
typedef struct DrawingMotion {
    const char *attribute; /* visibility (in steps), opacity (evenly), transform (accelerating) */
    const char *values, *times; /* separated by semicolons; times are parts of the period, from 0 */
    double period;              /* seconds */
} DrawingMotion;

/* Opens and closes a group that changes, in SVG only. It is hidden in viewers without SMIL when
 * `hidden` is set. No motion: NULL. */
void drawing_open_group(Drawing *drawing, bool hidden, const DrawingMotion *motion);
void drawing_close_group(Drawing *drawing);

#define DRAWING_PI 3.14159265358979323846 /* C11 has no M_PI */

#endif
