/*
 * drop_avx512: the lanes of drop_lanes.h as one 512-bit register, truths as mask registers.
 */
#include "agent/drop_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES_PAIRED 0
#define LANES_TALL (&drop_kernel_avx512)
#define LANES_RUN CPU_TARGET_AVX512
#define LANES static inline __attribute__((always_inline)) LANES_RUN

typedef __m512i Lanes;
typedef __mmask16 Where;
typedef __m512i Tally;
typedef struct Score {
    __m512i even, odd; /* 64-bit sums of the lanes 0 2 4 ... and 1 3 5 ... */
} Score;
typedef FixedWeights LaneWeights;

LANES Lanes lanes_fill(uint32_t value) {
    return _mm512_set1_epi32((int)value);
}
/* A number of a DropShape in every lane. */
LANES Lanes lanes_constant(uint32_t value) {
    return lanes_fill(value);
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
LANES Lanes lanes_min(Lanes a, Lanes b) {
    return _mm512_min_epi32(a, b);
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
LANES Lanes lanes_only_first(Lanes a) {
    return _mm512_maskz_mov_epi32(1, a);
}
/* A number of the whole board, once. */
LANES Lanes lanes_whole(Lanes a) {
    return lanes_only_first(a);
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

LANES LaneWeights lane_weights(const FixedWeights *weights) {
    return *weights;
}
LANES Score score_none(void) {
    return (Score){_mm512_setzero_si512(), _mm512_setzero_si512()};
}
LANES Score score_add(Score score, Lanes a, const LaneWeights *weights, int which) {
    __m512i weight = _mm512_set1_epi32(weights->values[which]);
    __m512i odd = _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0xf5);
    return (Score){_mm512_add_epi64(score.even, _mm512_mul_epi32(a, weight)),
                   _mm512_add_epi64(score.odd, _mm512_mul_epi32(odd, weight))};
}
LANES int64_t score_sum(Score score) {
    return _mm512_reduce_add_epi64(_mm512_add_epi64(score.even, score.odd));
}

/* The largest keys: a score with six bits below it that count down with the placement's number, so
   that of equal scores the first is the largest. */
typedef struct LaneBest {
    __m512i even, odd;
} LaneBest;
LANES void best_clear(LaneBest *best) {
    best->even = best->odd = _mm512_set1_epi64(INT64_MIN);
}
LANES void best_add(LaneBest *best, Where where, Score score, int rotation) {
    __m512i first = _mm512_setr_epi64(63, 61, 59, 57, 55, 53, 51, 49);
    __m512i count = _mm512_sub_epi64(first, _mm512_set1_epi64(16 * rotation));
    __m512i next = _mm512_sub_epi64(count, _mm512_set1_epi64(1));
    __m512i even_keys = _mm512_add_epi64(_mm512_slli_epi64(score.even, 6), count);
    __m512i odd_keys = _mm512_add_epi64(_mm512_slli_epi64(score.odd, 6), next);
    __m512i lanes = _mm512_movm_epi32(where);
    __mmask8 even = _mm512_test_epi64_mask(lanes, _mm512_set1_epi64(0xffffffff));
    __mmask8 odd = _mm512_movepi64_mask(lanes);
    best->even = _mm512_mask_max_epi64(best->even, even, best->even, even_keys);
    best->odd = _mm512_mask_max_epi64(best->odd, odd, best->odd, odd_keys);
}
/* The number of the best placement and its score, or -1. */
LANES int best_order(const LaneBest *best, int64_t *score) {
    int64_t key = _mm512_reduce_max_epi64(_mm512_max_epi64(best->even, best->odd));
    *score = key >> 6;
    return key == INT64_MIN ? -1 : 63 - (int)(key & 63);
}

/* Only paired lanes have columns that a rotation does not use, or boards that do not fit. */
LANES Lanes lanes_used(Lanes a, uint32_t used) {
    (void)used;
    return a;
}
LANES Lanes lanes_choose(uint32_t used, Lanes a, Lanes b) {
    (void)used, (void)b;
    return a;
}
LANES bool lanes_fit(Lanes columns, Lanes walls) {
    (void)columns, (void)walls;
    return true;
}
enum { LANES_ROWS = BOARD_MAX_HEIGHT };

/* What was stored for the placement number 16 r + x. */
LANES uint32_t lanes_read(const uint32_t *stored, unsigned order) {
    return stored[order];
}
LANES uint32_t lanes_column(uint32_t lane) {
    return lane;
}

/* The weights of the patterns by place. */
typedef struct LaneSurface {
    __m512i low, high;
} LaneSurface;
LANES LaneSurface lane_surface(const FixedWeights *weights) {
    return (LaneSurface){_mm512_loadu_si512(weights->surface),
                         _mm512_loadu_si512(weights->surface + SURFACE_TABLE / 2)};
}
LANES Lanes lanes_look_up(const LaneSurface *surface, Lanes places) {
    Lanes found = _mm512_permutex2var_epi16(surface->low, places, surface->high);
    return _mm512_srai_epi32(_mm512_slli_epi32(found, 16), 16);
}

#include "agent/drop_lanes.h"

const DropKernel drop_kernel_avx512 = {
    .name = "avx512",
    .level = CPU_AVX512,
    .max_height = 28, /* in 32 bits the walls are at least 3 above every column */
    .choose = choose,
    .play = play,
};

#endif
