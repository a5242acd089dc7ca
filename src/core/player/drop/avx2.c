/*
 * avx2: the lanes of lanes.h as two 256-bit registers, truths as lanes of all ones.
 *
 * There is no instruction that counts bits: a table of 16 in a register counts half bytes, and
 * counts are added up as bytes (Tally) before they are widened.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES_PAIRED 0
#define LANES_FEW_COPIES 1
#define LANES_TALL (&drop_kernel_avx2)
#define LANES_RUN CPU_TARGET_AVX2
#define LANES static inline __attribute__((always_inline)) LANES_RUN

/* Lanes 0..7 and 8..15. */
typedef struct Lanes {
    __m256i low, high;
} Lanes;
typedef Lanes Where;
typedef Lanes Tally;
/* 64-bit sums of the even and the odd lanes of each half. */
typedef struct Score {
    __m256i part[4];
} Score;
typedef FixedWeights LaneWeights;

#define BOTH(operation, a, b)                                                                      \
    (Lanes) {                                                                                      \
        operation((a).low, (b).low), operation((a).high, (b).high)                                 \
    }

LANES Lanes lanes_fill(uint32_t value) {
    __m256i all = _mm256_set1_epi32((int)value);
    return (Lanes){all, all};
}
/* A number of a DropShape in every lane. */
LANES Lanes lanes_constant(uint32_t value) {
    return lanes_fill(value);
}
LANES Lanes lanes_load(const uint32_t *from) {
    const __m256i *halves = (const __m256i *)(const void *)from;
    return (Lanes){_mm256_load_si256(halves), _mm256_load_si256(halves + 1)};
}
LANES void lanes_store(uint32_t *to, Lanes a) {
    __m256i *halves = (__m256i *)(void *)to;
    _mm256_store_si256(halves, a.low);
    _mm256_store_si256(halves + 1, a.high);
}
LANES Lanes lanes_and(Lanes a, Lanes b) {
    return BOTH(_mm256_and_si256, a, b);
}
LANES Lanes lanes_and_not(Lanes a, Lanes b) {
    return BOTH(_mm256_andnot_si256, b, a);
}
LANES Lanes lanes_or(Lanes a, Lanes b) {
    return BOTH(_mm256_or_si256, a, b);
}
LANES Lanes lanes_xor(Lanes a, Lanes b) {
    return BOTH(_mm256_xor_si256, a, b);
}
LANES Lanes lanes_add(Lanes a, Lanes b) {
    return BOTH(_mm256_add_epi32, a, b);
}
LANES Lanes lanes_sub(Lanes a, Lanes b) {
    return BOTH(_mm256_sub_epi32, a, b);
}
LANES Lanes lanes_max(Lanes a, Lanes b) {
    return BOTH(_mm256_max_epi32, a, b);
}
LANES Lanes lanes_min(Lanes a, Lanes b) {
    return BOTH(_mm256_min_epi32, a, b);
}
/* Shifts by 32 and more give 0. */
LANES Lanes lanes_left(Lanes a, Lanes counts) {
    return BOTH(_mm256_sllv_epi32, a, counts);
}
LANES Lanes lanes_left_by(Lanes a, unsigned count) {
    return (Lanes){(__m256i)((__v8su)a.low << count), (__m256i)((__v8su)a.high << count)};
}
LANES Lanes lanes_right_by(Lanes a, unsigned count) {
    return (Lanes){(__m256i)((__v8su)a.low >> count), (__m256i)((__v8su)a.high >> count)};
}
/* All ones where the highest bit is set. */
LANES Lanes lanes_sign(Lanes a) {
    return (Lanes){_mm256_srai_epi32(a.low, 31), _mm256_srai_epi32(a.high, 31)};
}

LANES __m256i count_bytes(__m256i a) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    __m256i low = _mm256_and_si256(a, half);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(a, 4), half);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
}
LANES __m256i widen_bytes(__m256i a) {
    __m256i pairs = _mm256_maddubs_epi16(a, _mm256_set1_epi8(1));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}
