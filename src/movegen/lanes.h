/*
 * lanes: sets of positions as vectors, one lane a column. A template: the includer defines
 *
 *   LANE_BITS   16, 32 or 64: how many rows a lane holds
 *   LEVEL       the suffix of the names: portable, avx2 or avx512
 *   TARGET      the function attribute that allows the instructions
 *   LANES_AVX, LANES_AVX512   which of them there are
 *
 * and gets Lane, Vec and the functions below under names of their own (FN), so that several
 * instances can stand in one source; lanes_end.h takes the macros back.
 *
 * A lane is upside down: bit b stands for row LANE_BITS - 1 - b. Then falling goes from low to high
 * bits, the way a carry runs, and an addition lets a whole set fall through all the free rows below
 * it at once.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LANES_JOIN3(name, bits, level) name##_##bits##_##level
#define LANES_JOIN(name, bits, level) LANES_JOIN3(name, bits, level)
#define FN(name) LANES_JOIN(name, LANE_BITS, LEVEL)
#define INLINE static inline __attribute__((always_inline)) TARGET

#define Lane FN(Lane)
#define Vec FN(Vec)
#define LANES_TOP (LANE_BITS - 1)
#define LANES_BYTES (LANE_BITS * 2)

#if LANE_BITS == 16
typedef uint16_t Lane;
#elif LANE_BITS == 32
typedef uint32_t Lane;
#else
typedef uint64_t Lane;
#endif
typedef Lane Vec __attribute__((vector_size(LANES_BYTES)));

INLINE Vec FN(splat)(Lane value) {
    return (Vec){0} + value;
}

/* The set moved up by `dy` rows; what leaves the lane is gone. */
INLINE Vec FN(rise)(Vec v, const int dy) {
    return dy >= 0 ? v >> (dy >= 0 ? dy : 0) : v << (dy < 0 ? -dy : 0);
}

/* The set moved right by `dx` columns, |dx| <= 2. With 16 and 32 bits the lanes go round: there the
 * board is at most 14 wide and the last two lanes are walls. With 64 bits they do not. */
#if defined(LANES_AVX) && LANE_BITS < 64
INLINE Vec FN(slide)(Vec v, const int dx) {
    switch (dx) {
    case -2:
        return __builtin_shufflevector(v, v, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1);
    case -1:
        return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
    case 1:
        return __builtin_shufflevector(v, v, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    case 2:
        return __builtin_shufflevector(v, v, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    default:
        return v;
    }
}
#else
INLINE Vec FN(slide)(Vec v, const int dx) {
    if (dx == 0)
        return v;
    /* Through memory: without wide shuffles the compilers would move lane by lane. */
    Lane buffer[48];
    Vec edge = LANE_BITS < 64 ? v : (Vec){0};
    memcpy(buffer, &edge, sizeof edge);
    memcpy(buffer + 16, &v, sizeof v);
    memcpy(buffer + 32, &edge, sizeof edge);
    memcpy(&v, buffer + 16 - dx, sizeof v);
    return v;
}
#endif

INLINE Vec FN(moved)(Vec v, const int dx, const int dy) {
    return FN(slide)(FN(rise)(v, dy), dx);
}

INLINE bool FN(any)(Vec v) {
#if defined(__x86_64__) && LANE_BITS == 16 && defined(LANES_AVX)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__x86_64__) && LANE_BITS == 32 && defined(LANES_AVX512)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#else
    uint64_t words[LANES_BYTES / 8], all = 0;
    memcpy(words, &v, sizeof v);
    for (int i = 0; i < LANES_BYTES / 8; i++)
        all |= words[i];
    return all != 0;
#endif
}

/* The set `v` and all that falls from it through `open`; v is part of open. Adding v to open runs a
 * carry from each of its bits to the end of the run; a bit that the carry changed was passed. */
INLINE Vec FN(fallen)(Vec v, Vec open) {
    return open & (((open + v) ^ open) | v);
}

/* Turns lanes upside down. */
INLINE Vec FN(reversed)(Vec v) {
    const Lane ones = (Lane) ~(Lane)0;
    v = (v >> 1 & (Lane)(ones / 3)) | (v & (Lane)(ones / 3)) << 1;
    v = (v >> 2 & (Lane)(ones / 5)) | (v & (Lane)(ones / 5)) << 2;
    v = (v >> 4 & (Lane)(ones / 17)) | (v & (Lane)(ones / 17)) << 4;
    v = (v >> 8 & (Lane)(ones / 257)) | (v & (Lane)(ones / 257)) << 8;
#if LANE_BITS >= 32
    v = (v >> 16 & (Lane)(ones / 65537)) | (v & (Lane)(ones / 65537)) << 16;
#endif
#if LANE_BITS == 64
    v = v >> 32 | v << 32;
#endif
    return v;
}
