/* area: landings come from movegen on the board without its cleared rows, and are translated back
 * to the original rows. */
#include "clears/area.h"

#include "movegen/reach.h"

bool area_init(Area *area, const Board *board, int lines, const ClearsRules *rules,
               Status *status) {
    if (lines * board->width > 64)
        return status_option(status, "lines", "%d rows of %d columns are more than 64 cells", lines,
                             board->width);
    if (board_highest(board) > lines)
        return status_option(status, "lines", "%d, but the field is %d rows high", lines,
                             board_highest(board));
    *area = (Area){.width = board->width,
                   .lines = lines,
                   .height = board->height,
                   .column = ((Cells)1 << lines) - 1,
                   .rules = *rules};
    for (int x = 0; x < board->width; x++) {
        area->row |= (Cells)1 << (x * lines);
        for (int y = 0; y < lines; y++)
            if (board_cell(board, x, y))
                area->start |= (Cells)1 << (x * lines + y);
    }
    area->full = area->row * area->column;
    return true;
}

int area_pieces(const Area *area) {
    int empty = __builtin_popcountll(area->full & ~area->start);
    return empty % 4 == 0 ? empty / 4 : -1;
}

/* The bits of `column` that are not in `gone`, moved together; the highest first, so that the
 * others keep their numbers. */
static unsigned without(unsigned column, unsigned gone) {
    while (gone) {
        int y = 31 - __builtin_clz(gone);
        unsigned below = (1u << y) - 1;
        column = (column & below) | (column >> 1 & ~below);
        gone &= below;
    }
    return column;
}

void area_columns(const Area *area, Cells filled, Columns *columns) {
    unsigned gone = area_full_rows(area, filled);
    memset(columns, 0, sizeof *columns);
    columns->width = (uint8_t)area->width;
    columns->height = (uint8_t)area->height;
    for (int x = 0; x < area->width; x++)
        columns->column[x] = without((unsigned)(filled >> (x * area->lines) & area->column), gone);
}

void area_board(const Area *area, Cells filled, Board *board) {
    Columns columns;
    area_columns(area, filled, &columns);
    columns_to_board(&columns, board);
}

/* The original numbers of the rows that are left, from the lowest. */
static int rows_left(const Area *area, unsigned gone, int rows[AREA_MAX_LINES]) {
    int count = 0;
    for (int y = 0; y < area->lines; y++)
        if (!(gone >> y & 1))
            rows[count++] = y;
    return count;
}

static Cells cells_of(const Area *area, const int *rows, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    Cells cells = 0;
    for (int i = 0; i < 4; i++)
        cells |=
            (Cells)1 << ((at.x + shape->cells[i].x) * area->lines + rows[at.y + shape->cells[i].y]);
    return cells;
}

static bool inside(const Area *area, int count, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    return at.x + shape->min_x >= 0 && at.x + shape->max_x < area->width &&
           at.y + shape->min_y >= 0 && at.y + shape->max_y < count;
}

Cells area_cells(const Area *area, Cells filled, Placement at) {
    int rows[AREA_MAX_LINES], count = rows_left(area, area_full_rows(area, filled), rows);
    return inside(area, count, at) ? cells_of(area, rows, at) : 0;
}

static int list_places(const Area *area, const Columns *columns, Piece piece, Placement *places) {
    const ClearsRules *rules = &area->rules;
    if (rules->list)
        return rules->list(rules->context, columns, piece, places);
    if (rules->drop == DROP_HARD)
        return drop_list(columns, piece, places);
    if (rules->kicks)
        return kicks_list(rules->kicks, columns, piece, rules->drop == DROP_180, places, REACH_MAX);
    return reach_list(columns, piece, rules->drop == DROP_180, places);
}

int area_landings(const Area *area, Cells filled, Piece piece, Landing out[LANDINGS_MAX]) {
    int rows[AREA_MAX_LINES], left = rows_left(area, area_full_rows(area, filled), rows), count = 0;
    Columns columns;
    Placement places[REACH_MAX];
    area_columns(area, filled, &columns);
    int total = list_places(area, &columns, piece, places);
    Cells first[ROTATION_COUNT][AREA_MAX_LINES]; /* by rotation and row: in the first column */
    uint32_t known[ROTATION_COUNT] = {0};
    for (int i = 0; i < total && count < LANDINGS_MAX; i++) {
        Placement at = places[i];
        if (!inside(area, left, at))
            continue;
        const Shape *shape = &piece_shapes[piece][at.rotation];
        int y = at.y + shape->min_y;
        if (!(known[at.rotation] >> y & 1)) {
            Placement aside = at;
            aside.x = (int8_t)-shape->min_x;
            first[at.rotation][y] = cells_of(area, rows, aside);
            known[at.rotation] |= 1u << y;
        }
        out[count++] =
            (Landing){first[at.rotation][y] << ((at.x + shape->min_x) * area->lines), at};
    }
    return count;
}

bool area_placement(const Area *area, Cells filled, Piece piece, Cells cells, Placement *at) {
    int rows[AREA_MAX_LINES], left = rows_left(area, area_full_rows(area, filled), rows);
    int first_x = __builtin_ctzll(cells) / area->lines;
    if (cells & filled)
        return false;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++)
        for (int y = 0; y < left; y++) {
            const Shape *shape = &piece_shapes[piece][r];
            *at = (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)(first_x - shape->min_x),
                              (int8_t)(y - shape->min_y), SPIN_NONE};
            if (inside(area, left, *at) && cells_of(area, rows, *at) == cells)
                return true;
        }
    return false;
}
