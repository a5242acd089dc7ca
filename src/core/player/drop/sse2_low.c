/*
 * sse2_low: the paired lanes of lanes.h as three 128-bit registers of eight words, for every
 * x86-64.
 *
 * As in avx512_low.c the low word of lane x belongs to the first of two rotations, the high word to
 * the second, and weights are cut in two. Words have what 32 bits lack in SSE2: maxima, products of
 * which the low half is kept, and sums of two products. Boards higher than ten rows go to sse2.c.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#define LANES_PAIRED 1

#include "player/drop/sse2_parts.h"

#include "player/drop/paired.h"

/* The same number in every word. */
LANES Lanes lanes_fill(uint32_t value) {
    return lanes_same(_mm_set1_epi16((short)value));
}
/* A number of a paired DropShape in every lane. */
LANES Lanes lanes_constant(uint32_t value) {
    return lanes_same(_mm_set1_epi32((int)value));
}
LANES __m128i low_words(__m128i a) {
    return _mm_and_si128(a, _mm_set1_epi32(0xffff));
}
LANES __m128i high_words(__m128i a) {
    return _mm_andnot_si128(_mm_set1_epi32(0xffff), a);
}
/* The low words, in both halves. */
LANES __m128i doubled(__m128i a) {
    return _mm_or_si128(low_words(a), _mm_slli_epi32(a, 16));
}
/* Columns in both halves. */
LANES Lanes lanes_load(const uint32_t *from) {
    const __m128i *parts = (const __m128i *)(const void *)from;
    return (Lanes){{doubled(_mm_load_si128(parts)), doubled(_mm_load_si128(parts + 1)),
                    doubled(_mm_load_si128(parts + 2))}};
}
LANES Lanes lanes_add(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_add_epi16, a, b);
}
LANES Lanes lanes_sub(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_sub_epi16, a, b);
}
LANES Lanes lanes_max(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_max_epi16, a, b);
}
LANES Lanes lanes_min(Lanes a, Lanes b) {
    return EACH_PAIR(_mm_min_epi16, a, b);
}
/* Shifts by 16 and more, or by less than 0, give 0. */
LANES __m128i shifted_left(__m128i a, __m128i counts) {
    __m128i first = low_words(power_of_two(low_words(counts)));
    __m128i second = _mm_slli_epi32(power_of_two(_mm_srai_epi32(counts, 16)), 16);
    return _mm_mullo_epi16(a, _mm_or_si128(first, second));
}
LANES Lanes lanes_left(Lanes a, Lanes counts) {
    return EACH_PAIR(shifted_left, a, counts);
}
LANES Lanes lanes_left_by(Lanes a, unsigned count) {
    const Lanes by = lanes_same(_mm_cvtsi32_si128((int)count));
    return EACH_PAIR(_mm_sll_epi16, a, by);
}
LANES Lanes lanes_right_by(Lanes a, unsigned count) {
    const Lanes by = lanes_same(_mm_cvtsi32_si128((int)count));
    return EACH_PAIR(_mm_srl_epi16, a, by);
}
LANES __m128i sign_of(__m128i a) {
    return _mm_srai_epi16(a, 15);
}
/* All ones where the highest bit is set. */
LANES Lanes lanes_sign(Lanes a) {
    return EACH(sign_of, a);
}
LANES Lanes tally_lanes(Tally tally) {
    return EACH(widen_bytes, tally);
}
LANES Lanes lanes_popcount(Lanes a) {
    return tally_lanes(tally_add(tally_none(), a));
}
/* As in avx512_low.c; never of 0. */
LANES __m128i top_of(__m128i a) {
    const __m128i bias = _mm_set1_epi16(126), raise = _mm_set1_epi16(16);
    __m128i leading = _mm_andnot_si128(_mm_srli_epi16(a, 1), a);
    __m128i first = exponent_of(low_words(leading));
    __m128i second = _mm_slli_epi32(exponent_of(_mm_srli_epi32(leading, 16)), 16);
    __m128i top = _mm_sub_epi16(_mm_or_si128(first, second), bias);
    return _mm_add_epi16(top, _mm_and_si128(sign_of(a), raise));
}
LANES Lanes lanes_top(Lanes a) {
    return EACH(top_of, a);
}
LANES __m128i joined(__m128i a, __m128i b) {
    return _mm_or_si128(low_words(a), high_words(b));
}
/* The first halves of one and the second halves of the other. */
LANES Lanes lanes_join(Lanes a, Lanes b) {
    return EACH_PAIR(joined, a, b);
}
/* A number of the second board, once. */
LANES Lanes lanes_whole(Lanes a) {
    Lanes first = lanes_only_first(a);
    return EACH(high_words, first);
}
/* Four numbers in the lanes from `left` on, in both halves, and 0 elsewhere. */
LANES Lanes lanes_place(const uint32_t *four, unsigned left) {
    _Alignas(16) uint32_t lanes[20] = {0};
    for (int i = 0; i < 4; i++)
        lanes[left + (unsigned)i] = four[i];
    return lanes_load(lanes);
}
LANES Where lanes_meet(Lanes a, Lanes b) {
    Lanes none = lanes_fill(0), common = lanes_and(a, b);
    return where_not(EACH_PAIR(_mm_cmpeq_epi16, common, none));
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    return where_not(EACH_PAIR(_mm_cmpgt_epi16, a, b));
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return lanes_add(a, lanes_and(where, b));
}
LANES Lanes lanes_used(Lanes a, uint32_t used) {
    return lanes_and(a, lanes_constant(used));
}
/* `used` is all ones or 0 in each half. */
LANES Lanes lanes_choose(uint32_t used, Lanes a, Lanes b) {
    const Lanes mask = lanes_constant(used);
    return lanes_or(lanes_and(mask, a), lanes_and_not(b, mask));
}
/* Whether no column is higher than LANES_ROWS. */
LANES bool lanes_fit(Lanes columns, Lanes walls) {
    return !lanes_any(
        lanes_and_not(lanes_and(columns, lanes_fill(~0u << (LANES_ROWS + 1))), walls));
}
/* The halves apart: placements of the first rotation, then those of the second. */
LANES uint32_t where_bits(Where a) {
    Lanes first;
    for (int i = 0; i < PARTS; i++)
        first.part[i] = _mm_slli_epi32(a.part[i], 16);
    return sign_bits(first) | sign_bits(a) << 16;
}
/* Of the first and of the second half. */
typedef struct Score {
    Lanes high[2], low[2];
} Score;

