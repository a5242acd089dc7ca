/*
 * field_view: the field of a game, single pieces, and rows of boards, drawn on a screen.
 *
 * A cell is two characters wide, about square on a terminal, or one where two do not fit. Without
 * colour the characters tell empty, stack, piece and ghost apart.
 */
#ifndef TETROPT_TERM_FIELD_VIEW_H
#define TETROPT_TERM_FIELD_VIEW_H

#include "engine/grid.h"
#include "term/screen.h"

typedef struct FieldView {
    const Grid *grid;
    Placement piece, ghost; /* .piece PIECE_NONE: none */
    uint64_t flash;         /* full rows, one bit each */
    int cell_columns;       /* characters per cell: 1 or 2 */
    int low, rows;          /* the rows that are shown: from `low` upwards */
} FieldView;

/* Draws it between two walls, with a floor below row 0; below another row it says how many rows are
 * not shown. */
void field_view_draw(const FieldView *view, int top, int left, Screen *screen);

/* The columns it takes; it takes one row more than it shows. */
static inline int field_view_columns(const FieldView *view) {
    return view->cell_columns * view->grid->width + 2;
}

/* A single piece in the north state, two characters per cell, two rows; `dim` when it cannot be
 * used. */
void field_view_piece(Piece piece, bool dim, int top, int left, Screen *screen);

/* A board with lines of text below it, for pages of several. */
typedef struct FieldCaption {
    const Grid *grid;
    const char *lines[3]; /* NULL: none */
} FieldCaption;

/* Draws as many boards as fit side by side and below each other, each with its caption, from row
 * `top` on, in one-character cells when two do not fit; of every board as many rows from the floor
 * as the tallest needs. Returns how many were drawn. */
int field_view_boards(const FieldCaption *boards, int count, int top, Screen *screen);

#endif
