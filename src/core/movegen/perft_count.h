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

INLINE uint64_t FN(count_piece)(const Lane *boards, int count, const Piece piece, bool rotate180) {
    /* Bits are added up in counters that lie across the vectors: `ones` and `twos` stand for 1 and
       2, what overflows from them for 4. */
    Vec ones = {0}, twos = {0}, fours = {0};
    for (int i = 0; i < count; i += LANE_PACK) {
        Flood flood;
        FN(begin)(&flood, FN(load)(boards + i * LANE_STRIDE), FN(splat)(1), piece, false);
        FN(spread)(&flood, piece, false, rotate180);
        Vec a = FN(locks)(&flood, piece, 0), b = FN(locks)(&flood, piece, 1);
        Vec carry = FN(majority)(ones, a, b), carry_2 = {0};
        ones = FN(xor3)(ones, a, b);
        if (!FN(twins)(piece) && piece != PIECE_O) {
            a = FN(locks)(&flood, piece, 2);
            b = FN(locks)(&flood, piece, 3);
            carry_2 = FN(majority)(ones, a, b);
            ones = FN(xor3)(ones, a, b);
        }
        Vec four = FN(majority)(twos, carry, carry_2);
        twos = FN(xor3)(twos, carry, carry_2);
        fours += FN(lane_sums)(four);
    }
    return FN(sum)(FN(lane_sums)(ones) + 2 * FN(lane_sums)(twos) + 4 * fours);
}

TARGET static uint64_t FN(count_all)(const Lane *boards, int count, Piece piece, bool rotate180) {
#define CASE(p)                                                                                    \
    case p:                                                                                        \
        return FN(count_piece)(boards, count, p, rotate180);
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
