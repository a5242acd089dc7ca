/*
 * picture: games and boards as SVG, PNG and PDF, drawn with cairo.
 *
 * A game is a sheet of numbered panels, one a placement, read like a page: the piece just placed in
 * its full colour with an outline, older cells muted, rows that are about to go hatched and marked
 * at the walls. SVG and PNG are one sheet whose columns follow from the number of panels; PDF has
 * as many A4 pages as it needs.
 *
 * A build without cairo has these functions too; they fail with a message that says so.
 */
#ifndef TETROPT_DRAW_PICTURE_H
#define TETROPT_DRAW_PICTURE_H

#include "base/text.h"
#include "draw/frame.h"

typedef enum PictureFormat { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_COUNT } PictureFormat;

enum { PICTURE_MAX_PANELS = 2000 };

/* The format that the ending of a file name asks for, or -1 with `status`. */
int picture_format_of(const char *path, Status *status);

/* Draws a game of at most PICTURE_MAX_PANELS steps and adds the bytes of the file to `bytes`. */
bool picture_game(const ViewGame *game, PictureFormat format, Text *bytes, Status *status);

/* The same for one large board; `title` may be NULL. */
bool picture_board(const Grid *grid, const char *title, PictureFormat format, Text *bytes,
                   Status *status);

/* Draws a game into the file `path`, whose ending (.svg, .png, .pdf) names the format. The file is
 * replaced as a whole or left alone. */
bool picture_write(const char *path, const ViewGame *game, Status *status);

#endif
