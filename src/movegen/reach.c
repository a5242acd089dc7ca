#include "movegen/reach.h"

#include "movegen/kernel.h"

int reach_count(const Columns *columns, Piece piece, bool rotate180) {
    ReachSet set;
    kernel_best()->find(columns, piece, rotate180, &set);
    int count = 0;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++)
        for (int x = 0; x < columns->width; x++)
            count += __builtin_popcountll(set.locks[r][x]);
    return count;
}

int reach_list(const Columns *columns, Piece piece, bool rotate180, Placement out[REACH_MAX]) {
    ReachSet set;
    kernel_best()->find(columns, piece, rotate180, &set);
    int count = 0;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++)
        for (int x = 0; x < columns->width; x++)
            for (uint64_t bits = set.locks[r][x]; bits; bits &= bits - 1)
                out[count++] = (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x,
                                           (int8_t)__builtin_ctzll(bits), SPIN_NONE};
    return count;
}

int reach_list_spins(const Columns *columns, Piece piece, bool rotate180,
                     Placement out[REACH_SPINS_MAX]) {
    if (piece != PIECE_T)
        return reach_list(columns, piece, rotate180, out);
    ReachSpins spins;
    kernel_best()->find_spins(columns, rotate180, &spins);
    int count = 0;
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < columns->width; x++) {
            uint64_t bits = spins.labels[SPIN_NONE].locks[r][x] |
                            spins.labels[SPIN_MINI].locks[r][x] |
                            spins.labels[SPIN_FULL].locks[r][x];
            for (; bits; bits &= bits - 1)
                for (int label = 0; label < SPIN_COUNT; label++)
                    if (spins.labels[label].locks[r][x] & bits & -bits)
                        out[count++] = (Placement){PIECE_T, (uint8_t)r, (int8_t)x,
                                                   (int8_t)__builtin_ctzll(bits), (uint8_t)label};
        }
    return count;
}

bool reach_contains(const Columns *columns, Placement placement, bool rotate180, bool with_spin) {
    placement = placement_canonical(placement);
    if (placement.x < 0 || placement.x >= columns->width || placement.y < 0 ||
        placement.y >= columns->height + BOARD_HIDDEN_ROWS)
        return false;
    if (with_spin && placement.piece == PIECE_T) {
        ReachSpins spins;
        kernel_best()->find_spins(columns, rotate180, &spins);
        return spins.labels[placement.spin].locks[placement.rotation][placement.x] >> placement.y &
               1;
    }
    if (with_spin && placement.spin != SPIN_NONE)
        return false;
    ReachSet set;
    kernel_best()->find(columns, (Piece)placement.piece, rotate180, &set);
    return set.locks[placement.rotation][placement.x] >> placement.y & 1;
}

int drop_list(const Columns *columns, Piece piece, Placement out[DROP_MAX]) {
    int heights[BOARD_MAX_WIDTH], count = 0;
    for (int x = 0; x < columns->width; x++)
        heights[x] = columns_height(columns->column[x]);
    for (int r = 0; r < piece_distinct_rotations[piece]; r++) {
        const Shape *shape = &piece_shapes[piece][r];
        for (int x = -shape->min_x; x + shape->max_x < columns->width; x++) {
            int y = -shape->min_y;
            for (int i = 0; i <= shape->max_x - shape->min_x; i++) {
                int rest = heights[x + shape->min_x + i] - shape->bottom[i];
                y = rest > y ? rest : y;
            }
            if (y + shape->max_y < columns->height + BOARD_HIDDEN_ROWS)
                out[count++] =
                    (Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x, (int8_t)y, SPIN_NONE};
        }
    }
    return count;
}
