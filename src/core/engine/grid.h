/*
 * grid: the board with its colours, for display and for files. One character per cell: '.' or the
 * letter of the piece that filled it, 'G' for given grey cells. Slow and simple; the searches never
 * see it.
 */
#ifndef TETROPT_ENGINE_GRID_H
#define TETROPT_ENGINE_GRID_H

#include "base/status.h"
#include "engine/board.h"
#include "engine/placement.h"

typedef struct Grid {
    uint8_t width, height;
    char cells[BOARD_MAX_ROWS][BOARD_MAX_WIDTH]; /* [y][x] */
} Grid;

/* An empty grid; the sizes as for board_init. */
void grid_init(Grid *grid, int width, int height);

/* Rows that a cell can be in. */
static inline int grid_rows(const Grid *grid) {
    return grid->height + BOARD_HIDDEN_ROWS;
}

/* The rows from the floor to the highest filled one. */
int grid_highest(const Grid *grid);

/* Sets row y from `length` characters: '.' or ' ' empty, IOTSZJL, G or # filled. False with
 * `status`, the row perhaps half set, when there are not `width` of them or one is not a cell. */
bool grid_set_row(Grid *grid, int y, const char *text, size_t length, Status *status);

/* Fails when a row is full (such a board cannot occur) and names it, counted from the bottom. */
bool grid_check(const Grid *grid, Status *status);

void grid_to_board(const Grid *grid, Board *board);

/* Locks a piece and clears the full lines; returns how many, and where they were in *rows (may be
 * NULL). */
int grid_lock(Grid *grid, Placement placement, uint64_t *rows);

/* Lifts everything by one row and fills the floor row with grey cells except column `hole`. */
void grid_rise(Grid *grid, int hole);

/* Fills the cells of a piece with `mark`; nothing is removed. */
void grid_mark(Grid *grid, Placement placement, char mark);

#endif
