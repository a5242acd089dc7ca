/*
 * avx512: the lanes of lanes.h as one 512-bit register, truths as mask registers.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES_PAIRED 0
#define LANES_FEW_COPIES 0
#define LANES_TALL (&drop_kernel_avx512)
#define LANES_RUN CPU_TARGET_AVX512
#define LANES static inline __attribute__((always_inline)) LANES_RUN

#include "player/drop/register.h"

typedef __mmask16 Where;
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
LANES Tally tally_add(Tally tally, Lanes a) {
    return _mm512_add_epi32(tally, _mm512_popcnt_epi32(a));
}
/* The number of the bit above the topmost one. */
LANES Lanes lanes_top(Lanes a) {
    return _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(a));
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

#include "player/drop/single.h"

LANES Lanes lanes_look_up(const LaneSurface *surface, Lanes places) {
    Lanes found = _mm512_permutex2var_epi16(surface->low, places, surface->high);
    return _mm512_srai_epi32(_mm512_slli_epi32(found, 16), 16);
}

#include "player/drop/lanes.h"

#include "player/drop/lanes_stream.h"
#include "player/drop/two.h"

const DropKernel drop_kernel_avx512 = {
    .name = "avx512",
    .level = CPU_AVX512,
    .max_width = BOARD_MAX_WIDTH,
    .max_height = 28, /* in 32 bits the walls are at least 3 above every column */
    .choose = choose,
    .choose_two = choose_two,
    .play = play,
};

#endif
