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
 * spawn's, the piece can be rotated and moved over every column, so all that can be fallen to from
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
    /* Into each state by a clockwise rotation and by the other: from where each kick is used. */
    Vec kicks[ROTATION_COUNT][TURN_COUNT][KICK_COUNT];
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
LARGE Vec FN(fits)(Vec free, const Piece piece, const int rotation) {
    const Cell *cells = kernel_shapes[piece][rotation].cells;
    return FN(seen)(free, cells[0].x, cells[0].y) & FN(seen)(free, cells[1].x, cells[1].y) &
           FN(seen)(free, cells[2].x, cells[2].y) & FN(seen)(free, cells[3].x, cells[3].y);
}

/* Where the piece cannot fall. */
INLINE Vec FN(rests)(const Flood *flood, const int rotation) {
    return flood->fits[rotation] & ~FN(rise)(flood->fits[rotation], 1);
}

/* By how much kick k moves the centre when rotating into a state. */
INLINE Cell FN(kick)(const Piece piece, const int to, const Turn turn, const int k) {
    const int from = (to + (turn == TURN_CLOCKWISE ? 3 : 1)) & 3;
    const Cell kick = kernel_kicks[piece][from][turn][k];
    const Cell a = kernel_shifts[piece][from], b = kernel_shifts[piece][to];
    return (Cell){(int8_t)(kick.x + b.x - a.x), (int8_t)(kick.y + b.y - a.y)};
}

/* From where each kick is used: where it fits and the ones before it did not. */
LARGE void FN(find_kicks)(Flood *flood, const Piece piece, const int to, const Turn turn) {
    Vec *uses = flood->kicks[to][turn], fits = flood->fits[to], failed;
#define TARGET_FITS(k)                                                                             \
    FN(rise)(FN(slide)(fits, -FN(kick)(piece, to, turn, k).x), -FN(kick)(piece, to, turn, k).y)
    uses[0] = TARGET_FITS(0);
    failed = ~uses[0];
    uses[1] = TARGET_FITS(1) & failed;
    failed &= ~TARGET_FITS(1);
    uses[2] = TARGET_FITS(2) & failed;
    failed &= ~TARGET_FITS(2);
    uses[3] = TARGET_FITS(3) & failed;
    failed &= ~TARGET_FITS(3);
    uses[4] = TARGET_FITS(4) & failed;
#undef TARGET_FITS
}

/* The set `from` after a rotation. Unless `fifth` is NULL, what needs the fifth kick is added there
 * instead: it labels a spin. Hits that go the same way sideways are collected first, lanes are
 * dearer to move than bits. */
LARGE Vec FN(turned)(const Flood *flood, Vec from, const Piece piece, const int to, const Turn turn,
                     Vec *fifth) {
    const Vec *uses = flood->kicks[to][turn];
    Vec hits = {0};
#if defined(LANES_IN_MEMORY)
    for (int k = 0; k < (fifth ? 4 : 5); k++) {
        const Cell kick = FN(kick)(piece, to, turn, k);
        hits |= FN(slide)(FN(rise)(from & uses[k], kick.y), kick.x);
    }
#else
#define HIT(k, dx)                                                                                 \
    if (FN(kick)(piece, to, turn, k).x == (dx))                                                    \
        side |= FN(rise)(from & uses[k], FN(kick)(piece, to, turn, k).y);
#define HITS(dx)                                                                                   \
    {                                                                                              \
        Vec side = {0};                                                                            \
        HIT(0, dx)                                                                                 \
        HIT(1, dx) HIT(2, dx) HIT(3, dx) if (!fifth) HIT(4, dx) hits |= FN(slide)(side, dx);       \
    }
    HITS(-2)
    HITS(-1)
    HITS(0)
    HITS(1)
    HITS(2)
#undef HIT
#undef HITS
#endif
    if (fifth)
        *fifth |= FN(slide)(FN(rise)(from & uses[4], FN(kick)(piece, to, turn, 4).y),
                            FN(kick)(piece, to, turn, 4).x);
    return hits;
}

LARGE Vec FN(half_turned)(Vec from, Vec fits, const Piece piece, const int rotation) {
    const Cell *shifts = kernel_shifts[piece];
    const int next = rotation ^ 2, dx = shifts[next].x - shifts[rotation].x;
    return fits & FN(slide)(FN(rise)(from, shifts[next].y - shifts[rotation].y), dx);
}

/* Quarter rotations leave the cells of O where they are, so any state can be had anywhere; a
 * 180-degree rotation about the centre, which is a corner cell, moves it by a diagonal that depends
 * on the state. */
LARGE Vec FN(half_turned_square)(Vec from, Vec fits) {
    Vec sides = FN(slide)(from, 1) | FN(slide)(from, -1);
    return fits & (FN(rise)(sides, 1) | FN(rise)(sides, -1));
}

/* The kicks of all pieces but I are the same from north as from south, so both rotate into east and
 * west together. */
INLINE bool FN(together)(const Piece piece, const int to) {
    return piece != PIECE_I && (to & 1);
}

