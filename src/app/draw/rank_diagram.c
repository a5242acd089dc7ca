/*
 * rank_diagram: an axis of ranks, lines from it to the names on both sides, and one bar for every
 * group of methods whose ranks do not differ significantly.
 */
#include "draw/rank_diagram.h"

#include "draw/axis.h"
#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE 190.0    /* width of the names */
#define TOP 84.0      /* of the axis */
#define ROW 21.0      /* between names */
#define GROUP_ROW 9.0 /* between bars */

typedef struct Order {
    int methods[FRIEDMAN_MAX_METHODS];
    FriedmanGroup groups[FRIEDMAN_MAX_METHODS];
    int group_count;
} Order;

static Order order_of(const Friedman *friedman) {
    Order order;
    order.group_count = friedman_groups(friedman, order.methods, order.groups);
    return order;
}

/* Names begin below the bars. */
static double names_top(const Order *order) {
    return TOP + 16 + order->group_count * GROUP_ROW + 10;
}

static void draw_scale(Drawing *drawing, const Axis *axis, const Friedman *friedman) {
    DrawingStyle line = {.stroke = PALETTE_SOFT, .width = 1.2};
    DrawingFont font = {.size = 11.5, .anchor = DRAWING_MIDDLE, .color = PALETTE_SOFT};
    drawing_line(drawing, axis->from, TOP, axis->to, TOP, line);
    int every = friedman->methods > 12 ? 2 : 1;
    for (int rank = 1; rank <= friedman->methods; rank += every) {
        char label[16];
        snprintf(label, sizeof label, "%d", rank);
        double x = axis_place(axis, rank);
        drawing_line(drawing, x, TOP - 6, x, TOP, line);
        drawing_text(drawing, x, TOP - 10, label, font);
    }
    font.anchor = DRAWING_RIGHT;
    drawing_text(drawing, axis->from - 10, TOP + 4, "mean rank (1 is best)", font);
    /* The critical difference as a length, over the best rank. */
    double from = axis_place(axis, 1), to = axis_place(axis, 1 + friedman->critical_difference);
    char label[64];
    snprintf(label, sizeof label, "critical difference %.2f", friedman->critical_difference);
    if (to > axis->to) {
        snprintf(label, sizeof label, "critical difference %.2f, more than the axis is long",
                 friedman->critical_difference);
        to = axis->to;
    }
    DrawingStyle bar = {.stroke = PALETTE_TEXT, .width = 1.6};
    drawing_line(drawing, from, 53, to, 53, bar);
    drawing_line(drawing, from, 49, from, 57, bar);
    drawing_line(drawing, to, 49, to, 57, bar);
    drawing_text(drawing, from, 45, label,
                 (DrawingFont){.size = 11.5, .color = PALETTE_TEXT, .anchor = DRAWING_LEFT});
}

/* The better half of the names on the left, the others on the right, the outermost lowest. */
static void draw_name(Drawing *drawing, const RankDiagram *diagram, const Axis *axis,
                      const Order *order, int place) {
    int methods = diagram->friedman->methods, half = (methods + 1) / 2;
    int method = order->methods[place];
    bool left = place < half;
    int row = left ? place : methods - 1 - place;
    double rank = diagram->friedman->mean_ranks[method];
    double x = axis_place(axis, rank), y = names_top(order) + row * ROW + 8;
    double side = left ? axis->from - 8 : axis->to + 8;
    drawing_move(drawing, x, TOP);
    drawing_line_to(drawing, x, y);
    drawing_line_to(drawing, side, y);
    drawing_paint(drawing, (DrawingStyle){.stroke = PALETTE_SOFT});
    drawing_marker(drawing, 0, (DrawingPoint){x, TOP}, 3,
                   (DrawingStyle){.stroke = PALETTE_CARD, .fill = PALETTE_SERIES, .width = 0.6});
    Text label = {0};
    if (left)
        text_format(&label, "%s  %.2f", diagram->names[method], rank);
    else
        text_format(&label, "%.2f  %s", rank, diagram->names[method]);
    drawing_text(drawing, left ? side - 4 : side + 4, y + 4, label.data ? label.data : "",
                 (DrawingFont){.size = 12,
                               .anchor = left ? DRAWING_RIGHT : DRAWING_LEFT,
                               .color = PALETTE_TEXT});
    text_release(&label);
}

