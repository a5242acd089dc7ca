/*
 * reach_kernel: the resting places of a piece on one board, counted, listed, and for T with spin
 * labels, on top of flood.h. A template, see lanes.h.
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

/* The free cells of the board from row `base` on, as lanes. */
INLINE Vec FN(free)(const Columns *columns, int base) {
    static const Lane inside[32] = {(Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1,
                                    (Lane)-1, (Lane)-1, (Lane)-1, (Lane)-1};
    Lane rows[16];
    for (int x = 0; x < 16; x++)
        rows[x] = (Lane) ~(columns->column[x] >> base);
    Vec free = FN(load)(rows) & FN(load)(inside + 16 - columns->width);
#if LANE_BITS == 64
    free &= ((Lane)1 << (columns->height + BOARD_HIDDEN_ROWS)) - 1;
#endif
    return FN(reversed)(free);
}

/* The row in which the piece spawns. */
INLINE Lane FN(spawn_row)(const Columns *columns, int base) {
    return (Lane)((Lane)1 << (LANE_TOP - (columns->height - 1 - base)));
}

/* Only the spawn position. */
INLINE Vec FN(spawn)(const Columns *columns, int base) {
    Lane rows[16] = {0};
    rows[columns->width / 2 - 1] = FN(spawn_row)(columns, base);
    return FN(load)(rows);
}

/* What the search for the resting places begins with: the row from which an open board is entered
 * is the spawn's, or the top of lanes that do not hold it; otherwise there is the spawn, and only
 * north.
 */
typedef struct FN(Entry) {
    Vec free, start;
    bool north;
    Lane deep; /* the rows that the piece must not come to */
} FN(Entry);

/* The rows that a piece must not come to in lanes that hold only the top of a stack. */
INLINE Lane FN(deep)(Piece piece) {
    return (Lane)((Lane)-1 << (LANE_BITS - kernel_deep_rows(piece)));
}

INLINE void FN(enter)(FN(Entry) * entry, const Columns *columns, KernelView view, Piece piece) {
    entry->free = FN(free)(columns, view.base);
    entry->north = !view.open;
    entry->deep = view.base > 0 ? FN(deep)(piece) : 0;
    if (!view.open)
        entry->start = FN(spawn)(columns, view.base);
    else
        entry->start = FN(splat)(LANE_BITS == 64 ? FN(spawn_row)(columns, 0) : 1);
}

/* True unless the piece came to the rows `deep`. */
INLINE bool FN(shallow)(const FN(Entry) * entry, const Flood *flood) {
    const Vec *reached = flood->reached;
    return !entry->deep ||
           !FN(any)((reached[0] | reached[1] | reached[2] | reached[3]) & entry->deep);
}

/* False when the piece came to the rows `deep`. */
INLINE bool FN(find_piece)(const FN(Entry) * entry, const Piece piece, bool rotate180,
                           Vec locks[ROTATION_COUNT]) {
    Flood flood;
    FN(begin)(&flood, entry->free, entry->start, piece, entry->north);
    /* On a board without overhangs all that rests is reached now. */
    if (FN(unreached)(&flood, piece))
        FN(spread)(&flood, piece, entry->north, rotate180);
    locks[0] = FN(locks)(&flood, piece, 0);
    locks[1] = FN(locks)(&flood, piece, 1);
    locks[2] = FN(locks)(&flood, piece, 2);
    locks[3] = FN(locks)(&flood, piece, 3);
    return FN(shallow)(entry, &flood);
}

/* The resting places in each state; sets of states that do not stand first are empty. False as
 * above. */
TARGET static bool FN(find_locks)(const FN(Entry) * entry, Piece piece, bool rotate180,
                                  Vec locks[ROTATION_COUNT]) {
#if defined(LANES_IN_MEMORY)
    return FN(find_piece)(entry, piece, rotate180, locks);
#else
#define CASE(piece)                                                                                \
    case piece:                                                                                    \
        return FN(find_piece)(entry, piece, rotate180, locks);
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
    return true;
#endif
}

INLINE int FN(count_locks)(const Vec locks[ROTATION_COUNT], int rotations) {
    int count = 0;
    for (int r = 0; r < rotations; r++) {
        uint64_t words[LANES_BYTES / 8];
        memcpy(words, &locks[r], sizeof words);
        for (int i = 0; i < LANES_BYTES / 8; i++)
            count += __builtin_popcountll(words[i]);
    }
    return count;
}

/* This and the next two give -1 when the view was not deep enough. */
TARGET static int FN(count)(const Columns *columns, KernelView view, Piece piece, bool rotate180) {
    FN(Entry) entry;
    Vec locks[ROTATION_COUNT];
    FN(enter)(&entry, columns, view, piece);
    if (!FN(find_locks)(&entry, piece, rotate180, locks))
        return -1;
    return FN(count_locks)(locks, piece_distinct_rotations[piece]);
}

/* The lowest row of a set that is not empty. */
INLINE int FN(lowest)(Lane set) {
    return __builtin_clzll((uint64_t)set << (64 - LANE_BITS));
}

TARGET static int FN(list)(const Columns *columns, KernelView view, Piece piece, bool rotate180,
                           Placement *out) {
    FN(Entry) entry;
    Vec locks[ROTATION_COUNT];
    FN(enter)(&entry, columns, view, piece);
    if (!FN(find_locks)(&entry, piece, rotate180, locks))
        return -1;
    const Placement *begin = out;
    for (int r = 0; r < piece_distinct_rotations[piece]; r++) {
        Lane sets[16];
        memcpy(sets, &locks[r], sizeof sets);
        for (int x = 0; x < columns->width; x++) {
            Placement at = {(uint8_t)piece, (uint8_t)r, (int8_t)x, 0, SPIN_NONE};
            for (Lane set = sets[x]; set; *out++ = at) {
                int y = FN(lowest)(set);
                set ^= (Lane)((Lane)1 << (LANE_TOP - y));
                at.y = (int8_t)(y + view.base);
            }
        }
    }
    return (int)(out - begin);
}

/* Where T rests under each label. The label is that of the last action: a turn with three filled
 * corners around the centre makes a spin; a move, or a turn with fewer, makes none. */
LARGE void FN(label)(const Flood *flood, const Vec corners[4], Vec spawn, const int rotation,
                     bool rotate180, Vec labels[SPIN_COUNT]) {
    Vec fits = flood->fits[rotation], rests = FN(rests)(flood, rotation);
    Vec reached = flood->reached[rotation], fifth = {0};
    Vec turned = FN(turned_into)(flood, PIECE_T, rotation, rotate180, &fifth);
    Vec moved = FN(slide)(reached, 1) | FN(slide)(reached, -1) | FN(rise)(reached, -1) | spawn;
    Vec three = (corners[0] & corners[1] & (corners[2] | corners[3])) |
                (corners[2] & corners[3] & (corners[0] | corners[1]));
    Vec front = corners[rotation] & corners[(rotation + 1) & 3];
    labels[SPIN_NONE] = rests & ((moved & fits) | (reached & ~three));
    labels[SPIN_MINI] = rests & three & turned & ~front;
    labels[SPIN_FULL] = rests & three & (fifth | (turned & front));
}

INLINE int FN(list_labels)(const Vec labels[SPIN_COUNT], int rotation, int width, int base,
                           Placement *out) {
    Lane sets[SPIN_COUNT][16];
    memcpy(sets, labels, sizeof sets);
    int count = 0;
    for (int x = 0; x < width; x++)
        for (Lane set = sets[SPIN_NONE][x] | sets[SPIN_MINI][x] | sets[SPIN_FULL][x]; set;) {
            int y = FN(lowest)(set);
            Lane bit = (Lane)((Lane)1 << (LANE_TOP - y));
            set ^= bit;
            for (int label = 0; label < SPIN_COUNT; label++)
                if (sets[label][x] & bit)
                    out[count++] = (Placement){PIECE_T, (uint8_t)rotation, (int8_t)x,
                                               (int8_t)(y + base), (uint8_t)label};
        }
    return count;
}

TARGET static int FN(list_spins)(const Columns *columns, KernelView view, bool rotate180,
                                 Placement *out) {
    Flood flood;
    FN(Entry) entry;
    FN(enter)(&entry, columns, view, PIECE_T);
    FN(begin)(&flood, entry.free, entry.start, PIECE_T, entry.north);
    FN(spread)(&flood, PIECE_T, entry.north, rotate180);
    if (!FN(shallow)(&entry, &flood))
        return -1;
    /* Clockwise from the upper left: the front of a state are its own and the next. */
    const Vec free = entry.free;
    const Vec corners[4] = {~FN(seen)(free, -1, 1), ~FN(seen)(free, 1, 1), ~FN(seen)(free, 1, -1),
                            ~FN(seen)(free, -1, -1)};
    const Vec none = {0}, spawn = entry.north ? entry.start : none;
    Vec labels[ROTATION_COUNT][SPIN_COUNT];
    FN(label)(&flood, corners, spawn, 0, rotate180, labels[0]);
    FN(label)(&flood, corners, none, 1, rotate180, labels[1]);
    FN(label)(&flood, corners, none, 2, rotate180, labels[2]);
    FN(label)(&flood, corners, none, 3, rotate180, labels[3]);
    int count = 0;
    for (int r = 0; r < ROTATION_COUNT; r++)
        count += FN(list_labels)(labels[r], r, columns->width, view.base, out + count);
    return count;
}
