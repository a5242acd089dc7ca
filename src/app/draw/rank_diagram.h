/*
 * rank_diagram: mean ranks on a line, best on the left, and bars under those that do not differ
 * significantly: the critical-difference diagram of Demsar.
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

/* The diagram as a page, PLOT_WIDTH wide; it points to `diagram`. */
DrawingPage rank_diagram_page(const RankDiagram *diagram);

/* The diagram as text for a terminal of `columns`. */
void rank_diagram_text(const RankDiagram *diagram, int columns, Text *text);

/* The numbers of a `const RankDiagram *` as CSV, the best first. */
void rank_diagram_csv(const void *diagram, Text *csv);

#endif
