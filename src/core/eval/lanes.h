/*
 * lanes: sets of up to 31 rows in eight vector lanes of 32 bits (sixteen with AVX-512), for code
 * that evaluates as many boards at a time. A template: the includer defines TARGET, the function
 * attribute that allows the instructions, and LANES_AVX2 or LANES_AVX512 where there are these; a
 * source file includes it once.
 *
 * Heights come from the exponents of floats: 2 to the power of a height below 31 is positive and
 * exact.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(LANES_AVX2) || defined(LANES_AVX512)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline)) TARGET

#if defined(LANES_AVX512)
enum { LANES = 16 };
#else
enum { LANES = 8 };
#endif

typedef uint32_t Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t LanesSigned __attribute__((vector_size(4 * LANES)));
typedef float LanesFloat __attribute__((vector_size(4 * LANES)));

INLINE Lanes lanes_splat(uint32_t value) {
    return (Lanes){0} + value;
}

/* The bits in each part of a lane, to be added by lanes_sum; up to 31 such counts may be added
 * before that. */
INLINE Lanes lanes_bits(Lanes v) {
#if defined(LANES_AVX512)
    return (Lanes)_mm512_popcnt_epi32((__m512i)v);
#elif defined(LANES_AVX2)
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                            2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return (Lanes)_mm256_add_epi8(_mm256_shuffle_epi8(counts, (__m256i)(v & 0x0f0f0f0f)),
                                  _mm256_shuffle_epi8(counts, (__m256i)(v >> 4 & 0x0f0f0f0f)));
#else
    v -= v >> 1 & 0x55555555;
    v = (v & 0x33333333) + (v >> 2 & 0x33333333);
    return (v + (v >> 4)) & 0x0f0f0f0f;
#endif
}

INLINE Lanes lanes_sum(Lanes bytes) {
#if defined(LANES_AVX512)
    return bytes;
#else
    bytes = (bytes & 0x00ff00ff) + (bytes >> 8 & 0x00ff00ff);
    return (bytes + (bytes >> 16)) & 0xffff;
#endif
}

INLINE Lanes lanes_count(Lanes v) {
    return lanes_sum(lanes_bits(v));
}

#if defined(LANES_AVX512)
INLINE Lanes lanes_bit(Lanes number) {
    return (Lanes)_mm512_sllv_epi32(_mm512_set1_epi32(1), (__m512i)number);
}

INLINE Lanes lanes_smaller(Lanes a, Lanes b) {
    return (Lanes)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

INLINE Lanes lanes_larger(Lanes a, Lanes b) {
    return (Lanes)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

INLINE bool lanes_any(Lanes v) {
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
}

INLINE Lanes lanes_absolute(Lanes v) {
    return (Lanes)_mm512_abs_epi32((__m512i)v);
}
#elif defined(LANES_AVX2)
INLINE Lanes lanes_bit(Lanes number) {
    return (Lanes)_mm256_sllv_epi32(_mm256_set1_epi32(1), (__m256i)number);
}

INLINE Lanes lanes_smaller(Lanes a, Lanes b) {
    return (Lanes)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

INLINE Lanes lanes_larger(Lanes a, Lanes b) {
    return (Lanes)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

INLINE bool lanes_any(Lanes v) {
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}

INLINE Lanes lanes_absolute(Lanes v) {
    return (Lanes)_mm256_abs_epi32((__m256i)v);
}
#else
/* By way of a float with that exponent. */
INLINE Lanes lanes_bit(Lanes number) {
    return (Lanes) __builtin_convertvector((LanesFloat)((number + 127) << 23), LanesSigned);
}

INLINE Lanes lanes_smaller(Lanes a, Lanes b) {
    Lanes below = (Lanes)((LanesSigned)a < (LanesSigned)b);
    return (a & below) | (b & ~below);
}

INLINE Lanes lanes_larger(Lanes a, Lanes b) {
    Lanes below = (Lanes)((LanesSigned)a < (LanesSigned)b);
    return (b & below) | (a & ~below);
}

INLINE bool lanes_any(Lanes v) {
    uint64_t words[LANES / 2];
    memcpy(words, &v, sizeof v);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

INLINE Lanes lanes_absolute(Lanes v) {
    Lanes sign = (Lanes)((LanesSigned)v >> 31);
    return (v ^ sign) - sign;
}
#endif

/* Negative numbers become 0. */
INLINE Lanes lanes_not_negative(Lanes v) {
    return lanes_larger(v, (Lanes){0});
}

/* The number of the only bit: the exponent of the number as a float. */
INLINE Lanes lanes_bit_number(Lanes bit) {
    LanesFloat exact = __builtin_convertvector((LanesSigned)bit, LanesFloat);
    return ((Lanes)exact >> 23) - 127;
}

/* The rows from the floor to the topmost cell. Without neighbouring bits the float is not rounded
 * up to the next power. */
INLINE Lanes lanes_height(Lanes column) {
#if defined(LANES_AVX512)
    return 32 - (Lanes)_mm512_lzcnt_epi32((__m512i)column);
#else
    LanesFloat sparse = __builtin_convertvector((LanesSigned)(column & ~(column >> 1)), LanesFloat);
    return lanes_not_negative(((Lanes)sparse >> 23) - 126);
#endif
}

/* Every row below that height. */
INLINE Lanes lanes_below(Lanes height) {
    return lanes_bit(height) - 1;
}
