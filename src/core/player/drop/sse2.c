/*
 * sse2: the lanes of lanes.h as three 128-bit registers, for every x86-64; one number in a lane.
 * Most boards go to sse2_low.c.
 *
 * What SSE2 lacks is made of what it has: maxima of comparisons, variable shifts of products with a
 * power of two, powers of two of floats. Scores are doubles: sums of products of 32 and 16 bits are
 * exact in their 53.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#define LANES_PAIRED 0

#include "player/drop/sse2_parts.h"

enum { PAIRS = 2 * PARTS };

/* Pair i holds the sums of the lanes 2i and 2i + 1. */
typedef struct Score {
    __m128d pair[PAIRS];
} Score;
typedef struct LaneWeights {
    double values[WEIGHTS_TERMS];
} LaneWeights;

LANES Lanes lanes_fill(uint32_t value) {
    return lanes_same(_mm_set1_epi32((int)value));
}
LANES Lanes lanes_constant(uint32_t value) {
    return lanes_fill(value);
}
LANES Lanes lanes_load(const uint32_t *from) {
    const __m128i *parts = (const __m128i *)(const void *)from;
    return (Lanes){{_mm_load_si128(parts), _mm_load_si128(parts + 1), _mm_load_si128(parts + 2)}};
}
LANES Lanes lanes_add(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_add_epi32, a, b);
}
LANES Lanes lanes_sub(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_sub_epi32, a, b);
}
LANES __m128i larger(__m128i a, __m128i b) {
    return either(_mm_cmpgt_epi32(b, a), a, b);
}
LANES Lanes lanes_max(Lanes a, Lanes b) {
    return EACH_PAIR(larger, a, b);
}
LANES __m128i smaller(__m128i a, __m128i b) {
    return either(_mm_cmpgt_epi32(a, b), a, b);
}
LANES Lanes lanes_min(Lanes a, Lanes b) {
    return EACH_PAIR(smaller, a, b);
}
/* The low halves of the products with powers of two. Shifts by 32 and more give 0. */
LANES __m128i shifted_left(__m128i a, __m128i counts) {
    __m128i small = _mm_cmpeq_epi32(_mm_srli_epi32(counts, 5), _mm_setzero_si128());
    __m128i b = _mm_and_si128(small, power_of_two(counts));
    __m128i even = _mm_mul_epu32(a, b);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}
LANES Lanes lanes_left(Lanes a, Lanes counts) {
    return EACH_PAIR(shifted_left, a, counts);
}
LANES Lanes lanes_left_by(Lanes a, unsigned count) {
    const Lanes by = lanes_same(_mm_cvtsi32_si128((int)count));
    return EACH_PAIR(_mm_sll_epi32, a, by);
}
LANES Lanes lanes_right_by(Lanes a, unsigned count) {
    const Lanes by = lanes_same(_mm_cvtsi32_si128((int)count));
    return EACH_PAIR(_mm_srl_epi32, a, by);
}
LANES __m128i sign_of(__m128i a) {
    return _mm_srai_epi32(a, 31);
}
LANES Lanes lanes_sign(Lanes a) {
    return EACH(sign_of, a);
}
LANES __m128i widen(__m128i a) {
    return _mm_madd_epi16(widen_bytes(a), _mm_set1_epi16(1));
}
LANES Lanes tally_lanes(Tally tally) {
    return EACH(widen, tally);
}
LANES Lanes lanes_popcount(Lanes a) {
    return tally_lanes(tally_add(tally_none(), a));
}
/* As in avx2.c. */
LANES __m128i top_of(__m128i a) {
    __m128i leading = _mm_andnot_si128(_mm_srli_epi32(a, 1), a);
    return _mm_sub_epi32(exponent_of(leading), _mm_set1_epi32(126));
}
LANES Lanes lanes_top(Lanes a) {
    return EACH(top_of, a);
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
LANES Where lanes_meet(Lanes a, Lanes b) {
    Lanes none = lanes_fill(0), common = lanes_and(a, b);
    return where_not(EACH_PAIR(_mm_cmpeq_epi32, common, none));
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    return where_not(EACH_PAIR(_mm_cmpgt_epi32, a, b));
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return lanes_add(a, lanes_and(where, b));
}
LANES unsigned where_bits(Where a) {
    return sign_bits(a);
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
