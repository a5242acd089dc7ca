/*
 * drawing: shapes made of the calls of an output format, and the SVG output.
 *
 * Invariant of SVG text: a path element is open from the first drawing_move to drawing_paint, and
 * nothing else is written in between. Numbers have two decimals, a hundredth of a pixel; longer
 * ones would double the size of a report.
 */
#include "draw/drawing.h"

#include "base/utf8.h"
#include "draw/drawing_output.h"
#include "system/file.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const double *drawing_dash(int dash) {
    static const double dashes[DRAWING_DASHES][2] = {{0, 0}, {7, 3}, {2, 2.5}, {10, 4}, {4, 2}};
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
        /* U+FFFE and U+FFFF are valid UTF-8, but not characters of XML. */
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

/* ---- SVG */

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

static void add_color(Drawing *drawing, const char *name, PaletteColor color) {
    text_format(drawing->svg, " %s=\"", name);
    palette_add(drawing->svg, color, drawing->variables);
    text_add_char(drawing->svg, '"');
}

/* Ends an element of one tag. */
static void add_style(Drawing *drawing, DrawingStyle style) {
    Text *svg = drawing->svg;
    if (style.stroke != PALETTE_NONE) {
        add_color(drawing, "stroke", style.stroke);
        add_attribute(svg, "stroke-width", style.width > 0 ? style.width : 1);
        const double *dash = drawing_dash(style.dash);
        if (dash[0] > 0)
            text_format(svg, " stroke-dasharray=\"%g %g\"", dash[0], dash[1]);
        if (style.square)
            text_add(svg, " stroke-linecap=\"square\"");
    }
    if (style.fill != PALETTE_NONE) {
        add_color(drawing, "fill", style.fill);
        if (style.opacity > 0 && style.opacity < 1)
            add_attribute(svg, "fill-opacity", style.opacity);
    }
    text_add(svg, "/>\n");
}

static void add_place(Drawing *drawing, char command, double x, double y) {
    text_add_char(drawing->svg, command);
    if (command != 'V')
        add_number(drawing->svg, x);
    if (command != 'V' && command != 'H')
        text_add_char(drawing->svg, ' ');
    if (command != 'H')
        add_number(drawing->svg, y);
    drawing->last_x = x, drawing->last_y = y;
}

static void svg_move(Drawing *drawing, double x, double y) {
    if (!drawing->path)
        text_add(drawing->svg, "<path d=\"");
    drawing->path = true;
    add_place(drawing, 'M', x, y);
}

static void svg_line_to(Drawing *drawing, double x, double y) {
    add_place(drawing, x == drawing->last_x ? 'V' : y == drawing->last_y ? 'H' : 'L', x, y);
}

static void svg_close(Drawing *drawing) {
    text_add_char(drawing->svg, 'Z');
}

static void svg_paint(Drawing *drawing, DrawingStyle style) {
    if (!drawing->path)
        return;
    drawing->path = false;
    text_add_char(drawing->svg, '"');
    add_style(drawing, style);
}

static void svg_circle(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style) {
    text_add(drawing->svg, "<circle");
    add_attribute(drawing->svg, "cx", center.x);
    add_attribute(drawing->svg, "cy", center.y);
    add_attribute(drawing->svg, "r", radius);
    add_style(drawing, style);
}

