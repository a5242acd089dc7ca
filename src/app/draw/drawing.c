#include "draw/drawing.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ColorRow {
    const char *name;
    uint32_t light, dark;
} ColorRow;

static const ColorRow colors[DRAWING_COLOR_COUNT] = {
    {"s0", 0x0072b2, 0x4aa8e0},   {"s1", 0xd55e00, 0xf07f2e},   {"s2", 0x009e73, 0x1fc39a},
    {"s3", 0xcc79a7, 0xe49ac4},   {"s4", 0xb07a00, 0xf0b429},   {"s5", 0x56b4e9, 0x9ad6f7},
    {"s6", 0x7a6f00, 0xe6dc5a},   {"s7", 0x555b66, 0xb9c0cc},   {"ink", 0x23272e, 0xe8e9ec},
    {"soft", 0x5c6470, 0xa9b0bb}, {"grid", 0xdfe2e6, 0x363c46}, {"paper", 0xffffff, 0x16191e},
};

static const double dashes[DRAWING_DASHES][2] = {{0, 0}, {7, 3}, {2, 2.5}, {10, 4}, {4, 2}};

uint32_t drawing_light_color(DrawingColor color) {
    return colors[color].light;
}

const double *drawing_dash(int dash) {
    return dashes[dash % DRAWING_DASHES];
}

/* ---- text */

double drawing_text_width(const char *string) {
    double width = 0;
    while (*string) {
        size_t length = utf8_length(string, 4);
        if (strchr("iIjl.,:;'|!", *string))
            width += 0.32;
        else if (strchr("frt-()[]/ ", *string))
            width += 0.42;
        else if (strchr("mwMW%@", *string))
            width += 0.95;
        else
            width += *string >= 'A' && *string <= 'Z' ? 0.72 : 0.62;
        string += length ? length : 1;
    }
    return width;
}

void drawing_escape(Text *text, const char *string) {
    while (*string) {
        size_t length = utf8_length(string, 4);
        const char *entity = *string == '<'    ? "&lt;"
                             : *string == '>'  ? "&gt;"
                             : *string == '&'  ? "&amp;"
                             : *string == '"'  ? "&quot;"
                             : *string == '\'' ? "&#39;"
                                               : NULL;
        bool control = (unsigned char)*string < 0x20 || *string == 0x7f;
        /* U+FFFE and U+FFFF are UTF-8, but no characters of XML. */
        bool outside =
            strncmp(string, "\xef\xbf\xbe", 3) == 0 || strncmp(string, "\xef\xbf\xbf", 3) == 0;
        if (entity)
            text_add(text, entity);
        else if (length == 0 || control || outside)
            text_add_char(text, '?');
        else
            text_add_bytes(text, string, length);
        string += length ? length : 1;
    }
}

/* ---- style sheets */

static void add_variables(Text *css, bool dark) {
    for (int i = 0; i < DRAWING_COLOR_COUNT; i++)
        text_format(css, "--%s:#%06x;", colors[i].name, dark ? colors[i].dark : colors[i].light);
}

/* `f` classes fill, the others stroke. */
static void add_classes(Text *css, bool variables) {
    for (int i = 0; i < DRAWING_COLOR_COUNT; i++) {
        char value[32];
        if (variables)
            snprintf(value, sizeof value, "var(--%s)", colors[i].name);
        else
            snprintf(value, sizeof value, "#%06x", colors[i].light);
        text_format(css, "svg .%s{stroke:%s}svg .f%s{fill:%s}\n", colors[i].name, value,
                    colors[i].name, value);
    }
}

static const char shared_style[] =
    "svg text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif}\n"
    "svg path,svg circle{fill:none;stroke-linejoin:round;stroke-linecap:butt}\n";

void drawing_style(Text *css) {
    text_add(css, ":root{color-scheme:light dark;");
    add_variables(css, false);
    text_add(css, "}\n@media screen and (prefers-color-scheme:dark){:root{");
    add_variables(css, true);
    text_add(css, "}}\n@media print{:root{color-scheme:light}}\n");
    text_add(css, shared_style);
    add_classes(css, true);
}

