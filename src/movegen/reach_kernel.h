/*
 * reach_kernel: where a piece can lock, computed for whole sets of positions at once. A template on
 * top of lanes.h, which says what to define before including it.
 *
 * A position is the row and column of the rotation centre; a set of them is a vector for each
 * state. Positions of states that fill the same cells (north and south of I, S, Z; all of O) are
 * written in the coordinates of the state that stands first, so that such states share the set of
 * places where they fit. A move, or a kick, is a shift of the set and an AND with the set of places
 * where the piece fits.
 *
 * Two ways to begin. When there are three free rows between the stack and the row above the
 * spawn's, the piece can be turned and brought over every column, so all that can be fallen to from
 * there is reached at once (`open`); that needs only lanes as high as the stack. Otherwise the
 * flood begins at the one position of the spawn, in lanes that hold the ceiling too.
 */
#include "engine/columns.h"
#include "movegen/kernel.h"
#include "movegen/kernel_tables.h"
#include "movegen/lanes.h"

#define Flood FN(Flood)

typedef struct Flood {
    Vec fits[ROTATION_COUNT];    /* where the piece overlaps nothing */
    Vec reached[ROTATION_COUNT]; /* the part of it known to be reachable */
    Vec rests[ROTATION_COUNT];   /* the part of `fits` where it cannot fall */
} Flood;

/* The free cells. Outside the walls, under the floor and above the ceiling nothing is free; above
 * lanes that do not hold the ceiling everything is. */