static void draw(Drawing *drawing, const void *data) {
    const RankDiagram *diagram = data;
    const Friedman *friedman = diagram->friedman;
    Order order = order_of(friedman);
    Axis axis = {.low = 1, .high = friedman->methods, .from = SIDE, .to = PLOT_WIDTH - SIDE};
    drawing_text(drawing, 12, 27, diagram->title,
                 (DrawingFont){.size = 15, .color = PALETTE_TEXT, .bold = true});
    draw_scale(drawing, &axis, friedman);
    for (int place = 0; place < friedman->methods; place++)
        draw_name(drawing, diagram, &axis, &order, place);
    for (int i = 0; i < order.group_count; i++) {
        double y = TOP + 14 + i * GROUP_ROW;
        double from = friedman->mean_ranks[order.methods[order.groups[i].first]];
        double to = friedman->mean_ranks[order.methods[order.groups[i].last]];
        drawing_line(drawing, axis_place(&axis, from) - 4, y, axis_place(&axis, to) + 4, y,
                     (DrawingStyle){.stroke = PALETTE_SERIES + 1, .width = 4});
    }
}

DrawingPage rank_diagram_page(const RankDiagram *diagram) {
    Order order = order_of(diagram->friedman);
    return (DrawingPage){.draw = draw,
                         .data = diagram,
                         .width = PLOT_WIDTH,
                         .height =
                             names_top(&order) + (diagram->friedman->methods + 1) / 2 * ROW + 12,
                         .label = diagram->title};
}

/* ---- text */

void rank_diagram_text(const RankDiagram *diagram, int columns, Text *text) {
    const Friedman *friedman = diagram->friedman;
    Order order = order_of(friedman);
    size_t widest = 0;
    for (int i = 0; i < friedman->methods; i++)
        widest = strlen(diagram->names[i]) > widest ? strlen(diagram->names[i]) : widest;
    int width = columns - (int)widest - 12;
    width = width < 10 ? 10 : width > 60 ? 60 : width;
    for (int place = 0; place < friedman->methods; place++) {
        int method = order.methods[place];
        double part = (friedman->mean_ranks[method] - 1) / (friedman->methods - 1);
        text_format(text, "  %-*s %5.2f |%*s*%*s|", (int)widest, diagram->names[method],
                    friedman->mean_ranks[method], (int)(part * width + 0.5), "",
                    width - (int)(part * width + 0.5), "");
        /* A letter for each group that the method belongs to. */
        for (int i = 0; i < order.group_count; i++) {
            bool member = place >= order.groups[i].first && place <= order.groups[i].last;
            text_format(text, " %c", member ? 'a' + i % 26 : ' ');
        }
        while (text->length > 0 && text->data[text->length - 1] == ' ')
            text->data[--text->length] = '\0';
        text_add_char(text, '\n');
    }
    text_format(text, "  Critical difference of mean ranks: %.3f%s\n",
                friedman->critical_difference,
                order.group_count ? "; a common letter: cannot be told apart" : "");
}

void rank_diagram_csv(const void *data, Text *csv) {
    const RankDiagram *diagram = data;
    text_add(csv, "place,mean_rank,critical_difference,name\n");
    Order order = order_of(diagram->friedman);
    for (int i = 0; i < diagram->friedman->methods; i++) {
        int method = order.methods[i];
        text_format(csv, "%d,%.10g,%.10g,", i + 1, diagram->friedman->mean_ranks[method],
                    diagram->friedman->critical_difference);
        text_add_csv(csv, diagram->names[method]);
        text_add_char(csv, '\n');
    }
}