/* Up to 31 words, or a byte could overflow. */
LANES Tally tally_none(void) {
    return lanes_fill(0);
}
LANES Tally tally_add(Tally tally, Lanes a) {
    return (Tally){_mm256_add_epi8(tally.low, count_bytes(a.low)),
                   _mm256_add_epi8(tally.high, count_bytes(a.high))};
}
LANES Lanes tally_lanes(Tally tally) {
    return (Lanes){widen_bytes(tally.low), widen_bytes(tally.high)};
}
LANES Lanes lanes_popcount(Lanes a) {
    return tally_lanes(tally_add(tally_none(), a));
}

/* The number of the bit above the topmost one, from the exponent of the topmost bit alone (so that
   rounding cannot reach the next). Never 0; a wall comes out as some number above 200. */
LANES __m256i top_of(__m256i a) {
    __m256i leading = _mm256_andnot_si256(_mm256_srli_epi32(a, 1), a);
    __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(leading)), 23);
    return _mm256_sub_epi32(exponent, _mm256_set1_epi32(126));
}
LANES Lanes lanes_top(Lanes a) {
    return (Lanes){top_of(a.low), top_of(a.high)};
}

/* Lane x gets lane x - k or x + k, and `fill`, which is the same in all lanes, where there is none:
   both halves are turned, and the lanes that crossed over change places. */
LANES __m256i turned(__m256i a, int k) {
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_permutevar8x32_epi32(a, _mm256_add_epi32(index, _mm256_set1_epi32(k)));
}
LANES __m256i first_lanes(int count, __m256i first, __m256i rest) {
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_blendv_epi8(rest, first, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), index));
}
LANES Lanes lanes_shift_down(Lanes a, Lanes fill, int k) {
    __m256i low = turned(a.low, k), high = turned(a.high, k);
    return (Lanes){first_lanes(8 - k, low, high), first_lanes(8 - k, high, fill.low)};
}
LANES Lanes lanes_shift_up(Lanes a, Lanes fill, int k) {
    __m256i low = turned(a.low, -k), high = turned(a.high, -k);
    return (Lanes){first_lanes(k, fill.low, low), first_lanes(k, low, high)};
}

LANES __m128i fold_half(__m256i a, __m256i b) {
    __m256i both = _mm256_or_si256(a, b);
    return _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}
LANES uint32_t or_of(Lanes a) {
    __m128i four = fold_half(a.low, a.high);
    four = _mm_or_si128(four, _mm_shuffle_epi32(four, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_or_si128(four, _mm_shuffle_epi32(four, 0xb1)));
}
LANES Lanes lanes_or_all(Lanes a) {
    return lanes_fill(or_of(a));
}
LANES Lanes lanes_only_first(Lanes a) {
    __m256i none = _mm256_setzero_si256();
    return (Lanes){first_lanes(1, a.low, none), none};
}
/* A number of the whole board, once. */
LANES Lanes lanes_whole(Lanes a) {
    return lanes_only_first(a);
}
/* Four numbers in the lanes from `left` on, 0 elsewhere. */
LANES Lanes lanes_place(const uint32_t *four, unsigned left) {
    _Alignas(32) uint32_t lanes[20] = {0};
    for (int i = 0; i < 4; i++)
        lanes[left + (unsigned)i] = four[i];
    return lanes_load(lanes);
}
LANES bool lanes_any(Lanes a) {
    __m256i both = _mm256_or_si256(a.low, a.high);
    return !_mm256_testz_si256(both, both);
}

LANES Where where_and(Where a, Where b) {
    return lanes_and(a, b);
}
LANES Where where_and_not(Where a, Where b) {
    return lanes_and_not(a, b);
}
LANES Where where_not(Where a) {
    return lanes_xor(a, lanes_fill(UINT32_MAX));
}
LANES Where lanes_meet(Lanes a, Lanes b) {
    Lanes none = lanes_fill(0), common = lanes_and(a, b);
    return where_not(BOTH(_mm256_cmpeq_epi32, common, none));
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    return where_not(BOTH(_mm256_cmpgt_epi32, a, b));
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return lanes_add(a, lanes_and(where, b));
}
LANES unsigned where_bits(Where a) {
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(a.low)) |
           (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(a.high)) << 8;
}

