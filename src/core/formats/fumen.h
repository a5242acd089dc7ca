/*
 * fumen: fields, solutions and games as a short text that other Tetris tools read (fumen v115;
 * reading also takes v110, d115, m115 and addresses that contain one).
 *
 * A fumen is a list of pages. A page has a field, perhaps a piece and a comment; when it is left,
 * the piece is written into the field if it is locked, full rows go, and the row under the floor
 * may rise. A page's field is stored as its difference from what the page before leaves, so a game
 * of placements costs little more than three characters a piece. The format is
 * that of the npm package tetris-fumen, with which tests/npm compares it both ways.
 */
#ifndef TETROPT_FORMATS_FUMEN_H
#define TETROPT_FORMATS_FUMEN_H

#include "base/text.h"
#include "engine/grid.h"
#include "problem/decode.h"

enum {
    FUMEN_WIDTH = 10,
    FUMEN_ROWS = 23,
    FUMEN_MAX_PAGES = 10000,
    FUMEN_MAX_BYTES = 1 << 20,
    FUMEN_MAX_COMMENT = 4095 /* characters after escaping */
};

typedef struct FumenField {
    char cells[FUMEN_ROWS][FUMEN_WIDTH]; /* [y][x] as in Grid: '.', a piece's letter or 'G' */
    char under[FUMEN_WIDTH];             /* the row under the floor */
} FumenField;

typedef struct FumenPage {
    FumenField field;    /* before the piece */
    Placement placement; /* piece PIECE_NONE: there is none */
    bool lock;           /* the piece stays when the page is left */
    bool rise, mirror;   /* when the page is left: the row under the floor comes up; left and right
                            change places */
    bool colored;        /* today's colours of the pieces; set on the first page alone */
    const char *comment; /* UTF-8; NULL: as on the page before. A text that starts with #Q= is a
                            quiz, which readers change from page to page; here it stays */
} FumenPage;

/* What fumen_decode makes: the pages and the memory of their comments. */
typedef struct Fumen {
    FumenPage *pages;
    size_t count;
    Text comments;
} Fumen;

void fumen_field_init(FumenField *field);

/* An empty page: no piece, lock set. */
void fumen_page_init(FumenPage *page);

/* What is left of the page's field when it is left. */
void fumen_page_leave(const FumenPage *page, FumenField *field);

/* Adds "v115@..." to `text`. Fails when a piece is not inside the field; messages name the page. A
 * comment that is too long is cut. */
bool fumen_encode(const FumenPage *pages, size_t count, Text *text, Status *status);

/* Reads the first fumen in `text`. On success the caller calls fumen_release. Every page then has a
 * comment (perhaps empty). Messages name the page and the character. */
bool fumen_decode(const char *text, size_t length, Fumen *fumen, Status *status);

void fumen_release(Fumen *fumen);

/* True when `text` contains the mark of a fumen. */
bool fumen_is_inside(const char *text, size_t length);

/* True when a game on this board can be written: ten columns, and no cell and no piece above the
 * 23 rows, and no more pieces than fumen_decode takes pages. */
bool fumen_fits(const Grid *start, const DecodeStep *steps, int count);

/* A board as one page; a game as one page a piece. `comment` (may be NULL) goes on the first page.
 */
bool fumen_write_board(const Grid *grid, const char *comment, Text *text, Status *status);
bool fumen_write_game(const Grid *start, const DecodeStep *steps, int count, const char *comment,
                      Text *text, Status *status);

/* Reads a page's field (without its piece) into a grid that was initialised with its size. Fails
 * when the grid is not ten columns wide or a row is full. */
bool fumen_page_grid(const FumenPage *page, Grid *grid, Status *status);

/* The field of the first page of the fumen in `text`. */
bool fumen_read_board(const char *text, size_t length, Grid *grid, Status *status);

#endif
