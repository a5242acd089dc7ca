/*
 * rank_diagram: mean ranks on a line, best on the left, and bars under those that cannot be told
 * apart: the critical-difference diagram of Demsar.
 */
#ifndef TETROPT_DRAW_RANK_DIAGRAM_H
#define TETROPT_DRAW_RANK_DIAGRAM_H

#include "draw/drawing.h"
#include "stats/friedman.h"

typedef struct RankDiagram {
    const char *title;
    const Friedman *friedman;
    const char *const *names; /* of the methods */
} RankDiagram;

/* How high the diagram is. */
double rank_diagram_height(const RankDiagram *diagram);

/* A DrawingDraw for a `const RankDiagram *`; PLOT_WIDTH wide. */
void rank_diagram_draw(Drawing *drawing, const void *diagram);

/* The same on a terminal of `columns`. */
void rank_diagram_text(const RankDiagram *diagram, int columns, Text *text);

/* The numbers as CSV, the best first. */
void rank_diagram_csv(const RankDiagram *diagram, Text *csv);

#endif