/* ---- SVG */

/* Two decimals are a hundredth of a pixel; trailing zeros would double the size of a report. */
static void add_number(Text *svg, double value) {
    char number[40];
    snprintf(number, sizeof number, "%.2f", value);
    char *end = number + strlen(number);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    text_add(svg, strcmp(number, "-0") == 0 ? "0" : number);
}

static void add_attribute(Text *svg, const char *name, double value) {
    text_format(svg, " %s=\"", name);
    add_number(svg, value);
    text_add_char(svg, '"');
}

static void add_style(Text *svg, DrawingStyle style) {
    if (style.stroke != DRAWING_NONE || style.fill != DRAWING_NONE) {
        text_add(svg, " class=\"");
        if (style.stroke != DRAWING_NONE)
            text_add(svg, colors[style.stroke].name);
        if (style.fill != DRAWING_NONE)
            text_format(svg, "%sf%s", style.stroke != DRAWING_NONE ? " " : "",
                        colors[style.fill].name);
        text_add_char(svg, '"');
    }
    if (style.stroke != DRAWING_NONE)
        add_attribute(svg, "stroke-width", style.width > 0 ? style.width : 1);
    if (style.fill != DRAWING_NONE && style.opacity > 0 && style.opacity < 1)
        add_attribute(svg, "fill-opacity", style.opacity);
    if (style.stroke != DRAWING_NONE && style.dash % DRAWING_DASHES != 0) {
        const double *dash = drawing_dash(style.dash);
        text_format(svg, " stroke-dasharray=\"%g %g\"", dash[0], dash[1]);
    }
}

static void svg_point(Drawing *drawing, double x, double y) {
    size_t before = drawing->points++;
    text_add(drawing->svg, before == 0 ? "<path d=\"M" : before == 1 ? "L" : " ");
    add_number(drawing->svg, x);
    text_add_char(drawing->svg, ' ');
    add_number(drawing->svg, y);
}

static void svg_finish(Drawing *drawing, bool closed, DrawingStyle style) {
    if (drawing->points == 0)
        return;
    drawing->points = 0;
    text_add(drawing->svg, closed ? "Z\"" : "\"");
    add_style(drawing->svg, style);
    text_add(drawing->svg, "/>\n");
}

static void svg_circle(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style) {
    text_add(drawing->svg, "<circle");
    add_attribute(drawing->svg, "cx", center.x);
    add_attribute(drawing->svg, "cy", center.y);
    add_attribute(drawing->svg, "r", radius);
    add_style(drawing->svg, style);
    text_add(drawing->svg, "/>\n");
}

static void svg_text(Drawing *drawing, DrawingPoint at, const char *string, DrawingFont font) {
    static const char *const anchors[] = {"start", "middle", "end"};
    Text *svg = drawing->svg;
    text_add(svg, "<text");
    add_attribute(svg, "x", at.x);
    add_attribute(svg, "y", at.y);
    text_format(svg, " class=\"f%s\"", colors[font.color].name);
    add_attribute(svg, "font-size", font.size);
    if (font.anchor != DRAWING_LEFT)
        text_format(svg, " text-anchor=\"%s\"", anchors[font.anchor]);
    if (font.bold)
        text_add(svg, " font-weight=\"bold\"");
    if (font.degrees != 0) {
        text_format(svg, " transform=\"rotate(%g ", font.degrees);
        add_number(svg, at.x);
        text_add_char(svg, ' ');
        add_number(svg, at.y);
        text_add(svg, ")\"");
    }
    text_add_char(svg, '>');
    drawing_escape(svg, string);
    text_add(svg, "</text>\n");
}

/* An inner svg element clips by itself and, unlike a clipPath, needs no name that would have to
 * differ from all others on the page. */
static void svg_clip(Drawing *drawing, DrawingPoint corner, double width, double height) {
    text_format(drawing->svg,
                "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%.2f %.2f "
                "%.2f %.2f\">\n",
                corner.x, corner.y, width, height, corner.x, corner.y, width, height);
}

