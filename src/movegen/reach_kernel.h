/*
 * reach_kernel: the resting places of a piece on one board, on top of flood.h. A template, see
 * lanes.h.
 */
#include "engine/columns.h"
#include "movegen/kernel.h"

/* Turns lanes upside down. */
INLINE Vec FN(reversed)(Vec v) {
    const Lane ones = (Lane) ~(Lane)0;
    v = (v >> 1 & (Lane)(ones / 3)) | (v & (Lane)(ones / 3)) << 1;
    v = (v >> 2 & (Lane)(ones / 5)) | (v & (Lane)(ones / 5)) << 2;
    v = (v >> 4 & (Lane)(ones / 17)) | (v & (Lane)(ones / 17)) << 4;
    v = (v >> 8 & (Lane)(ones / 257)) | (v & (Lane)(ones / 257)) << 8;
#if LANE_BITS >= 32
    v = (v >> 16 & (Lane)(ones / 65537)) | (v & (Lane)(ones / 65537)) << 16;
#endif
#if LANE_BITS == 64
    v = v >> 32 | v << 32;
#endif
    return v;
}

/* The free cells of the board, as lanes. */
INLINE Vec FN(free)(const Columns *columns) {
    static const Lane inside[32] = {(Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1};
    Lane rows[16];
    for (int x = 0; x < 16; x++)
        rows[x] = (Lane)~columns->column[x];
    Vec free = FN(load)(rows) & FN(load)(inside + 16 - columns->width);
#if LANE_BITS == 64
    free &= ((Lane)1 << (columns->height + BOARD_HIDDEN_ROWS)) - 1;
#endif
    return FN(reversed)(free);
}

INLINE Lane FN(spawn_row)(const Columns *columns) {
    return (Lane)((Lane)1 << (LANE_TOP - (columns->height - 1)));
}

/* The spawn position alone; only where the lanes are that high. */
INLINE Vec FN(spawn)(const Columns *columns) {
    Lane rows[16] = {0};
    rows[columns->width / 2 - 1] = FN(spawn_row)(columns);
    return FN(load)(rows);
}

/* What is reached before the first turn. The row from which an open board is entered is the
 * spawn's, or the top of lanes that do not hold it. */
INLINE void FN(enter)(Flood *flood, const Columns *columns, const Piece piece, bool open) {
    Vec free = FN(free)(columns);
    if (LANE_BITS < 64)
        FN(begin)(flood, free, FN(splat)(1), piece, false);
    else if (open)
        FN(begin)(flood, free, FN(splat)(FN(spawn_row)(columns)), piece, false);
    else
        FN(begin)(flood, free, FN(spawn)(columns), piece, true);
}

INLINE void FN(store)(Vec locks, uint64_t out[BOARD_MAX_WIDTH]) {
    Lane rows[16];
    locks = FN(reversed)(locks);
    memcpy(rows, &locks, sizeof rows);
    for (int x = 0; x < 16; x++)
        out[x] = rows[x];
}

INLINE void FN(find_piece)(const Columns *columns, const Piece piece, bool open, bool rotate180,
                           ReachSet *set) {
    Flood flood;
    FN(enter)(&flood, columns, piece, open);
    FN(spread)(&flood, piece, rotate180);
    FN(store)(FN(locks)(&flood, piece, 0), set->locks[0]);
    FN(store)(FN(locks)(&flood, piece, 1), set->locks[1]);
    FN(store)(FN(locks)(&flood, piece, 2), set->locks[2]);
    FN(store)(FN(locks)(&flood, piece, 3), set->locks[3]);
}

/* Where T rests under each label. The label is that of the last action: a turn with three filled
 * corners around the centre makes a spin; a move, or a turn with fewer, makes none. */
INLINE void FN(label)(const Flood *flood, const Vec corners[4], Vec spawn, const int rotation,
                      bool rotate180, ReachSpins *spins) {
    Vec fits = flood->fits[rotation], rests = FN(rests)(flood, rotation);
    Vec reached = flood->reached[rotation], fifth = {0};
    Vec turned = FN(turned_into)(flood, PIECE_T, rotation, rotate180, &fifth);
    Vec moved = FN(slide)(reached, 1) | FN(slide)(reached, -1) | FN(rise)(reached, -1) | spawn;
    Vec three = (corners[0] & corners[1] & (corners[2] | corners[3])) |
                (corners[2] & corners[3] & (corners[0] | corners[1]));
    Vec front = corners[rotation] & corners[(rotation + 1) & 3];
    Vec none = (moved & fits) | (reached & ~three);
    FN(store)(rests & none, spins->labels[SPIN_NONE].locks[rotation]);
    FN(store)(rests & three & turned & ~front, spins->labels[SPIN_MINI].locks[rotation]);
    FN(store)(rests & three & (fifth | (turned & front)), spins->labels[SPIN_FULL].locks[rotation]);
}

TARGET static void FN(find_spins)(const Columns *columns, bool open, bool rotate180,
                                  ReachSpins *spins) {
    Flood flood;
    FN(enter)(&flood, columns, PIECE_T, open);
    FN(spread)(&flood, PIECE_T, rotate180);
    /* Every way into a place counts here, not only the first. */
    while (FN(round)(&flood, PIECE_T, rotate180))
        ;
    /* Clockwise from the upper left: the front of a state are its own and the next. */
    const Vec free = FN(free)(columns);
    const Vec corners[4] = {~FN(seen)(free, -1, 1), ~FN(seen)(free, 1, 1), ~FN(seen)(free, 1, -1),
                            ~FN(seen)(free, -1, -1)};
    const Vec none = {0}, spawn = open ? none : FN(spawn)(columns);
    FN(label)(&flood, corners, spawn, 0, rotate180, spins);
    FN(label)(&flood, corners, none, 1, rotate180, spins);
    FN(label)(&flood, corners, none, 2, rotate180, spins);
    FN(label)(&flood, corners, none, 3, rotate180, spins);
}

TARGET static void FN(find)(const Columns *columns, Piece piece, bool open, bool rotate180,
                            ReachSet *set) {
#define CASE(piece)                                                                                \
    case piece:                                                                                    \
        FN(find_piece)(columns, piece, open, rotate180, set);                                      \
        break;
    switch (piece) {
        CASE(PIECE_I)
        CASE(PIECE_O)
        CASE(PIECE_T)
        CASE(PIECE_S)
        CASE(PIECE_Z)
        CASE(PIECE_J)
        CASE(PIECE_L)
    case PIECE_COUNT:
        break;
    }
#undef CASE
}
