/*
 * drop_avx512: the lanes of drop_lanes.h as one 512-bit register, truths as mask registers.
 */
#include "agent/drop_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES_RUN CPU_TARGET_AVX512
#define LANES static inline __attribute__((always_inline)) LANES_RUN

typedef __m512i Lanes;
typedef __mmask16 Where;
typedef struct Wide {
    __m512i even, odd; /* lanes 0 2 4 ... and 1 3 5 ... */
} Wide;

LANES Lanes lanes_fill(uint32_t value) {
    return _mm512_set1_epi32((int)value);
}
LANES Lanes lanes_fill_signed(int32_t value) {
    return _mm512_set1_epi32(value);
}
LANES Lanes lanes_load(const uint32_t *from) {
    return _mm512_load_si512(from);
}
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
LANES Lanes lanes_add(Lanes a, Lanes b) {
    return _mm512_add_epi32(a, b);
}
LANES Lanes lanes_sub(Lanes a, Lanes b) {
    return _mm512_sub_epi32(a, b);
}
LANES Lanes lanes_max(Lanes a, Lanes b) {
    return _mm512_max_epi32(a, b);
}
/* Shifts by 32 and more give 0. */
LANES Lanes lanes_left(Lanes a, Lanes counts) {
    return _mm512_sllv_epi32(a, counts);
}
LANES Lanes lanes_left_by(Lanes a, unsigned count) {
    return (Lanes)((__v16su)a << count);
}
LANES Lanes lanes_right_by(Lanes a, unsigned count) {
    return (Lanes)((__v16su)a >> count);
}
/* All ones where the highest bit is set. */
LANES Lanes lanes_sign(Lanes a) {
    return _mm512_srai_epi32(a, 31);
}
LANES Lanes lanes_popcount(Lanes a) {
    return _mm512_popcnt_epi32(a);
}
/* Counts of bits that add up before they are read. */
typedef Lanes Tally;
LANES Tally tally_none(void) {
    return _mm512_setzero_si512();
}
LANES Tally tally_add(Tally tally, Lanes a) {
    return _mm512_add_epi32(tally, _mm512_popcnt_epi32(a));
}
LANES Lanes tally_lanes(Tally tally) {
    return tally;
}
/* The number of the bit above the topmost one. */
LANES Lanes lanes_top(Lanes a) {
    return _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(a));
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
LANES Lanes lanes_sum_all(Lanes a) {
    a = _mm512_add_epi32(a, _mm512_shuffle_i64x2(a, a, 0x4e));
    a = _mm512_add_epi32(a, _mm512_shuffle_i64x2(a, a, 0xb1));
    a = _mm512_add_epi32(a, _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x4e));
    return _mm512_add_epi32(a, _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0xb1));
}
LANES uint32_t lanes_and_all(Lanes a) {
    return (uint32_t)_mm512_reduce_and_epi32(a);
}
LANES Lanes lanes_only_first(Lanes a) {
    return _mm512_maskz_mov_epi32(1, a);
}
/* Four numbers in the lanes from `left` on, 0 elsewhere. */
LANES Lanes lanes_place(const uint32_t *four, unsigned left) {
    const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i from = _mm512_maskz_loadu_epi32(15, four);
    return _mm512_permutexvar_epi32(_mm512_sub_epi32(index, _mm512_set1_epi32((int)left)), from);
}
LANES bool lanes_any(Lanes a) {
    return _mm512_test_epi32_mask(a, a) != 0;
}
LANES Where lanes_meet(Lanes a, Lanes b) {
    return _mm512_test_epi32_mask(a, b);
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    return _mm512_cmple_epi32_mask(a, b);
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return _mm512_mask_add_epi32(a, where, a, b);
}
LANES Where where_and(Where a, Where b) {
    return a & b;
}
LANES Where where_and_not(Where a, Where b) {
    return (Where)(a & ~b);
}
LANES unsigned where_bits(Where a) {
    return a;
}

LANES Wide wide_fill(int64_t value) {
    __m512i all = _mm512_set1_epi64(value);
    return (Wide){all, all};
}
LANES Wide wide_add(Wide a, Wide b) {
    return (Wide){_mm512_add_epi64(a.even, b.even), _mm512_add_epi64(a.odd, b.odd)};
}
LANES Wide wide_multiply(Lanes a, int32_t factor) {
    __m512i b = _mm512_set1_epi32(factor);
    return (Wide){_mm512_mul_epi32(a, b),
                  _mm512_mul_epi32(_mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0xf5), b)};
}
/* Room for six bits below the score, which count down with the placement's number. */
LANES Wide wide_key(Wide score, int rotation) {
    __m512i even = _mm512_setr_epi64(63, 61, 59, 57, 55, 53, 51, 49);
    __m512i first = _mm512_set1_epi64(16 * rotation), second = _mm512_set1_epi64(16 * rotation + 1);
    return (Wide){
        _mm512_add_epi64(_mm512_slli_epi64(score.even, 6), _mm512_sub_epi64(even, first)),
        _mm512_add_epi64(_mm512_slli_epi64(score.odd, 6), _mm512_sub_epi64(even, second))};
}
LANES Wide wide_max_where(Wide a, Where where, Wide b) {
    __m512i lanes = _mm512_movm_epi32(where);
    __mmask8 even = _mm512_test_epi64_mask(lanes, _mm512_set1_epi64(0xffffffff));
    __mmask8 odd = _mm512_movepi64_mask(lanes);
    return (Wide){_mm512_mask_max_epi64(a.even, even, a.even, b.even),
                  _mm512_mask_max_epi64(a.odd, odd, a.odd, b.odd)};
}
LANES int64_t wide_largest(Wide a) {
    return _mm512_reduce_max_epi64(_mm512_max_epi64(a.even, a.odd));
}
LANES int64_t wide_sum(Wide a) {
    return _mm512_reduce_add_epi64(_mm512_add_epi64(a.even, a.odd));
}

#include "agent/drop_lanes.h"

const DropKernel drop_kernel_avx512 = {
    .name = "avx512",
    .level = CPU_AVX512,
    .max_height = LANES_MAX_HEIGHT,
    .choose = choose,
    .play = play,
};

#endif
