/*
 * area: the rows that are to be filled, as one 64-bit word, and where pieces can lock in them.
 *
 * Rows keep their original numbers: a row that is cleared stays in the word as a full row, and the
 * pieces above and below it are said to skip it. So a set of filled cells says everything about the
 * board, in whichever order the pieces came: full rows have been cleared, the others are stacked on
 * each other. Cell (x, y) is bit x * lines + y.
 *
 * Invariant: no cell is filled above the area, and the start has no full row.
 */
#ifndef TETROPT_CLEARS_AREA_H
#define TETROPT_CLEARS_AREA_H

#include "base/status.h"
#include "clears/kicks.h"
#include "engine/columns.h"
#include "engine/placement.h"

typedef uint64_t Cells;

typedef enum ClearsDrop { DROP_SOFT, DROP_HARD, DROP_180 } ClearsDrop;
#define CLEARS_DROP_CHOICES "soft|hard|180"

/* Writes the places where a piece can lock, at most REACH_MAX; returns their number. */
typedef int ClearsList(const void *context, const Columns *columns, Piece piece, Placement *out);

/* How a piece gets to its place. */
typedef struct ClearsRules {
    ClearsDrop drop;
    const KickTable *kicks; /* NULL: those of the Super Rotation System */
    ClearsList *list;       /* in place of both, for callers that allow fewer places; may be NULL */
    const void *context;    /* of `list` */
} ClearsRules;

enum { AREA_MAX_LINES = 16, AREA_MAX_PIECES = 16 };

typedef struct Area {
    int width, lines, height;
    Cells start, full; /* what is filled at the beginning, and all cells */
    Cells column;      /* the cells of column 0 */
    Cells row;         /* the cells of row 0 */
    ClearsRules rules;
} Area;

/* An area of `lines` rows of a board. False with `status`: too large, cells above it. */
bool area_init(Area *area, const Board *board, int lines, const ClearsRules *rules, Status *status);

/* Empty cells / 4, or -1 when that is not an integer. */
int area_pieces(const Area *area);

/* The full rows, as bits. */
static inline unsigned area_full_rows(const Area *area, Cells cells) {
    Cells full = area->column;
    for (int x = 0; x < area->width; x++)
        full &= cells >> (x * area->lines);
    return (unsigned)full;
}

/* One place of a piece: its cells in the area, and the placement on the board as it is then. */
typedef struct Landing {
    Cells cells;
    Placement at;
} Landing;

enum { LANDINGS_MAX = 512 };

/* Every reachable resting place of the piece inside the area; returns their number. */
int area_landings(const Area *area, Cells filled, Piece piece, Landing out[LANDINGS_MAX]);

/* The board of a set of filled cells, its full rows cleared. */
void area_board(const Area *area, Cells filled, Board *board);
void area_columns(const Area *area, Cells filled, Columns *columns);

/* The cells of a placement on the board of `filled`; 0: it is not inside the area. */
Cells area_cells(const Area *area, Cells filled, Placement at);

/* The placement that fills these cells on the board of `filled`. False: there is none; the rows
 * between its own ones are not cleared yet, or something is in the way. */
bool area_placement(const Area *area, Cells filled, Piece piece, Cells cells, Placement *at);

#endif
