/*
 * sse2: the lanes of lanes.h as three 128-bit registers, for every x86-64. Twelve lanes and not
 * sixteen: nearly all boards are ten wide, and every register counts.
 *
 * What SSE2 lacks is made of what it has: maxima of comparisons, variable shifts of products with a
 * power of two, powers of two of floats. Scores are doubles: sums of products of 32 and 16 bits are
 * exact in their 53.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#include <emmintrin.h>

#define LANES_PAIRED 0
#define LANES_FEW_COPIES 1
#define LANES_TALL (&drop_kernel_sse2)
#define LANES_RUN
#define LANES static inline __attribute__((always_inline))

enum { PARTS = 3, PAIRS = 2 * PARTS };

/* Part i holds the lanes 4i..4i + 3. */
typedef struct Lanes {
    __m128i part[PARTS];
} Lanes;
typedef Lanes Where;
typedef Lanes Tally;
/* Pair i holds the sums of the lanes 2i and 2i + 1. */
typedef struct Score {
    __m128d pair[PAIRS];
} Score;
typedef struct LaneWeights {
    double values[WEIGHTS_TERMS];
} LaneWeights;

/* `expression` for every part, with the parts a and b of the arguments. */
#define EACH(expression)                                                                           \
    Lanes result;                                                                                  \
    for (int i = 0; i < PARTS; i++)                                                                \
        result.part[i] = (expression);                                                             \
    return result;

LANES Lanes lanes_fill(uint32_t value){EACH(_mm_set1_epi32((int)value))} LANES Lanes
    lanes_constant(uint32_t value) {
    return lanes_fill(value);
}
LANES Lanes lanes_load(const uint32_t *from){
    EACH(_mm_load_si128((const __m128i *)(const void *)from + i))} LANES
    void lanes_store(uint32_t *to, Lanes a) {
    for (int i = 0; i < PARTS; i++)
        _mm_store_si128((__m128i *)(void *)to + i, a.part[i]);
}
LANES Lanes lanes_and(Lanes a, Lanes b){EACH(_mm_and_si128(a.part[i], b.part[i]))} LANES Lanes
    lanes_and_not(Lanes a, Lanes b){EACH(_mm_andnot_si128(b.part[i], a.part[i]))} LANES Lanes
    lanes_or(Lanes a, Lanes b){EACH(_mm_or_si128(a.part[i], b.part[i]))} LANES Lanes
    lanes_xor(Lanes a, Lanes b){EACH(_mm_xor_si128(a.part[i], b.part[i]))} LANES Lanes
    lanes_add(Lanes a, Lanes b){EACH(_mm_add_epi32(a.part[i], b.part[i]))} LANES Lanes
    lanes_sub(Lanes a, Lanes b){EACH(_mm_sub_epi32(a.part[i], b.part[i]))}
/* b where `mask`, else a. */
LANES __m128i either(__m128i mask, __m128i a, __m128i b) {
    return _mm_or_si128(_mm_and_si128(mask, b), _mm_andnot_si128(mask, a));
}
LANES Lanes lanes_max(Lanes a, Lanes b){
    EACH(either(_mm_cmpgt_epi32(b.part[i], a.part[i]), a.part[i], b.part[i]))} LANES Lanes
    lanes_min(Lanes a,
              Lanes b){EACH(either(_mm_cmpgt_epi32(a.part[i], b.part[i]), a.part[i], b.part[i]))}
/* 2 to the power of each number; of 32 and more, or below 0: 0. The conversion gives the sign bit
 * for all that does not fit, which is right for 31. */
LANES __m128i power_of_two(__m128i counts) {
    __m128i bits = _mm_slli_epi32(_mm_add_epi32(counts, _mm_set1_epi32(127)), 23);
    __m128i small = _mm_cmpeq_epi32(_mm_srli_epi32(counts, 5), _mm_setzero_si128());
    return _mm_and_si128(small, _mm_cvttps_epi32(_mm_castsi128_ps(bits)));
}
/* The low halves of the products. */
LANES __m128i multiplied(__m128i a, __m128i b) {
    __m128i even = _mm_mul_epu32(a, b);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}