static void svg_text(Drawing *drawing, DrawingPoint at, const char *string, DrawingFont font) {
    static const char *const anchors[] = {"start", "middle", "end"};
    Text *svg = drawing->svg;
    text_add(svg, "<text");
    add_attribute(svg, "x", at.x);
    add_attribute(svg, "y", at.y);
    add_color(drawing, "fill", font.color);
    add_attribute(svg, "font-size", font.size);
    if (font.anchor != DRAWING_LEFT)
        text_format(svg, " text-anchor=\"%s\"", anchors[font.anchor]);
    if (font.bold)
        text_add(svg, " font-weight=\"bold\"");
    if (font.degrees != 0)
        text_format(svg, " transform=\"rotate(%g %.2f %.2f)\"", font.degrees, at.x, at.y);
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

static const DrawingOutput svg_output = {svg_move, svg_line_to, svg_close,  svg_paint, svg_circle,
                                         svg_text, svg_clip,    svg_unclip, NULL /* one page */};

void drawing_open_group(Drawing *drawing, bool hidden, const DrawingMotion *motion) {
    Text *svg = drawing->svg;
    text_format(svg, "<g%s>", hidden ? " visibility=\"hidden\"" : "");
    if (!motion)
        return;
    bool moves = strcmp(motion->attribute, "transform") == 0;
    bool steps = strcmp(motion->attribute, "visibility") == 0;
    text_format(svg, "<animate%s attributeName=\"%s\"%s dur=\"%.3fs\" repeatCount=\"indefinite\" ",
                moves ? "Transform" : "", motion->attribute,
                moves   ? " type=\"translate\" calcMode=\"spline\""
                          " keySplines=\"0 0 1 1;.5 0 1 .6;0 0 1 1\""
                : steps ? " calcMode=\"discrete\""
                        : "",
                motion->period);
    text_format(svg, "values=\"%s\" keyTimes=\"%s\"/>\n", motion->values, motion->times);
}

void drawing_close_group(Drawing *drawing) {
    text_add(drawing->svg, "</g>\n");
}

void drawing_svg(const DrawingPage *page, DrawingPlace place, Text *svg) {
    Drawing drawing = {.output = &svg_output, .svg = svg, .variables = place == DRAWING_IN_PAGE};
    text_format(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                "height=\"%g\" fill=\"none\" stroke-linejoin=\"round\" font-family=\"Helvetica,"
                "Arial,'Liberation Sans','DejaVu Sans',sans-serif\" role=\"img\" aria-label=\"",
                page->width, page->height, page->width, page->height);
    drawing_escape(svg, page->label);
    text_add(svg, "\">\n");
    if (place == DRAWING_IN_FILE)
        drawing_rectangle(&drawing, 0, 0, page->width, page->height,
                          (DrawingStyle){.fill = page->paper ? page->paper : PALETTE_CARD});
    page->draw(&drawing, page->data);
    text_add(svg, "</svg>\n");
}

/* ---- files */

int drawing_format_of(const char *path, Status *status) {
    static const char *const endings[DRAWING_FORMATS] = {".svg", ".png", ".pdf"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < DRAWING_FORMATS; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return i;
    status_fail(status, STATUS_INPUT, "%s: a picture's name must end in .svg, .png or .pdf", path);
    return -1;
}

#ifdef TETROPT_CAIRO

bool drawing_available(DrawingFormat format, Status *status) {
    (void)format, (void)status;
    return true;
}

#else

bool drawing_available(DrawingFormat format, Status *status) {
    return format == DRAWING_SVG ||
           status_fail(status, STATUS_INPUT, "PNG and PDF: this tetropt was built without cairo");
}

bool drawing_cairo(const DrawingPage *page, DrawingFormat format, Text *bytes, Status *status) {
    (void)page, (void)bytes;
    return drawing_available(format, status);
}

#endif

bool drawing_render(const DrawingPage *page, DrawingFormat format, Text *bytes, Status *status) {
    if (format != DRAWING_SVG)
        return drawing_cairo(page, format, bytes, status);
    text_add(bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    drawing_svg(page, DRAWING_IN_FILE, bytes);
    return !bytes->failed || status_no_memory(status);
}

bool drawing_write(const DrawingPage *page, const char *path, Status *status) {
    int format = drawing_format_of(path, status);
    Text bytes = {0};
    bool ok = format >= 0 && drawing_render(page, (DrawingFormat)format, &bytes, status) &&
              file_replace(path, bytes.data, bytes.length, status);
    text_release(&bytes);
    return ok;
}

/* ---- paths and shapes */

void drawing_move(Drawing *drawing, double x, double y) {
    drawing->subpath = true;
    drawing->output->move(drawing, x, y);
}

void drawing_line_to(Drawing *drawing, double x, double y) {
    if (drawing->subpath)
        drawing->output->line_to(drawing, x, y);
    else
        drawing_move(drawing, x, y);
}

void drawing_close(Drawing *drawing) {
    if (drawing->subpath)
        drawing->output->close(drawing);
    drawing->subpath = false;
}

void drawing_paint(Drawing *drawing, DrawingStyle style) {
    drawing->subpath = false;
    drawing->output->paint(drawing, style);
}

void drawing_add_rectangle(Drawing *drawing, double x, double y, double width, double height) {
    drawing_move(drawing, x, y);
    drawing_line_to(drawing, x + width, y);
    drawing_line_to(drawing, x + width, y + height);
    drawing_line_to(drawing, x, y + height);
    drawing_close(drawing);
}

void drawing_line(Drawing *drawing, double x1, double y1, double x2, double y2,
                  DrawingStyle style) {
    drawing_move(drawing, x1, y1);
    drawing_line_to(drawing, x2, y2);
    drawing_paint(drawing, style);
}

void drawing_rectangle(Drawing *drawing, double x, double y, double width, double height,
                       DrawingStyle style) {
    drawing_add_rectangle(drawing, x, y, width, height);
    drawing_paint(drawing, style);
}

void drawing_circle(Drawing *drawing, DrawingPoint center, double radius, DrawingStyle style) {
    drawing->output->circle(drawing, center, radius, style);
}

void drawing_marker(Drawing *drawing, int shape, DrawingPoint at, double radius,
                    DrawingStyle style) {
    static const struct {
        int corners;
        double first; /* the direction of the first corner, degrees clockwise from the top */
        double inner; /* how far out every second corner lies */
        double size;
    } shapes[DRAWING_MARKERS] = {{0, 0, 1, 1},    {4, 45, 1, 1.25},  {3, 0, 1, 1.35},
                                 {4, 0, 1, 1.35}, {3, 180, 1, 1.35}, {8, 0, 0.4, 1.5},
                                 {5, 0, 1, 1.2},  {8, 45, 0.4, 1.5}};
    int number = shape % DRAWING_MARKERS, corners = shapes[number].corners;
    if (corners == 0) {
        drawing_circle(drawing, at, radius, style);
        return;
    }
    for (int i = 0; i < corners; i++) {
        double angle = (shapes[number].first + 360.0 * i / corners) * DRAWING_PI / 180;
        double out = radius * shapes[number].size * (i % 2 ? shapes[number].inner : 1);
        drawing_line_to(drawing, at.x + out * sin(angle), at.y - out * cos(angle));
    }
    drawing_close(drawing);
    drawing_paint(drawing, style);
}

void drawing_text(Drawing *drawing, double x, double y, const char *string, DrawingFont font) {
    drawing->output->text(drawing, (DrawingPoint){x, y}, string, font);
}

void drawing_clip(Drawing *drawing, DrawingPoint corner, double width, double height) {
    drawing->output->clip(drawing, corner, width, height);
}

void drawing_unclip(Drawing *drawing) {
    drawing->output->unclip(drawing);
}

void drawing_next_page(Drawing *drawing) {
    assert(drawing->output->next_page);
    drawing->output->next_page(drawing);
}
