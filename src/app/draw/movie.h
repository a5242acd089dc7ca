/*
 * movie: a game as an animated GIF: pieces fall, full rows flash. The same as draw/animation, for
 * places that show no SVG.
 */
#ifndef TETROPT_DRAW_MOVIE_H
#define TETROPT_DRAW_MOVIE_H

#include "base/status.h"
#include "base/text.h"
#include "draw/frame.h"

/* Adds the GIF to `text`: `seconds` per piece, then the final board for a while. Fails for more
 * than ANIMATION_MAX_STEPS steps. */
bool movie_gif(const ViewGame *game, double seconds, Text *text, Status *status);

#endif