static void svg_unclip(Drawing *drawing) {
    text_add(drawing->svg, "</svg>\n");
}

static const DrawingKind svg_kind = {svg_point, svg_finish, svg_circle,
                                     svg_text,  svg_clip,   svg_unclip};

void drawing_svg(DrawingDraw *draw, const void *data, double width, double height,
                 const char *label, DrawingPlace place, Text *svg) {
    Drawing drawing = {.kind = &svg_kind, .svg = svg};
    text_format(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                "height=\"%g\" role=\"img\" aria-label=\"",
                width, height, width, height);
    drawing_escape(svg, label);
    text_add(svg, "\">\n");
    if (place == DRAWING_IN_FILE) {
        text_add(svg, "<style>\n");
        text_add(svg, shared_style);
        add_classes(svg, false);
        text_add(svg, "</style>\n");
        drawing_rectangle(&drawing, 0, 0, width, height,
                          (DrawingStyle){.stroke = DRAWING_NONE, .fill = DRAWING_PAPER});
    }
    draw(&drawing, data);
    text_add(svg, "</svg>\n");
}

/* ---- shapes */

void drawing_point(Drawing *drawing, double x, double y) {
    drawing->kind->point(drawing, x, y);
}

void drawing_finish(Drawing *drawing, bool closed, DrawingStyle style) {
    drawing->kind->finish(drawing, closed, style);
}

void drawing_text(Drawing *drawing, double x, double y, const char *string, DrawingFont font) {
    drawing->kind->text(drawing, (DrawingPoint){x, y}, string, font);
}

void drawing_line(Drawing *drawing, double x1, double y1, double x2, double y2,
                  DrawingStyle style) {
    style.fill = DRAWING_NONE;
    drawing_point(drawing, x1, y1);
    drawing_point(drawing, x2, y2);
    drawing_finish(drawing, false, style);
}

void drawing_rectangle(Drawing *drawing, double x, double y, double width, double height,
                       DrawingStyle style) {
    drawing_point(drawing, x, y);
    drawing_point(drawing, x + width, y);
    drawing_point(drawing, x + width, y + height);
    drawing_point(drawing, x, y + height);
    drawing_finish(drawing, true, style);
}

/* Corners as directions in degrees clockwise from the top, and how far out they lie. */
static void polygon(Drawing *drawing, DrawingPoint at, double radius, int corners, double turn,
                    double inner, DrawingStyle style) {
    for (int i = 0; i < corners; i++) {
        double angle = (turn + 360.0 * i / corners) * DRAWING_PI / 180;
        double out = radius * (i % 2 ? inner : 1);
        drawing_point(drawing, at.x + out * sin(angle), at.y - out * cos(angle));
    }
    drawing_finish(drawing, true, style);
}

void drawing_marker(Drawing *drawing, int shape, DrawingPoint at, double radius,
                    DrawingStyle style) {
    static const struct {
        int corners;
        double turn, inner, size;
    } shapes[DRAWING_MARKERS] = {{0, 0, 1, 1},    {4, 45, 1, 1.25},  {3, 0, 1, 1.35},
                                 {4, 0, 1, 1.35}, {3, 180, 1, 1.35}, {8, 0, 0.4, 1.5},
                                 {5, 0, 1, 1.2},  {8, 45, 0.4, 1.5}};
    int number = shape % DRAWING_MARKERS;
    if (shapes[number].corners == 0)
        drawing->kind->circle(drawing, at, radius, style);
    else
        polygon(drawing, at, radius * shapes[number].size, shapes[number].corners,
                shapes[number].turn, shapes[number].inner, style);
}

#ifndef TETROPT_CAIRO

bool drawing_png(DrawingDraw *draw, const void *data, double width, double height, double scale,
                 Text *bytes, Status *status) {
    (void)draw, (void)data, (void)width, (void)height, (void)scale, (void)bytes;
    return status_fail(status, STATUS_INPUT, "PNG: this tetropt was built without cairo");
}

#endif
