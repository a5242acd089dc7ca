/*
 * panel: the parts of a board's picture: the empty field, the cells with the edges between pieces,
 * full rows, walls. Pictures and animations are made of them.
 */
#ifndef TETROPT_DRAW_PANEL_H
#define TETROPT_DRAW_PANEL_H

#include "draw/drawing.h"
#include "draw/frame.h"

typedef struct Panel {
    const Frame *frame;
    int rows;         /* the lowest rows of the board, which are shown */
    int fresh;        /* the step whose piece stands out from muted ones; 0: none, all stand out */
    double left, top; /* the upper left corner of the cells */
    double cell;      /* the size of a cell */
} Panel;

void panel_field(Drawing *drawing, const Panel *panel);

/* The cells of all steps except the fresh one. */
void panel_stack(Drawing *drawing, const Panel *panel);

/* The cells of the fresh step, with an outline. */
void panel_piece(Drawing *drawing, const Panel *panel);

/* Hatches full rows, and marks them at the walls, which also shows in a small panel. */
void panel_full_rows(Drawing *drawing, const Panel *panel);

/* Adds the full rows to the path. */
void panel_add_full_rows(Drawing *drawing, const Panel *panel);

/* The walls, and a dashed line where the hidden rows begin. */
void panel_walls(Drawing *drawing, const Panel *panel);

#endif
