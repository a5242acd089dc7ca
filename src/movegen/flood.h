/*
 * flood: where a piece can go, computed for whole sets of positions at once. A template on top of
 * lanes.h, which says what to define before including it.
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
#include "movegen/kernel_tables.h"
#include "movegen/lanes.h"

#define Flood FN(Flood)

/* Literal indices everywhere, so that all of it can live in registers. For O only state 0 is used.
 */
typedef struct Flood {
    Vec fits[ROTATION_COUNT];    /* where the piece overlaps nothing */
    Vec reached[ROTATION_COUNT]; /* the part of it known to be reachable */
} Flood;

/* The states that fill the same cells come in pairs. */
INLINE bool FN(twins)(const Piece piece) {
    return piece == PIECE_I || piece == PIECE_S || piece == PIECE_Z;
}

/* The free cells seen from dx, dy: those positions from which that cell is free. Outside the walls
 * and under the floor nothing is; above lanes that do not hold the ceiling everything is. */
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

/* Where the piece cannot fall. */
INLINE Vec FN(rests)(const Flood *flood, const int rotation) {
    return flood->fits[rotation] & ~FN(rise)(flood->fits[rotation], 1);
}

/* What turning the set `from` gives, the kicks tried in order, each by those for which the earlier
 * ones failed. Unless `fifth` is NULL, what needs the fifth kick is added there instead: it labels
 * a spin. Hits that go the same way sideways are collected first, lanes are dearer to move than
 * bits.
 */
INLINE Vec FN(turned)(Vec from, Vec fits, const Piece piece, const int rotation, const Turn turn,
                      Vec *fifth) {
    const Cell *kicks = kernel_kicks[piece][rotation][turn], *shifts = kernel_shifts[piece];
    const int next = (rotation + (turn == TURN_CLOCKWISE ? 1 : 3)) & 3;
    const int shift_x = shifts[next].x - shifts[rotation].x;
    const int shift_y = shifts[next].y - shifts[rotation].y;
    Vec hit, to = {0}, left2 = {0}, left = {0}, right = {0}, right2 = {0};
#define KICK(k)                                                                                    \
    {                                                                                              \
        const int dx = kicks[k].x + shift_x, dy = kicks[k].y + shift_y;                            \
        Vec target = FN(rise)(FN(slide)(fits, -dx), -dy);                                          \
        hit = FN(rise)(from & target, dy);                                                         \
        from &= ~target;                                                                           \
        if ((k) == 4 && fifth)                                                                     \
            *fifth |= FN(slide)(hit, dx);                                                          \
        else if (dx == -2)                                                                         \
            left2 |= hit;                                                                          \
        else if (dx == -1)                                                                         \
            left |= hit;                                                                           \
        else if (dx == 0)                                                                          \
            to |= hit;                                                                             \
        else if (dx == 1)                                                                          \
            right |= hit;                                                                          \
        else                                                                                       \
            right2 |= hit;                                                                         \
    }
    KICK(0)
    KICK(1)
    KICK(2)
    KICK(3) KICK(4)
#undef KICK
#define USED(dx)                                                                                   \
    (kicks[0].x + shift_x == (dx) || kicks[1].x + shift_x == (dx) ||                               \
     kicks[2].x + shift_x == (dx) || kicks[3].x + shift_x == (dx) ||                               \
     (!fifth && kicks[4].x + shift_x == (dx)))
        if (USED(-2)) to |= FN(slide)(left2, -2);
    if (USED(-1))
        to |= FN(slide)(left, -1);
    if (USED(1))
        to |= FN(slide)(right, 1);
    if (USED(2))
        to |= FN(slide)(right2, 2);
#undef USED
    return to;
}

INLINE Vec FN(half_turned)(Vec from, Vec fits, const Piece piece, const int rotation) {
    const Cell *shifts = kernel_shifts[piece];
    const int next = rotation ^ 2, dx = shifts[next].x - shifts[rotation].x;
    return fits & FN(slide)(FN(rise)(from, shifts[next].y - shifts[rotation].y), dx);
}

/* Quarter turns leave the cells of O where they are, so any state can be had anywhere; a plain half
 * turn about the centre, which is a corner cell, moves it by a diagonal that depends on the state.
 */
INLINE Vec FN(half_turned_square)(Vec from, Vec fits) {
    Vec sides = FN(slide)(from, 1) | FN(slide)(from, -1);
    return fits & (FN(rise)(sides, 1) | FN(rise)(sides, -1));
}

/* All that turns into a state; `fifth` as above. The kicks of all pieces but I are the same from
 * north as from south, so into east and west both turn together. */
