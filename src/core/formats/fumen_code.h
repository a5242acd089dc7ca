/*
 * fumen_code: the numbers of the format, shared by its reader and its writer.
 *
 * A fumen is digits to the base 64, the lowest first: two for a run of cells (difference * cells of
 * the field + length - 1), three for what a page does, five for four characters of a comment.
 */
#ifndef TETROPT_FORMATS_FUMEN_CODE_H
#define TETROPT_FORMATS_FUMEN_CODE_H

#include "formats/fumen.h"

/* The 64 digits; their order is the value. */
extern const char fumen_digits[65];

/* Cells by their number: empty, I, L, O, Z, T, J, S, grey. Pieces have the number of their cells.
 */
extern const char fumen_cells[10];

enum {
    FUMEN_CELL_COUNT = 9,
    FUMEN_SAME = 8,       /* added to differences of cells, so that they are not negative */
    FUMEN_MAX_REPEAT = 63 /* further unchanged pages in one count */
};

/* The number of a cell's letter. */
int fumen_cell_number(char cell);

/* How far the format's origin of a piece lies from the rotation centre. */
Cell fumen_origin_shift(Piece piece, Rotation rotation);

/* Rotations have other numbers there: south 0, east 1, north 2, west 3. */
static inline int fumen_rotation_number(Rotation rotation) {
    return (ROTATION_COUNT + SOUTH - (int)rotation) % ROTATION_COUNT;
}

static inline Rotation fumen_rotation_from_number(int number) {
    return (Rotation)((ROTATION_COUNT + SOUTH - number) % ROTATION_COUNT);
}

/* True when all four cells are inside the field. */
bool fumen_placement_inside(Placement placement);

/* Adds `comment` (UTF-8) escaped as JavaScript's escape() does, at most FUMEN_MAX_COMMENT
 * characters; bad UTF-8 becomes U+FFFD. */
void fumen_escape(const char *comment, Text *escaped);

/* The way back: adds UTF-8. Everything else stays as it is; half a surrogate pair and NUL become
 * U+FFFD. */
void fumen_unescape(const char *escaped, size_t length, Text *comment);

#endif
