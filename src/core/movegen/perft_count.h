/*
 * perft_count: the last ply of a perft, the placements of one piece on each of a list of boards. A
 * template on top of flood.h, see lanes.h; with LANE_PACK 3 three boards go side by side.
 *
 * The boards stand LANE_STRIDE lanes apart, free cells set; after the last one there is room for a
 * whole vector, and its lanes are empty.
 */

/* The sum of the bits in each lane. */
INLINE Vec FN(lane_sums)(Vec v) {
    v -= v >> 1 & 0x5555;
    v = (v & 0x3333) + (v >> 2 & 0x3333);
    v = (v + (v >> 4)) & 0x0f0f;
    return (v + (v >> 8)) & 0x1f;
}

INLINE uint64_t FN(sum)(Vec v) {
    uint64_t words[LANES_BYTES / 8], sum = 0;
    memcpy(words, &v, sizeof v);
    for (int i = 0; i < LANES_BYTES / 8; i++)
        sum += words[i] & 0x0000ffff0000ffff;
    for (int i = 0; i < LANES_BYTES / 8; i++)
        sum += words[i] >> 16 & 0x0000ffff0000ffff;
    return (sum & 0xffffffff) + (sum >> 32);
}

/* Where the piece enters the boards of a list, and what to do about stacks of which they hold only
 * the top (see perft_view). */
typedef struct FN(PerftEntry) {
    Vec start;
    bool north;
    Lane deep;   /* the rows that the piece must not come to */
    int *failed; /* the boards in which it came there; those are not counted */
    int failed_count;
} FN(PerftEntry);

/* Notes the boards among those from `first` on that have lanes in `low`; returns the lanes of the
 * others. */
TARGET static __attribute__((noinline)) Vec FN(keep_shallow)(FN(PerftEntry) * cut, Vec low,
                                                             int first) {
    Lane lanes[LANE_COUNT], keep[LANE_COUNT];
    memcpy(lanes, &low, sizeof low);
    memset(keep, 0xff, sizeof keep);
    for (int i = 0; i < LANE_PACK; i++) {
        Lane any = 0;
        for (int x = i * LANE_STRIDE; x < (i + 1) * LANE_STRIDE && x < LANE_COUNT; x++)
            any |= lanes[x];
        if (!any)
            continue;
        cut->failed[cut->failed_count++] = first + i;
        for (int x = i * LANE_STRIDE; x < (i + 1) * LANE_STRIDE && x < LANE_COUNT; x++)
            keep[x] = 0;
    }
    return FN(load)(keep);
}

INLINE uint64_t FN(count_piece)(const Lane *boards, int count, const Piece piece, bool rotate180,
                                FN(PerftEntry) * cut) {
    /* Bits are added up in counters that lie across the vectors: `ones` and `twos` stand for 1 and
       2, what overflows from them for 4. */
    Vec ones = {0}, twos = {0}, fours = {0};
    for (int i = 0; i < count; i += LANE_PACK) {
        Flood flood;
        FN(begin)
        (&flood, FN(load)(boards + i * LANE_STRIDE), cut ? cut->start : FN(splat)(1), piece,
         cut && cut->north);
        FN(spread)(&flood, piece, cut && cut->north, rotate180);
        Vec a = FN(locks)(&flood, piece, 0), b = FN(locks)(&flood, piece, 1);
        Vec c = FN(locks)(&flood, piece, 2), d = FN(locks)(&flood, piece, 3);
        if (cut) {
            const Vec *reached = flood.reached;
            Vec low = (reached[0] | reached[1] | reached[2] | reached[3]) & cut->deep;
            if (FN(any)(low)) {
                Vec keep = FN(keep_shallow)(cut, low, i);
                a &= keep, b &= keep, c &= keep, d &= keep;
            }
        }
        Vec carry = FN(majority)(ones, a, b), carry_2 = {0};
        ones = FN(xor3)(ones, a, b);
        if (!FN(twins)(piece) && piece != PIECE_O) {
            carry_2 = FN(majority)(ones, c, d);
            ones = FN(xor3)(ones, c, d);
        }
        Vec four = FN(majority)(twos, carry, carry_2);
        twos = FN(xor3)(twos, carry, carry_2);
        fours += FN(lane_sums)(four);
    }
    return FN(sum)(FN(lane_sums)(ones) + 2 * FN(lane_sums)(twos) + 4 * fours);
}

INLINE uint64_t FN(count_any)(const Lane *boards, int count, Piece piece, bool rotate180,
                              FN(PerftEntry) * cut) {
#define CASE(p)                                                                                    \
    case p:                                                                                        \
        return FN(count_piece)(boards, count, p, rotate180, cut);
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
    return 0;
}

TARGET static uint64_t FN(count_all)(const Lane *boards, int count, Piece piece, bool rotate180) {
    return FN(count_any)(boards, count, piece, rotate180, NULL);
}

/* For boards that are the tops of stacks. The piece enters in the row of `spawn_bit`, in column
 * `spawn_x`, or, if that is -1, everywhere. Returns the count and in `failed` the boards that are
 * to be counted otherwise. */
TARGET static uint64_t FN(count_cut)(const Lane *boards, int count, Piece piece, bool rotate180,
                                     int spawn_bit, int spawn_x, int *failed, int *failed_count) {
    const Lane row = (Lane)(1u << spawn_bit);
    Lane start[LANE_COUNT] = {0};
    for (int i = 0; spawn_x >= 0 && i < LANE_PACK; i++)
        start[i * LANE_STRIDE + spawn_x] = row;
    FN(PerftEntry)
    cut = {.start = spawn_x >= 0 ? FN(load)(start) : FN(splat)(row),
           .north = spawn_x >= 0,
           .deep = (Lane)((Lane)-1 << (LANE_BITS - kernel_deep_rows(piece))),
           .failed = failed};
    uint64_t sum = FN(count_any)(boards, count, piece, rotate180, &cut);
    *failed_count = cut.failed_count;
    return sum;
}