LANES Lanes lanes_left(Lanes a, Lanes counts){
    EACH(multiplied(a.part[i], power_of_two(counts.part[i])))} LANES Lanes
    lanes_left_by(Lanes a, unsigned count){
        EACH(_mm_sll_epi32(a.part[i], _mm_cvtsi32_si128((int)count)))} LANES Lanes
    lanes_right_by(Lanes a, unsigned count){
        EACH(_mm_srl_epi32(a.part[i], _mm_cvtsi32_si128((int)count)))} LANES Lanes
    lanes_sign(Lanes a){EACH(_mm_srai_epi32(a.part[i], 31))}

LANES __m128i count_bytes(__m128i a) {
    const __m128i ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33);
    a = _mm_sub_epi8(a, _mm_and_si128(_mm_srli_epi32(a, 1), ones));
    a = _mm_add_epi8(_mm_and_si128(a, twos), _mm_and_si128(_mm_srli_epi32(a, 2), twos));
    return _mm_and_si128(_mm_add_epi8(a, _mm_srli_epi32(a, 4)), _mm_set1_epi8(15));
}
LANES __m128i widen_bytes(__m128i a) {
    const __m128i low = _mm_set1_epi16(255);
    __m128i pairs = _mm_add_epi16(_mm_and_si128(a, low), _mm_srli_epi16(a, 8));
    return _mm_madd_epi16(pairs, _mm_set1_epi16(1));
}
/* Up to 31 words, or a byte could overflow. */
LANES Tally tally_none(void) {
    return lanes_fill(0);
}
LANES Tally tally_add(Tally tally, Lanes a){
    EACH(_mm_add_epi8(tally.part[i], count_bytes(a.part[i])))} LANES Lanes
    tally_lanes(Tally tally){EACH(widen_bytes(tally.part[i]))} LANES Lanes lanes_popcount(Lanes a) {
    return tally_lanes(tally_add(tally_none(), a));
}