LARGE void FN(find_all_kicks)(Flood *flood, const Piece piece) {
#define INTO(to)                                                                                   \
    FN(find_kicks)(flood, piece, to, (to) == 3 ? TURN_COUNTER : TURN_CLOCKWISE);                   \
    if (!FN(together)(piece, to))                                                                  \
        FN(find_kicks)(flood, piece, to, (to) == 3 ? TURN_CLOCKWISE : TURN_COUNTER);
    INTO(0)
    INTO(1)
    INTO(2)
    INTO(3)
#undef INTO
}

/* All that rotates into a state; `fifth` as above. */
LARGE Vec FN(turned_into)(const Flood *flood, const Piece piece, const int to, bool rotate180,
                          Vec *fifth) {
    const Vec *reached = flood->reached;
    Vec hits;
    if (FN(together)(piece, to)) {
        /* As if all were north. */
        Vec from = reached[0] | FN(rise)(reached[2], -kernel_shifts[piece][2].y);
        hits = FN(turned)(flood, from, piece, to, to == 1 ? TURN_CLOCKWISE : TURN_COUNTER, fifth);
    } else
        hits = FN(turned)(flood, reached[(to + 3) & 3], piece, to, TURN_CLOCKWISE, fifth) |
               FN(turned)(flood, reached[(to + 1) & 3], piece, to, TURN_COUNTER, fifth);
    if (rotate180)
        hits |= FN(half_turned)(reached[to ^ 2], flood->fits[to], piece, to ^ 2);
    return hits;
}

/* Left, right and down. */
LARGE Vec FN(settled)(Vec reached, Vec fits) {
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
LARGE bool FN(unreached)(const Flood *flood, const Piece piece) {
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

/* What moves sideways (and 180-degree rotations) would add to a state; falls are always followed
 * already. */
INLINE Vec FN(new_by_moves)(const Flood *flood, const Piece piece, const int r, bool rotate180) {
    Vec reached = flood->reached[r], fits = flood->fits[r];
    Vec sides = (FN(slide)(reached, 1) | FN(slide)(reached, -1)) & fits;
    if (rotate180)
        sides |= FN(half_turned)(flood->reached[r ^ 2], fits, piece, r ^ 2);
    return sides & ~reached;
}

/* Rotates into the states r and r + 2, then moves one step sideways and falls; true when that
 * brought something new. */
LARGE bool FN(turn_and_settle)(Flood *flood, const Piece piece, const int r, bool rotate180) {
    Vec *reached = flood->reached, *fits = flood->fits;
    const Vec before = reached[r], before_2 = reached[r + 2];
    reached[r] |= FN(turned_into)(flood, piece, r, rotate180, NULL);
    reached[r + 2] |= FN(turned_into)(flood, piece, r + 2, rotate180, NULL);
    reached[r] = FN(settled)(reached[r], fits[r]);
    reached[r + 2] = FN(settled)(reached[r + 2], fits[r + 2]);
    return FN(any)((before ^ reached[r]) | (before_2 ^ reached[r + 2]));
}

/* True when they add nothing to the states r and r + 2. */
INLINE bool FN(closed)(const Flood *flood, const Piece piece, const int r, bool rotate180) {
    return !FN(any)(FN(new_by_moves)(flood, piece, r, rotate180) |
                    FN(new_by_moves)(flood, piece, r + 2, rotate180));
}

/* Where the piece fits, and what falls from the positions `start` of every state (or, if `north`,
 * of that state only). */
LARGE void FN(begin)(Flood *flood, Vec free, Vec start, const Piece piece, bool north) {
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

/* Spreads until nothing changes; `north` as given to begin. */
LARGE void FN(spread)(Flood *flood, const Piece piece, bool north, bool rotate180) {
    Vec *reached = flood->reached, *fits = flood->fits;
    if (piece == PIECE_O) {
        Vec before;
        do {
            before = reached[0];
            if (rotate180)
                reached[0] |= FN(half_turned_square)(reached[0], fits[0]);
            reached[0] = FN(settled)(reached[0], fits[0]);
        } while (FN(any)(before ^ reached[0]));
        return;
    }
    reached[0] = FN(settled)(reached[0], fits[0]);
    reached[2] = FN(settled)(reached[2], fits[2]);
    FN(find_all_kicks)(flood, piece);
    /* From one position it is a long way to the walls; without rotations it is cheap. */
    while (north) {
        const Vec before = reached[0];
        reached[0] = FN(settled)(before, fits[0]);
        north = FN(any)(before ^ reached[0]);
    }
    FN(turn_and_settle)(flood, piece, 1, rotate180);
    for (;;) {
        if (!FN(turn_and_settle)(flood, piece, 0, rotate180) &&
            FN(closed)(flood, piece, 1, rotate180))
            return;
        if (!FN(turn_and_settle)(flood, piece, 1, rotate180) &&
            FN(closed)(flood, piece, 0, rotate180))
            return;
    }
}
