/*
 * avx512_low: the paired lanes of lanes.h as one 512-bit register of 32 words.
 *
 * The low word of lane x belongs to the first of two rotations, the high word to the second. Good
 * players keep the stack at ten rows or less in 997 of 1000 turns (bcts on 10x20); the other boards
 * are left to avx512.c. This does in 1.4 passes per piece what takes 2.7 there.
 *
 * A weight has 27 bits and a sign, so it is cut in two, 13 low bits and the rest, and the sums of
 * both parts are kept in 32 bits. The key of a placement is the high sum with what the low one
 * carries; only where the largest key is there twice are the rests of the low sums compared.
 */
#include "player/drop/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES_PAIRED 1
#define LANES_FEW_COPIES 0
#define LANES_TALL (&drop_kernel_avx512)
#define LANES_RUN CPU_TARGET_AVX512
#define LANES static inline __attribute__((always_inline)) LANES_RUN

#include "player/drop/paired.h"
#include "player/drop/register.h"

typedef __mmask32 Where;

/* The same number in every word. */
LANES Lanes lanes_fill(uint32_t value) {
    return _mm512_set1_epi16((short)value);
}
/* A number of a paired DropShape in every lane. */
LANES Lanes lanes_constant(uint32_t value) {
    return _mm512_set1_epi32((int)value);
}
/* Columns in both halves. */
LANES Lanes lanes_load(const uint32_t *from) {
    __m512i a = _mm512_load_si512(from);
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, _mm512_slli_epi32(a, 16));
}
LANES Lanes lanes_add(Lanes a, Lanes b) {
    return _mm512_add_epi16(a, b);
}
LANES Lanes lanes_sub(Lanes a, Lanes b) {
    return _mm512_sub_epi16(a, b);
}
LANES Lanes lanes_max(Lanes a, Lanes b) {
    return _mm512_max_epi16(a, b);
}
LANES Lanes lanes_min(Lanes a, Lanes b) {
    return _mm512_min_epi16(a, b);
}
/* Shifts by 16 and more give 0. */
LANES Lanes lanes_left(Lanes a, Lanes counts) {
    return _mm512_sllv_epi16(a, counts);
}
LANES Lanes lanes_left_by(Lanes a, unsigned count) {
    return (Lanes)((__v32hu)a << (unsigned short)count);
}
LANES Lanes lanes_right_by(Lanes a, unsigned count) {
    return (Lanes)((__v32hu)a >> (unsigned short)count);
}
/* All ones where the highest bit is set. */
LANES Lanes lanes_sign(Lanes a) {
    return _mm512_srai_epi16(a, 15);
}
LANES Lanes lanes_popcount(Lanes a) {
    return _mm512_popcnt_epi16(a);
}
LANES Tally tally_add(Tally tally, Lanes a) {
    return _mm512_add_epi16(tally, _mm512_popcnt_epi16(a));
}
/* The number of the bit above the topmost one; there is no count of zeros for words. Walls are put
   higher, where no step of 2 leads from a landed piece. */
LANES Lanes lanes_top(Lanes a) {
    const __m512i bits = _mm512_set1_epi16(16);
    __m512i first = _mm512_lzcnt_epi32(_mm512_slli_epi32(a, 16));
    __m512i second = _mm512_slli_epi32(_mm512_lzcnt_epi32(a), 16);
    __m512i top = _mm512_sub_epi16(bits, _mm512_or_si512(first, second));
    return _mm512_mask_add_epi16(top, _mm512_movepi16_mask(a), top, bits);
}
/* The first halves of one and the second halves of the other. */
LANES Lanes lanes_join(Lanes a, Lanes b) {
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, b);
}
/* A number of the second board, once. */
LANES Lanes lanes_whole(Lanes a) {
    return _mm512_maskz_mov_epi16(2, a);
}
/* Four numbers in the lanes from `left` on, in both halves, and 0 elsewhere. */
LANES Lanes lanes_place(const uint32_t *four, unsigned left) {
    const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i from = _mm512_maskz_loadu_epi32(15, four);
    from = _mm512_or_si512(from, _mm512_slli_epi32(from, 16));
    return _mm512_permutexvar_epi32(_mm512_sub_epi32(index, _mm512_set1_epi32((int)left)), from);
}
LANES Where lanes_meet(Lanes a, Lanes b) {
    return _mm512_test_epi16_mask(a, b);
}
LANES Where lanes_at_most(Lanes a, Lanes b) {
    return _mm512_cmple_epi16_mask(a, b);
}
LANES Lanes lanes_add_where(Lanes a, Where where, Lanes b) {
    return _mm512_mask_add_epi16(a, where, a, b);
}
LANES Lanes lanes_used(Lanes a, uint32_t used) {
    return _mm512_and_si512(a, _mm512_set1_epi32((int)used));
}
LANES Lanes lanes_choose(uint32_t used, Lanes a, Lanes b) {
    return _mm512_mask_mov_epi16(b, _mm512_movepi16_mask(_mm512_set1_epi32((int)used)), a);
}
/* Whether no column is higher than LANES_ROWS. */
LANES bool lanes_fit(Lanes columns, Lanes walls) {
    __m512i high = _mm512_set1_epi16((short)(~0u << (LANES_ROWS + 1)));
    return !lanes_any(lanes_and_not(lanes_and(columns, high), walls));
}
LANES Where where_and(Where a, Where b) {
    return a & b;
}
LANES Where where_and_not(Where a, Where b) {
    return a & ~b;
}
/* The halves apart: placements of the first rotation, then those of the second. */
LANES uint32_t where_bits(Where a) {
    return _pext_u32(a, 0x55555555) | _pext_u32(a, 0xaaaaaaaa) << 16;
}
/* Of the first and of the second half. */
typedef struct Score {
    __m512i high[2], low[2];
} Score;

