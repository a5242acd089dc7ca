/*
 * animation: a game as one SVG that moves by itself (SMIL, no script), for web pages and mails that
 * show pictures. Viewers without SMIL show the final board.
 */
#ifndef TETROPT_DRAW_ANIMATION_H
#define TETROPT_DRAW_ANIMATION_H

#include "base/status.h"
#include "base/text.h"
#include "draw/frame.h"

enum { ANIMATION_MAX_STEPS = 2000 };

/* The rows of the board that an animation shows. Fails for more than ANIMATION_MAX_STEPS steps. */
bool animation_rows(const ViewGame *game, int *rows, Status *status);

/* Adds the SVG to `text`: `seconds` per piece, then the final board for a while, then from the
 * start again. Fails for more than ANIMATION_MAX_STEPS steps. */
bool animation_svg(const ViewGame *game, double seconds, Text *text, Status *status);

#endif