/* As in avx2.c. */
LANES __m128i top_of(__m128i a) {
    __m128i leading = _mm_andnot_si128(_mm_srli_epi32(a, 1), a);
    __m128i exponent = _mm_srli_epi32(_mm_castps_si128(_mm_cvtepi32_ps(leading)), 23);
    return _mm_sub_epi32(exponent, _mm_set1_epi32(126));
}
LANES Lanes lanes_top(Lanes a){EACH(top_of(a.part[i]))}

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
    EACH(picked(wide[from / 4 + i], wide[from / 4 + i + 1], from % 4))
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
LANES uint32_t or_of(Lanes a) {
    __m128i four = or_parts(a);
    four = _mm_or_si128(four, _mm_shuffle_epi32(four, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_or_si128(four, _mm_shuffle_epi32(four, 0xb1)));
}
LANES Lanes lanes_or_all(Lanes a) {
    return lanes_fill(or_of(a));
}
LANES Lanes lanes_only_first(Lanes a) {
    const __m128i first = _mm_setr_epi32(-1, 0, 0, 0);
    EACH(i == 0 ? _mm_and_si128(a.part[0], first) : _mm_setzero_si128())
}
/* A number of the whole board, once. */
LANES Lanes lanes_whole(Lanes a) {
    return lanes_only_first(a);
}
/* Four numbers in the lanes from `left` on, 0 elsewhere. */
LANES Lanes lanes_place(const uint32_t *four, unsigned left) {
    _Alignas(16) uint32_t lanes[20] = {0};
    for (int i = 0; i < 4; i++)
        lanes[left + (unsigned)i] = four[i];
    return lanes_load(lanes);
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
    return lanes_xor(a, lanes_fill(UINT32_MAX));
}
LANES Where lanes_meet(Lanes a, Lanes b) {
    Lanes common = lanes_and(a, b), none;
    for (int i = 0; i < PARTS; i++)
        none.part[i] = _mm_cmpeq_epi32(common.part[i], _mm_setzero_si128());
    return where_not(none);
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    Lanes more;
    for (int i = 0; i < PARTS; i++)
        more.part[i] = _mm_cmpgt_epi32(a.part[i], b.part[i]);
    return where_not(more);
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return lanes_add(a, lanes_and(where, b));
}
LANES unsigned where_bits(Where a) {
    unsigned bits = 0;
    for (int i = 0; i < PARTS; i++)
        bits |= (unsigned)_mm_movemask_ps(_mm_castsi128_ps(a.part[i])) << 4 * i;
    return bits;
}

LANES LaneWeights lane_weights(const FixedWeights *weights) {
    LaneWeights result;
    for (int i = 0; i < WEIGHTS_TERMS; i++)
        result.values[i] = weights->values[i];
    return result;
}
LANES Score score_none(void) {
    Score score;
    for (int i = 0; i < PAIRS; i++)
        score.pair[i] = _mm_setzero_pd();
    return score;
}
LANES Score score_add(Score score, Lanes a, const LaneWeights *weights, int which) {
    const __m128d weight = _mm_set1_pd(weights->values[which]);
    for (int i = 0; i < PAIRS; i++) {
        __m128i part = a.part[i / 2];
        __m128d two = _mm_cvtepi32_pd(i % 2 ? _mm_shuffle_epi32(part, 0x0e) : part);
        score.pair[i] = _mm_add_pd(score.pair[i], _mm_mul_pd(two, weight));
    }
    return score;
}
LANES int64_t score_sum(Score score) {
    __m128d sum = score.pair[0];
    for (int i = 1; i < PAIRS; i++)
        sum = _mm_add_pd(sum, score.pair[i]);
    return (int64_t)(_mm_cvtsd_f64(sum) + _mm_cvtsd_f64(_mm_unpackhi_pd(sum, sum)));
}

/* By lane the largest score so far and the number of its placement: the first of equals. */
typedef struct LaneBest {
    __m128d score[PAIRS], order[PAIRS];
} LaneBest;
LANES void best_clear(LaneBest *best) {
    for (int i = 0; i < PAIRS; i++) {
        best->score[i] = _mm_set1_pd(-1e300);
        best->order[i] = _mm_set1_pd(-1);
    }
}
LANES __m128d either_real(__m128d mask, __m128d a, __m128d b) {
    return _mm_or_pd(_mm_and_pd(mask, b), _mm_andnot_pd(mask, a));
}
LANES void best_add(LaneBest *best, Where where, Score score, int rotation) {
    for (int i = 0; i < PAIRS; i++) {
        __m128i part = where.part[i / 2];
        __m128i valid = i % 2 ? _mm_unpackhi_epi32(part, part) : _mm_unpacklo_epi32(part, part);
        __m128d better =
            _mm_and_pd(_mm_castsi128_pd(valid), _mm_cmpgt_pd(score.pair[i], best->score[i]));
        __m128d order = _mm_setr_pd(16 * rotation + 2 * i, 16 * rotation + 2 * i + 1);
        best->score[i] = either_real(better, best->score[i], score.pair[i]);
        best->order[i] = either_real(better, best->order[i], order);
    }
}
/* The number of the best placement and its score, or -1. */
LANES int best_order(const LaneBest *best, int64_t *score) {
    double scores[2 * PAIRS], orders[2 * PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        _mm_storeu_pd(scores + 2 * i, best->score[i]);
        _mm_storeu_pd(orders + 2 * i, best->order[i]);
    }
    int first = 0;
    for (int i = 1; i < 2 * PAIRS; i++)
        if (scores[i] > scores[first] || (scores[i] == scores[first] && orders[i] < orders[first]))
            first = i;
    *score = orders[first] < 0 ? 0 : (int64_t)scores[first];
    return (int)orders[first];
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
    _Alignas(16) uint32_t lanes[4 * PARTS];
    lanes_store(lanes, places);
    for (int i = 0; i < 4 * PARTS; i++)
        lanes[i] = (uint32_t)surface->table[lanes[i]];
    return lanes_load(lanes);
}

#include "player/drop/lanes.h"

#include "player/drop/lanes_stream.h"
#include "player/drop/two.h"

const DropKernel drop_kernel_sse2 = {
    .name = "sse2",
    .level = CPU_BASELINE,
    .max_width = 4 * PARTS,
    .max_height = 28, /* as avx2.c */
    .choose = choose,
    .choose_two = choose_two,
    .play = play,
};

#endif
