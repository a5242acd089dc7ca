/* reach: the kernel's lists under `guideline`; under `drop` the tops of the columns say all. */
#include "movegen/reach.h"

#include "engine/game.h"
#include "movegen/kernel.h"
#include "movegen/reach_table.h"

/* What the vector code can do. */
static bool is_fast(unsigned moves) {
    return !(moves & (MOVES_SRS_PLUS | MOVES_ALL_SPIN));
}

/* The table of `moves`; the engine's own is made in `room`. */
static const KickTable *table_of(unsigned moves, KickTable *room) {
    if (moves & MOVES_SRS_PLUS)
        return &kicks_srs_plus_table;
    reach_table_srs(room);
    return room;
}

int reach_count(const Columns *columns, Piece piece, unsigned moves) {
    Placement list[REACH_MAX];
    return moves & MOVES_SRS_PLUS ? reach_list(columns, piece, moves, list)
                                  : kernel_best()->count(columns, piece, moves & MOVES_180);
}

int reach_list(const Columns *columns, Piece piece, unsigned moves, Placement out[REACH_MAX]) {
    if (moves & MOVES_SRS_PLUS)
        return reach_table_list(&kicks_srs_plus_table, columns, piece, true, out, REACH_MAX);
    return kernel_best()->list(columns, piece, moves & MOVES_180, out);
}

int reach_list_spins(const Columns *columns, Piece piece, unsigned moves,
                     Placement out[REACH_SPINS_MAX]) {
    KickTable room;
    if (!is_fast(moves))
        return reach_table_spins(table_of(moves, &room), columns, piece, moves, out,
                                 REACH_SPINS_MAX);
    if (piece != PIECE_T)
        return reach_list(columns, piece, moves, out);
    return kernel_best()->list_spins(columns, moves & MOVES_180, out);
}

bool reach_contains(const Columns *columns, Placement placement, unsigned moves, bool with_spin) {
    Placement list[REACH_SPINS_MAX];
    placement = placement_canonical(placement);
    int count = with_spin ? reach_list_spins(columns, (Piece)placement.piece, moves, list)
                          : reach_list(columns, (Piece)placement.piece, moves, list);
    for (int i = 0; i < count; i++)
        if (placement_same_cells(list[i], placement) &&
            (!with_spin || list[i].spin == placement.spin))
            return true;
    return false;
}

/* Where a piece comes to rest that falls from above the stack with its centre in column x. */
static int drop_y(const Columns *columns, const Shape *shape, int x) {
    int y = -shape->min_y;
    for (int i = 0; i <= shape->max_x - shape->min_x; i++) {
        int rest = columns_height(columns->column[x + shape->min_x + i]) - shape->bottom[i];
        y = rest > y ? rest : y;
    }
    return y;
}

int drop_list(const Columns *columns, Piece piece, Placement out[DROP_MAX]) {
    int count = 0;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++) {
        const Shape *shape = &piece_shapes[piece][r];
        for (int x = -shape->min_x; x + shape->max_x < columns->width; x++) {
            int y = drop_y(columns, shape, x);
            if (y + shape->max_y < columns->height + BOARD_HIDDEN_ROWS)
                out[count++] =
                    (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x, (int8_t)y, SPIN_NONE};
        }
    }
    return count;
}

bool drop_contains(const Columns *columns, Placement placement) {
    Placement same = placement_canonical(placement);
    const Shape *shape = &piece_shapes[same.piece][same.rotation];
    return same.x + shape->min_x >= 0 && same.x + shape->max_x < columns->width &&
           same.y == drop_y(columns, shape, same.x) &&
           same.y + shape->max_y < columns->height + BOARD_HIDDEN_ROWS;
}