LANES Score score_none(void) {
    const Lanes none = lanes_fill(0);
    return (Score){{none, none}, {none, none}};
}
LANES __m128i product_sums(__m128i a, uint32_t weight) {
    return _mm_madd_epi16(a, _mm_set1_epi32((int)weight));
}
LANES Score score_add(Score score, Lanes a, const LaneWeights *weights, int which) {
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < PARTS; i++) {
            __m128i high = product_sums(a.part[i], weights->high[h][which]);
            __m128i low = product_sums(a.part[i], weights->low[h][which]);
            score.high[h].part[i] = _mm_add_epi32(score.high[h].part[i], high);
            score.low[h].part[i] = _mm_add_epi32(score.low[h].part[i], low);
        }
    return score;
}
LANES int32_t sum_of(Lanes a) {
    __m128i four = _mm_add_epi32(_mm_add_epi32(a.part[0], a.part[1]), a.part[2]);
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
}
/* The sum over the second halves less that over the first. */
LANES int64_t score_change(Score score) {
    int64_t high = sum_of(EACH_PAIR(_mm_sub_epi32, score.high[1], score.high[0]));
    int32_t low = sum_of(EACH_PAIR(_mm_sub_epi32, score.low[1], score.low[0]));
    return high * (1 << LOW_BITS) + low;
}

/* The keys of avx512_low.c, and the low sums, for every placement. */
typedef struct LaneBest {
    Lanes top;
    _Alignas(16) int32_t keys[16 * ROTATION_COUNT], low[16 * ROTATION_COUNT];
} LaneBest;
LANES void best_clear(LaneBest *best) {
    best->top = lanes_same(_mm_set1_epi32(INT32_MIN));
    memset(best->keys, 0x80, sizeof best->keys);
}
LANES void best_add(LaneBest *best, Where where, Score score, int rotation) {
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < PARTS; i++) {
            __m128i carried = _mm_srai_epi32(score.low[h].part[i], LOW_BITS);
            __m128i key = _mm_add_epi32(score.high[h].part[i], carried);
            __m128i words = where.part[i];
            __m128i valid = _mm_srai_epi32(h ? words : _mm_slli_epi32(words, 16), 31);
            key = either(valid, _mm_set1_epi32(INT32_MIN), key);
            __m128i better = _mm_cmpgt_epi32(key, best->top.part[i]);
            best->top.part[i] = either(better, best->top.part[i], key);
            int first = 16 * (rotation + h) + 4 * i;
            _mm_store_si128((__m128i *)(void *)(best->keys + first), key);
            _mm_store_si128((__m128i *)(void *)(best->low + first), score.low[h].part[i]);
        }
}
LANES int best_order(const LaneBest *best, int64_t *score) {
    _Alignas(16) int32_t tops[4 * PARTS];
    lanes_store((uint32_t *)tops, best->top);
    int32_t key = INT32_MIN;
    for (int i = 0; i < 4 * PARTS; i++)
        key = tops[i] > key ? tops[i] : key;
    int order = -1, rest = -1;
    for (int at = 0; at < 16 * ROTATION_COUNT; at++) {
        int its = best->low[at] & ((1 << LOW_BITS) - 1);
        if (best->keys[at] == key && its > rest) {
            order = at;
            rest = its;
        }
    }
    *score = (int64_t)key * (1 << LOW_BITS) + rest;
    return key == INT32_MIN ? -1 : order;
}

LANES Lanes lanes_look_up(const LaneSurface *surface, Lanes places) {
    _Alignas(16) uint32_t lanes[4 * PARTS];
    lanes_store(lanes, places);
    for (int i = 0; i < 4 * PARTS; i++)
        lanes[i] = ((uint32_t)surface->table[lanes[i] & 0xffff] & 0xffff) |
                   (uint32_t)surface->table[lanes[i] >> 16] << 16;
    Lanes result;
    memcpy(&result, lanes, sizeof result);
    return result;
}

#include "player/drop/lanes.h"

#include "player/drop/lanes_stream.h"

const DropKernel drop_kernel_sse2_low = {
    .name = "sse2-low",
    .level = CPU_BASELINE,
    .max_width = 4 * PARTS,
    .max_height = 28, /* that of LANES_TALL, which takes what is higher than LANES_ROWS */
    .choose = choose,
    .play = play,
};

#endif
