/*
 * register: operations of lanes.h on one 512-bit register that are the same for lanes of 32 bits
 * and for paired lanes. For avx512.c and avx512_low.c.
 */
#ifndef TETROPT_PLAYER_DROP_REGISTER_H
#define TETROPT_PLAYER_DROP_REGISTER_H

typedef __m512i Lanes;
typedef __m512i Tally;

LANES void lanes_store(uint32_t *to, Lanes a) {
    _mm512_store_si512(to, a);
}
LANES Lanes lanes_and(Lanes a, Lanes b) {
    return _mm512_and_si512(a, b);
}
LANES Lanes lanes_and_not(Lanes a, Lanes b) {
    return _mm512_andnot_si512(b, a);
}
LANES Lanes lanes_or(Lanes a, Lanes b) {
    return _mm512_or_si512(a, b);
}
LANES Lanes lanes_xor(Lanes a, Lanes b) {
    return _mm512_xor_si512(a, b);
}
LANES Tally tally_none(void) {
    return _mm512_setzero_si512();
}
LANES Lanes tally_lanes(Tally tally) {
    return tally;
}
/* Lane x gets lane x - k or x + k, and `fill` where there is none. Macros for the sake of the
   constant that the instruction wants, even where nothing is inlined. */
#define lanes_shift_up(a, fill, k) _mm512_alignr_epi32(a, fill, 16 - (k))
#define lanes_shift_down(a, fill, k) _mm512_alignr_epi32(fill, a, k)
LANES Lanes lanes_or_all(Lanes a) {
    a = _mm512_or_si512(a, _mm512_shuffle_i64x2(a, a, 0x4e));
    a = _mm512_or_si512(a, _mm512_shuffle_i64x2(a, a, 0xb1));
    a = _mm512_or_si512(a, _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x4e));
    return _mm512_or_si512(a, _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0xb1));
}
LANES Lanes lanes_only_first(Lanes a) {
    return _mm512_maskz_mov_epi32(1, a);
}
LANES bool lanes_any(Lanes a) {
    return _mm512_test_epi32_mask(a, a) != 0;
}

/* The weights of the patterns by place. */
typedef struct LaneSurface {
    __m512i low, high;
} LaneSurface;
LANES LaneSurface lane_surface(const FixedWeights *weights) {
    return (LaneSurface){_mm512_loadu_si512(weights->surface),
                         _mm512_loadu_si512(weights->surface + SURFACE_TABLE / 2)};
}

#endif