INLINE Vec FN(free)(const Columns *columns) {
    static const Lane inside[32] = {(Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1};
    Lane rows[16];
    for (int x = 0; x < 16; x++)
        rows[x] = (Lane)~columns->column[x];
    Vec free, columns_inside;
    memcpy(&free, rows, sizeof free);
    memcpy(&columns_inside, inside + 16 - columns->width, sizeof columns_inside);
#if LANE_BITS == 64
    free &= ((Lane)1 << (columns->height + BOARD_HIDDEN_ROWS)) - 1;
#endif
    return FN(reversed)(free) & columns_inside;
}

/* The free cells seen from dx, dy: those positions from which that cell is free. */
INLINE Vec FN(seen)(Vec free, const int dx, const int dy) {
    Vec seen = FN(rise)(free, -dy);
#if LANE_BITS < 64
    /* The top row is free in every column of the board, and so is what is above it. */
    if (dy > 0)
        seen |= free & 1;
#endif
    return FN(slide)(seen, -dx);
}

/* Where the piece fits. */
INLINE Vec FN(fits)(Vec free, const Piece piece, const int rotation) {
    const Cell *cells = kernel_shapes[piece][rotation].cells;
    return FN(seen)(free, cells[0].x, cells[0].y) & FN(seen)(free, cells[1].x, cells[1].y) &
           FN(seen)(free, cells[2].x, cells[2].y) & FN(seen)(free, cells[3].x, cells[3].y);
}

/* What turning the set `from` gives, the kicks tried in order, each by those for which the earlier
 * ones failed. What needs the fifth kick is added to *fifth instead, because it labels a spin. */
INLINE Vec FN(turned)(Vec from, Vec fits, const Piece piece, const int rotation, const Turn turn,
                      Vec *fifth) {
    const Cell *kicks = kernel_kicks[piece][rotation][turn];
    const int next = (rotation + (turn == TURN_CLOCKWISE ? 1 : 3)) & 3;
    const int shift_x = kernel_shifts[piece][next].x - kernel_shifts[piece][rotation].x;
    const int shift_y = kernel_shifts[piece][next].y - kernel_shifts[piece][rotation].y;
    Vec to = {0}, hit;
#define KICK(k, target)                                                                            \
    hit = from & FN(moved)(fits, -(kicks[k].x + shift_x), -(kicks[k].y + shift_y));                \
    target |= FN(moved)(hit, kicks[k].x + shift_x, kicks[k].y + shift_y);                          \
    from ^= hit;
    KICK(0, to)
    KICK(1, to)
    KICK(2, to)
    KICK(3, to)
    KICK(4, *fifth)
#undef KICK
    return to;
}

INLINE Vec FN(half_turned)(Vec from, Vec fits, const Piece piece, const int rotation) {
    const Cell *shifts = kernel_shifts[piece];
    const int next = rotation ^ 2;
    return fits & FN(moved)(from, shifts[next].x - shifts[rotation].x,
                            shifts[next].y - shifts[rotation].y);
}

/* Quarter turns leave the cells of O where they are, so any state can be had anywhere; a plain half
 * turn about the centre, which is a corner cell, moves it by a diagonal that depends on the state.
 */
INLINE Vec FN(half_turned_square)(Vec from, Vec fits) {
    Vec sides = FN(slide)(from, 1) | FN(slide)(from, -1);
    return fits & (FN(rise)(sides, 1) | FN(rise)(sides, -1));
}

/* Left, right and down. */
INLINE Vec FN(settled)(Vec reached, Vec fits) {
    reached |= (FN(slide)(reached, 1) | FN(slide)(reached, -1)) & fits;
    return FN(fallen)(reached, fits);
}

/* All that turns into a state; what the fifth kick brings is added to *fifth instead. */
INLINE Vec FN(turned_into)(const Flood *flood, const Piece piece, const int rotation,
                           bool rotate180, Vec *fifth) {
    const Vec *reached = flood->reached, fits = flood->fits[rotation];
    const int before = (rotation + 3) & 3, after = (rotation + 1) & 3;
    Vec to = FN(turned)(reached[before], fits, piece, before, TURN_CLOCKWISE, fifth) |
             FN(turned)(reached[after], fits, piece, after, TURN_COUNTER, fifth);
    if (rotate180)
        to |= FN(half_turned)(reached[rotation ^ 2], fits, piece, rotation ^ 2);
    return to;
}

/* The resting places not reached yet, of all states together. */
INLINE Vec FN(unreached)(const Flood *flood, const Piece piece) {
    const Vec *rests = flood->rests, *reached = flood->reached;
    if (piece == PIECE_O)
        return rests[0] & ~reached[0];
    if (piece == PIECE_I || piece == PIECE_S || piece == PIECE_Z)
        return (rests[0] & ~(reached[0] | reached[2])) | (rests[1] & ~(reached[1] | reached[3]));
    return (rests[0] & ~reached[0]) | (rests[1] & ~reached[1]) | (rests[2] & ~reached[2]) |
           (rests[3] & ~reached[3]);
}

/* Spreads until nothing changes, or until every resting place is reached if that is enough. */
INLINE void FN(spread)(Flood *flood, const Piece piece, bool rotate180, const bool to_the_end) {
    Vec *reached = flood->reached, *fits = flood->fits;
    while (to_the_end || FN(any)(FN(unreached)(flood, piece))) {
        Vec before[ROTATION_COUNT] = {reached[0], reached[1], reached[2], reached[3]};
        reached[0] = FN(settled)(reached[0], fits[0]);
        if (piece == PIECE_O) {
            if (rotate180)
                reached[0] |= FN(half_turned_square)(reached[0], fits[0]);
        } else {
            reached[1] = FN(settled)(reached[1], fits[1]);
            reached[2] = FN(settled)(reached[2], fits[2]);
            reached[3] = FN(settled)(reached[3], fits[3]);
#define TURN(r) reached[r] |= FN(turned_into)(flood, piece, r, rotate180, &reached[r]);
            TURN(0) TURN(1) TURN(2) TURN(3)
#undef TURN
        }
        if (!FN(any)((before[0] ^ reached[0]) | (before[1] ^ reached[1]) |
                     (before[2] ^ reached[2]) | (before[3] ^ reached[3])))
            break;
    }
}

INLINE Lane FN(spawn_row)(const Columns *columns) {
    return (Lane)((Lane)1 << (LANES_TOP - (columns->height - 1)));
}

/* The spawn position alone; only where the lanes are that high. */
INLINE Vec FN(spawn)(const Columns *columns) {
    Lane rows[16] = {0};
    rows[columns->width / 2 - 1] = FN(spawn_row)(columns);
    Vec spawn;
    memcpy(&spawn, rows, sizeof spawn);
    return spawn;
}

/* What fits, rests and is reached before the first turn. */
INLINE void FN(begin)(Flood *flood, const Columns *columns, const Piece piece, bool open) {
    const Vec free = FN(free)(columns);
    const bool twins = piece == PIECE_I || piece == PIECE_S || piece == PIECE_Z;
    Vec *fits = flood->fits;
    fits[0] = FN(fits)(free, piece, 0);
    fits[1] = piece == PIECE_O ? (Vec){0} : FN(fits)(free, piece, 1);
    fits[2] = piece == PIECE_O ? (Vec){0} : twins ? fits[0] : FN(fits)(free, piece, 2);
    fits[3] = piece == PIECE_O ? (Vec){0} : twins ? fits[1] : FN(fits)(free, piece, 3);
    /* The row from which the piece can fall; where the ceiling is not in the lanes, their top. */
    Lane row = LANE_BITS < 64 ? 1 : FN(spawn_row)(columns);
    Vec spawn = open ? (Vec){0} : FN(spawn)(columns);
#define BEGIN(r)                                                                                   \
    flood->rests[r] = fits[r] & ~FN(rise)(fits[r], 1);                                             \
    flood->reached[r] = FN(fallen)(fits[r] & (open       ? FN(splat)(row)                          \
                                              : (r) == 0 ? spawn                                   \
                                                         : (Vec){0}),                              \
                                   fits[r]);
    BEGIN(0) BEGIN(1) BEGIN(2) BEGIN(3)
#undef BEGIN
}

/* Lays the sets of states with the same cells on each other. */
INLINE void FN(locks)(const Flood *flood, const Piece piece, Vec locks[ROTATION_COUNT]) {
    const Vec *rests = flood->rests, *reached = flood->reached;
    const bool twins = piece == PIECE_I || piece == PIECE_S || piece == PIECE_Z;
    locks[0] = rests[0] & (twins ? reached[0] | reached[2] : reached[0]);
    locks[1] = rests[1] & (twins ? reached[1] | reached[3] : reached[1]);
    locks[2] = twins ? (Vec){0} : rests[2] & reached[2];
    locks[3] = twins ? (Vec){0} : rests[3] & reached[3];
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
    Vec locks[ROTATION_COUNT];
    FN(begin)(&flood, columns, piece, open);
    FN(spread)(&flood, piece, rotate180, false);
    FN(locks)(&flood, piece, locks);
    FN(store)(locks[0], set->locks[0]);
    FN(store)(locks[1], set->locks[1]);
    FN(store)(locks[2], set->locks[2]);
    FN(store)(locks[3], set->locks[3]);
}

/* Where T rests under each label. The label is that of the last action: a turn with three filled
 * corners around the centre makes a spin; a move, or a turn with fewer, makes none. */
INLINE void FN(label)(const Flood *flood, const Vec corners[4], Vec spawn, const int rotation,
                      bool rotate180, ReachSpins *spins) {
    Vec fits = flood->fits[rotation], rests = flood->rests[rotation];
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
    FN(begin)(&flood, columns, PIECE_T, open);
    FN(spread)(&flood, PIECE_T, rotate180, true);
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

#undef Flood
#include "movegen/lanes_end.h"