INLINE Vec FN(turned_into)(const Flood *flood, const Piece piece, const int rotation,
                           bool rotate180, Vec *fifth) {
    const Vec *reached = flood->reached, fits = flood->fits[rotation];
    const int before = (rotation + 3) & 3, after = (rotation + 1) & 3;
    Vec to;
    if (piece != PIECE_I && (rotation & 1)) {
        Vec from = reached[0] | FN(rise)(reached[2], -kernel_shifts[piece][2].y);
        to = FN(turned)(from, fits, piece, 0, rotation == 1 ? TURN_CLOCKWISE : TURN_COUNTER, fifth);
    } else
        to = FN(turned)(reached[before], fits, piece, before, TURN_CLOCKWISE, fifth) |
             FN(turned)(reached[after], fits, piece, after, TURN_COUNTER, fifth);
    if (rotate180)
        to |= FN(half_turned)(reached[rotation ^ 2], fits, piece, rotation ^ 2);
    return to;
}

/* Left, right and down. */
INLINE Vec FN(settled)(Vec reached, Vec fits) {
    Vec sides = FN(or_and)(FN(slide)(reached, 1), FN(slide)(reached, -1), fits);
    return FN(fallen)(reached | sides, fits);
}

/* The states with the same cells laid on each other: where the piece locks. */
INLINE Vec FN(locks)(const Flood *flood, const Piece piece, const int rotation) {
    const Vec *reached = flood->reached;
    if (rotation >= 2 && (FN(twins)(piece) || piece == PIECE_O))
        return (Vec){0};
    if (rotation >= 1 && piece == PIECE_O)
        return (Vec){0};
    Vec any = FN(twins)(piece) ? reached[rotation] | reached[rotation ^ 2] : reached[rotation];
    return FN(rests)(flood, rotation) & any;
}

/* True when some resting place was not reached yet. */
INLINE bool FN(unreached)(const Flood *flood, const Piece piece) {
    const Vec *reached = flood->reached;
#define LEFT(r) (FN(rests)(flood, r) & ~reached[r])
#define LEFT_TWINS(r) (FN(rests)(flood, r) & ~(reached[r] | reached[(r) ^ 2]))
    if (piece == PIECE_O)
        return FN(any)(LEFT(0));
    if (FN(twins)(piece))
        return FN(any)(LEFT_TWINS(0) | LEFT_TWINS(1));
    return FN(any)(LEFT(0) | LEFT(1) | LEFT(2) | LEFT(3));
#undef LEFT
#undef LEFT_TWINS
}

/* One round of turns and moves, north and south into east and west and back; true when something
 * new was reached. Using the new east and west at once, and one step sideways after each turn, made
 * two rounds enough for 96 of 100 boards of seven pieces. */
INLINE bool FN(round)(Flood *flood, const Piece piece, bool rotate180) {
    Vec *reached = flood->reached, *fits = flood->fits;
    const Vec before[ROTATION_COUNT] = {reached[0], reached[1], reached[2], reached[3]};
    if (piece == PIECE_O) {
        if (rotate180)
            reached[0] |= FN(half_turned_square)(reached[0], fits[0]);
        reached[0] = FN(settled)(reached[0], fits[0]);
        return FN(any)(before[0] ^ reached[0]);
    }
#define TURN(r) reached[r] |= FN(turned_into)(flood, piece, r, rotate180, NULL);
#define SETTLE(r) reached[r] = FN(settled)(reached[r], fits[r]);
    TURN(1)
    TURN(3)
    SETTLE(1)
    SETTLE(3) TURN(0) TURN(2) SETTLE(0) SETTLE(2)
#undef TURN
#undef SETTLE
        return FN(any)((before[0] ^ reached[0]) | (before[1] ^ reached[1]) |
                       (before[2] ^ reached[2]) | (before[3] ^ reached[3]));
}

/* Where the piece fits, and what falls from the positions `start` of every state (or, if `north`,
 * of that state alone). */
INLINE void FN(begin)(Flood *flood, Vec free, Vec start, const Piece piece, bool north) {
    const Vec none = {0};
    Vec *fits = flood->fits;
    fits[0] = FN(fits)(free, piece, 0);
    fits[1] = piece == PIECE_O ? none : FN(fits)(free, piece, 1);
    fits[2] = piece == PIECE_O ? none : FN(twins)(piece) ? fits[0] : FN(fits)(free, piece, 2);
    fits[3] = piece == PIECE_O ? none : FN(twins)(piece) ? fits[1] : FN(fits)(free, piece, 3);
    flood->reached[0] = FN(fallen)(fits[0] & start, fits[0]);
    flood->reached[1] = north ? none : FN(fallen)(fits[1] & start, fits[1]);
    flood->reached[2] = north ? none : FN(fallen)(fits[2] & start, fits[2]);
    flood->reached[3] = north ? none : FN(fallen)(fits[3] & start, fits[3]);
}

/* Spreads until every resting place is reached, or until nothing changes. */
INLINE void FN(spread)(Flood *flood, const Piece piece, bool rotate180) {
    Vec *reached = flood->reached, *fits = flood->fits;
    reached[0] = FN(settled)(reached[0], fits[0]);
    if (piece != PIECE_O) {
        reached[1] = FN(settled)(reached[1], fits[1]);
        reached[2] = FN(settled)(reached[2], fits[2]);
        reached[3] = FN(settled)(reached[3], fits[3]);
    }
    while (FN(unreached)(flood, piece) && FN(round)(flood, piece, rotate180))
        ;
}