LANES __m256i even_lanes(__m256i a) {
    return _mm256_shuffle_epi32(a, 0xa0);
}
LANES __m256i odd_lanes(__m256i a) {
    return _mm256_shuffle_epi32(a, 0xf5);
}
LANES LaneWeights lane_weights(const FixedWeights *weights) {
    return *weights;
}
LANES Score score_none(void) {
    __m256i none = _mm256_setzero_si256();
    return (Score){{none, none, none, none}};
}
LANES Score score_add(Score score, Lanes a, const LaneWeights *weights, int which) {
    __m256i weight = _mm256_set1_epi32(weights->values[which]);
    __m256i lanes[4] = {a.low, odd_lanes(a.low), a.high, odd_lanes(a.high)};
    for (int i = 0; i < 4; i++)
        score.part[i] = _mm256_add_epi64(score.part[i], _mm256_mul_epi32(lanes[i], weight));
    return score;
}
LANES int64_t score_sum(Score score) {
    __m256i four = _mm256_add_epi64(_mm256_add_epi64(score.part[0], score.part[1]),
                                    _mm256_add_epi64(score.part[2], score.part[3]));
    four = _mm256_add_epi64(four, _mm256_permute4x64_epi64(four, 0x4e));
    four = _mm256_add_epi64(four, _mm256_permute4x64_epi64(four, 0xb1));
    return _mm256_extract_epi64(four, 0);
}

/* The largest keys: a score with six bits below it that count down with the placement's number, so
   that of equal scores the first is the largest. */
typedef struct LaneBest {
    __m256i part[4];
} LaneBest;
LANES void best_clear(LaneBest *best) {
    for (int i = 0; i < 4; i++)
        best->part[i] = _mm256_set1_epi64x(INT64_MIN);
}
LANES void best_add(LaneBest *best, Where where, Score score, int rotation) {
    static const int first[4] = {63, 62, 55, 54};
    const __m256i lanes = _mm256_setr_epi64x(0, 2, 4, 6);
    __m256i valid[4] = {even_lanes(where.low), odd_lanes(where.low), even_lanes(where.high),
                        odd_lanes(where.high)};
    for (int i = 0; i < 4; i++) {
        __m256i count = _mm256_sub_epi64(_mm256_set1_epi64x(first[i] - 16 * rotation), lanes);
        __m256i key = _mm256_add_epi64(_mm256_slli_epi64(score.part[i], 6), count);
        __m256i better = _mm256_and_si256(valid[i], _mm256_cmpgt_epi64(key, best->part[i]));
        best->part[i] = _mm256_blendv_epi8(best->part[i], key, better);
    }
}
LANES __m256i larger(__m256i a, __m256i b) {
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a));
}
/* The number of the best placement and its score, or -1. */
LANES int best_order(const LaneBest *best, int64_t *score) {
    __m256i four =
        larger(larger(best->part[0], best->part[1]), larger(best->part[2], best->part[3]));
    four = larger(four, _mm256_permute4x64_epi64(four, 0x4e));
    four = larger(four, _mm256_permute4x64_epi64(four, 0xb1));
    int64_t key = _mm256_extract_epi64(four, 0);
    *score = key >> 6;
    return key == INT64_MIN ? -1 : 63 - (int)(key & 63);
}

#include "player/drop/single.h"

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
LANES Lanes lanes_look_up(const LaneSurface *surface, Lanes places) {
    return (Lanes){_mm256_i32gather_epi32(surface->table, places.low, 4),
                   _mm256_i32gather_epi32(surface->table, places.high, 4)};
}

#include "player/drop/lanes.h"

#include "player/drop/lanes_stream.h"
#include "player/drop/two.h"

const DropKernel drop_kernel_avx2 = {
    .name = "avx2",
    .level = CPU_AVX2,
    .max_width = BOARD_MAX_WIDTH,
    .max_height = 28, /* in 32 bits the walls are at least 3 above every column */
    .choose = choose,
    .choose_two = choose_two,
    .play = play,
};

#endif
