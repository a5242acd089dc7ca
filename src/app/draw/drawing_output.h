/* drawing_output: what drawing.c and drawing_cairo.c share: the functions of an output format. */
#ifndef TETROPT_DRAW_DRAWING_OUTPUT_H
#define TETROPT_DRAW_DRAWING_OUTPUT_H

#include "draw/drawing.h"

/* Comments are in drawing.h, at the functions that call these. */
typedef struct DrawingOutput {
    void (*move)(Drawing *drawing, double x, double y);
    void (*line_to)(Drawing *drawing, double x, double y);
    void (*close)(Drawing *drawing);
    void (*paint)(Drawing *drawing, DrawingStyle style);
    void (*circle)(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style);
    void (*text)(Drawing *drawing, DrawingPoint at, const char *string, DrawingFont font);
    void (*clip)(Drawing *drawing, DrawingPoint corner, double width, double height);
    void (*unclip)(Drawing *drawing);
    void (*next_page)(Drawing *drawing);
} DrawingOutput;

struct Drawing {
    const DrawingOutput *output;
    bool subpath; /* one is open */
    /* SVG */
    Text *svg;
    bool variables;        /* colours are CSS variables */
    bool path;             /* an element is open */
    double last_x, last_y; /* of the path */
    /* cairo */
    void *cairo;
    PaletteColor paper;
};

/* The lengths of a dash pattern: a dash and a gap, 0 and 0 for a solid line. */
const double *drawing_dash(int dash);

/* PNG or PDF. */
bool drawing_cairo(const DrawingPage *page, DrawingFormat format, Text *bytes, Status *status);

#endif
