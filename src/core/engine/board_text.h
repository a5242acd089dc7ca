/*
 * board_text: boards as text, top row first, one character per cell.
 *
 * The last line is the floor, so a text of few rows is a low board and needs no empty rows on top.
 */
#ifndef TETROPT_ENGINE_BOARD_TEXT_H
#define TETROPT_ENGINE_BOARD_TEXT_H

#include "base/text.h"
#include "engine/grid.h"

/* Reads rows from `text` into a grid that was initialised with its size. At most height + 20 rows;
 * empty lines at the end are ignored. Messages name the line. */
bool board_text_read(Grid *grid, const char *text, size_t length, Status *status);

/* Writes the rows from the highest filled one down (at least `least` of them), a line each. */
void board_text_write(const Grid *grid, int least, Text *text);

#endif
