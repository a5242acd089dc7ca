/*
 * sse2_parts: operations of lanes.h on three 128-bit registers that are the same for lanes of 32
 * bits and for paired lanes. For sse2.c and sse2_low.c.
 *
 * Twelve lanes and not sixteen: nearly all boards are ten wide, and every register counts.
 */
#ifndef TETROPT_PLAYER_DROP_SSE2_PARTS_H
#define TETROPT_PLAYER_DROP_SSE2_PARTS_H

#include "player/drop/kernel.h"

#include <emmintrin.h>

#define LANES_FEW_COPIES 1
#define LANES_TALL (&drop_kernel_sse2)
#define LANES_RUN
#define LANES static inline __attribute__((always_inline))

enum { PARTS = 3 };

/* Part i holds the lanes 4i..4i + 3. */
typedef struct Lanes {
    __m128i part[PARTS];
} Lanes;
typedef Lanes Where; /* all ones where it is true */
typedef Lanes Tally;

/* An operation on every part of a, or of a and b. */
#define EACH(operation, a)                                                                         \
    (Lanes) {                                                                                      \
        { operation((a).part[0]), operation((a).part[1]), operation((a).part[2]) }                 \
    }
#define EACH_PAIR(operation, a, b)                                                                 \
    (Lanes) {                                                                                      \
        {                                                                                          \
            operation((a).part[0], (b).part[0]), operation((a).part[1], (b).part[1]),              \
                operation((a).part[2], (b).part[2])                                                \
        }                                                                                          \
    }

LANES Lanes lanes_same(__m128i part) {
    return (Lanes){{part, part, part}};
}
LANES void lanes_store(uint32_t *to, Lanes a) {
    for (int i = 0; i < PARTS; i++)
        _mm_store_si128((__m128i *)(void *)to + i, a.part[i]);
}
LANES Lanes lanes_and(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_and_si128, a, b);
}
LANES Lanes lanes_and_not(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_andnot_si128, b, a);
}
LANES Lanes lanes_or(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_or_si128, a, b);
}
LANES Lanes lanes_xor(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_xor_si128, a, b);
}
/* b where `mask`, else a. */
LANES __m128i either(__m128i mask, __m128i a, __m128i b) {
    return _mm_or_si128(_mm_and_si128(mask, b), _mm_andnot_si128(mask, a));
}
/* 2 to the power of each number of -100..300; of 32 and more, or below 0: 0 in the low 16 bits. The
 * conversion gives the sign bit for all that does not fit. */
LANES __m128i power_of_two(__m128i counts) {
    __m128i bits = _mm_slli_epi32(_mm_add_epi32(counts, _mm_set1_epi32(127)), 23);
    return _mm_cvttps_epi32(_mm_castsi128_ps(bits));
}
/* The number of the bit above the topmost one of each lane, plus 126: the exponent of the topmost
 * bit alone, so that rounding cannot reach the next. */
LANES __m128i exponent_of(__m128i leading) {
    return _mm_srli_epi32(_mm_castps_si128(_mm_cvtepi32_ps(leading)), 23);
}
LANES __m128i count_bytes(__m128i a) {
    const __m128i ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33);
    a = _mm_sub_epi8(a, _mm_and_si128(_mm_srli_epi32(a, 1), ones));
    a = _mm_add_epi8(_mm_and_si128(a, twos), _mm_and_si128(_mm_srli_epi32(a, 2), twos));
    return _mm_and_si128(_mm_add_epi8(a, _mm_srli_epi32(a, 4)), _mm_set1_epi8(15));
}
/* Sums of two bytes. */
LANES __m128i widen_bytes(__m128i a) {
    return _mm_add_epi16(_mm_and_si128(a, _mm_set1_epi16(255)), _mm_srli_epi16(a, 8));
}
/* Up to 31 words, or a byte could overflow. */
LANES Tally tally_none(void) {
    return lanes_same(_mm_setzero_si128());
}
LANES Tally tally_add(Tally tally, Lanes a) {
    Lanes counts = EACH(count_bytes, a);
    return EACH_PAIR(_mm_add_epi8, tally, counts);
}

/* Four of the lanes of a and b, from the first of a plus k on. */
LANES __m128i picked(__m128i a, __m128i b, int k) {
    switch (k) {
    case 0:
        return a;
    case 1:
        return _mm_or_si128(_mm_srli_si128(a, 4), _mm_slli_si128(b, 12));
    case 2:
        return _mm_or_si128(_mm_srli_si128(a, 8), _mm_slli_si128(b, 8));
    default:
        return _mm_or_si128(_mm_srli_si128(a, 12), _mm_slli_si128(b, 4));
    }
}
/* Lane x gets lane x + k, |k| <= 8, and `fill`, which is the same in all lanes, where there is
 * none. */
LANES Lanes shifted(Lanes a, Lanes fill, int k) {
    __m128i wide[3 * PARTS];
    for (int i = 0; i < PARTS; i++) {
        wide[i] = wide[2 * PARTS + i] = fill.part[0];
        wide[PARTS + i] = a.part[i];
    }
    const int from = 4 * PARTS + k;
    Lanes result;
    for (int i = 0; i < PARTS; i++)
        result.part[i] = picked(wide[from / 4 + i], wide[from / 4 + i + 1], from % 4);
    return result;
}
LANES Lanes lanes_shift_down(Lanes a, Lanes fill, int k) {
    return shifted(a, fill, k);
}
LANES Lanes lanes_shift_up(Lanes a, Lanes fill, int k) {
    return shifted(a, fill, -k);
}

LANES __m128i or_parts(Lanes a) {
    return _mm_or_si128(_mm_or_si128(a.part[0], a.part[1]), a.part[2]);
}
LANES Lanes lanes_or_all(Lanes a) {
    __m128i four = or_parts(a);
    four = _mm_or_si128(four, _mm_shuffle_epi32(four, 0x4e));
    return lanes_same(_mm_or_si128(four, _mm_shuffle_epi32(four, 0xb1)));
}
LANES Lanes lanes_only_first(Lanes a) {
    const __m128i none = _mm_setzero_si128(), first = _mm_setr_epi32(-1, 0, 0, 0);
    return (Lanes){{_mm_and_si128(a.part[0], first), none, none}};
}
LANES bool lanes_any(Lanes a) {
    __m128i none = _mm_cmpeq_epi32(or_parts(a), _mm_setzero_si128());
    return _mm_movemask_epi8(none) != 0xffff;
}

LANES Where where_and(Where a, Where b) {
    return lanes_and(a, b);
}
LANES Where where_and_not(Where a, Where b) {
    return lanes_and_not(a, b);
}
LANES Where where_not(Where a) {
    return lanes_xor(a, lanes_same(_mm_set1_epi32(-1)));
}
/* The sign bits of the lanes. */
LANES unsigned sign_bits(Lanes a) {
    unsigned bits = 0;
    for (int i = 0; i < PARTS; i++)
        bits |= (unsigned)_mm_movemask_ps(_mm_castsi128_ps(a.part[i])) << 4 * i;
    return bits;
}

/* The weights of the patterns by place. */
typedef struct LaneSurface {
    int32_t table[SURFACE_TABLE];
} LaneSurface;
LANES LaneSurface lane_surface(const FixedWeights *weights) {
    LaneSurface surface;
    for (int i = 0; i < SURFACE_TABLE; i++)
        surface.table[i] = weights->surface[i];
    return surface;
}

#endif