LANES Score score_none(void) {
    __m512i none = _mm512_setzero_si512();
    return (Score){{none, none}, {none, none}};
}
LANES Score score_add(Score score, Lanes a, const LaneWeights *weights, int which) {
    for (int h = 0; h < 2; h++) {
        __m512i high = _mm512_set1_epi32((int)weights->high[h][which]);
        __m512i low = _mm512_set1_epi32((int)weights->low[h][which]);
        score.high[h] = _mm512_dpwssd_epi32(score.high[h], a, high);
        score.low[h] = _mm512_dpwssd_epi32(score.low[h], a, low);
    }
    return score;
}
/* The sum over the second halves less that over the first. */
LANES int64_t score_change(Score score) {
    int64_t high = _mm512_reduce_add_epi32(_mm512_sub_epi32(score.high[1], score.high[0]));
    int32_t low = _mm512_reduce_add_epi32(_mm512_sub_epi32(score.low[1], score.low[0]));
    return high * (1 << LOW_BITS) + low;
}

typedef struct LaneBest {
    __m512i keys[ROTATION_COUNT];
    _Alignas(64) int32_t low[16 * ROTATION_COUNT];
} LaneBest;

LANES void best_clear(LaneBest *best) {
    for (int r = 0; r < ROTATION_COUNT; r++)
        best->keys[r] = _mm512_set1_epi32(INT32_MIN);
}
LANES void best_add(LaneBest *best, Where where, Score score, int rotation) {
    for (int h = 0; h < 2; h++) {
        __m512i carried = _mm512_srai_epi32(score.low[h], LOW_BITS);
        __mmask16 valid = (__mmask16)_pext_u32(where, h ? 0xaaaaaaaa : 0x55555555);
        best->keys[rotation + h] =
            _mm512_mask_add_epi32(_mm512_set1_epi32(INT32_MIN), valid, score.high[h], carried);
        _mm512_store_si512(best->low + 16 * (rotation + h), score.low[h]);
    }
}
/* The number of the best placement and its score, or -1. */
LANES int best_order(const LaneBest *best, int64_t *score) {
    __m512i top = _mm512_max_epi32(_mm512_max_epi32(best->keys[0], best->keys[1]),
                                   _mm512_max_epi32(best->keys[2], best->keys[3]));
    int32_t key = _mm512_reduce_max_epi32(top);
    const __m512i same = _mm512_set1_epi32(key);
    uint64_t first = 0;
    for (int r = 0; r < ROTATION_COUNT; r++)
        first |= (uint64_t)_mm512_cmpeq_epi32_mask(best->keys[r], same) << (16 * r);
    int order = __builtin_ctzll(first), rest = best->low[order] & ((1 << LOW_BITS) - 1);
    for (uint64_t others = first & (first - 1); others; others &= others - 1) {
        int other = __builtin_ctzll(others), its = best->low[other] & ((1 << LOW_BITS) - 1);
        if (its > rest) {
            order = other;
            rest = its;
        }
    }
    *score = (int64_t)key * (1 << LOW_BITS) + rest;
    return key == INT32_MIN ? -1 : order;
}

LANES Lanes lanes_look_up(const LaneSurface *surface, Lanes places) {
    return _mm512_permutex2var_epi16(surface->low, places, surface->high);
}

#include "player/drop/lanes.h"

#include "player/drop/lanes_stream.h"

const DropKernel drop_kernel_avx512_low = {
    .name = "avx512-low",
    .level = CPU_AVX512,
    .max_width = BOARD_MAX_WIDTH,
    .max_height = 28, /* that of LANES_TALL, which takes what is higher than LANES_ROWS */
    .choose = choose,
    .play = play,
};

#endif
