/*
 * picture: games and boards as SVG, PNG and PDF.
 *
 * A game is a sheet of numbered panels, one per placement, read like a page: the piece just placed
 * in its full colour with an outline, older cells muted, full rows hatched and marked at the walls.
 * SVG and PNG are one sheet whose columns follow from the number of panels; PDF has as many A4
 * pages as it needs.
 */
#ifndef TETROPT_DRAW_PICTURE_H
#define TETROPT_DRAW_PICTURE_H

#include "draw/drawing.h"
#include "draw/frame.h"

enum { PICTURE_MAX_PANELS = 2000 };

/* Draws a game of at most PICTURE_MAX_PANELS steps and adds the bytes of the file to `bytes`. A
 * game without steps is one large board. */
bool picture_game(const ViewGame *game, DrawingFormat format, Text *bytes, Status *status);

#endif
