/*
 * lanes: sets of positions as vectors, one lane per column. A template: the includer defines
 *
 *   LANE_BITS   16, 32 or 64: how many rows a lane holds
 *   LANE_PACK   1: a vector is one board of 16 columns; 3: three boards of at most 10, with a wall
 *               between them (LANE_BITS 16 and AVX-512 only)
 *   LEVEL       the suffix of the names: portable, avx2 or avx512
 *   TARGET      the function attribute that allows the instructions
 *   LANES_AVX, LANES_AVX512   which of them there are
 *
 * and gets Lane, Vec and the functions below under names of their own (FN), so that several
 * instances can stand in one source; lanes_end.h undefines the macros.
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

#define LANES_JOIN4(name, bits, pack, level) name##_##bits##x##pack##_##level
#define LANES_JOIN(name, bits, pack, level) LANES_JOIN4(name, bits, pack, level)
#define FN(name) LANES_JOIN(name, LANE_BITS, LANE_PACK, LEVEL)
#define Lane FN(Lane)
#define Vec FN(Vec)
#define LANE_TOP (LANE_BITS - 1)
#if LANE_PACK == 1
#define LANE_COUNT 16
#define LANE_STRIDE 16 /* from one board to the next */
#else
#define LANE_COUNT 32
#define LANE_STRIDE 11
#endif
#define LANES_BYTES (LANE_BITS / 8 * LANE_COUNT)

/* Where vectors fit registers everything is inlined and shifts are by constants, a copy of the code
 * for each piece. Wider ones live in memory: there constants gain little, so the code is compiled
 * once for all pieces, and its larger parts are functions (inlined they were four times as large as
 * all else together). */
#define INLINE static inline __attribute__((always_inline)) TARGET
#if LANE_BITS == 64 || (LANE_BITS == 32 && !defined(LANES_AVX512))
#define LANES_IN_MEMORY
#define LARGE static __attribute__((noinline)) TARGET
#else
#define LARGE INLINE
#endif

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

INLINE Vec FN(load)(const Lane *lanes) {
    Vec v;
    memcpy(&v, lanes, sizeof v);
    return v;
}

/* The set moved up by `dy` rows; what leaves the lane is dropped. */
INLINE Vec FN(rise)(Vec v, const int dy) {
    return dy >= 0 ? v >> (dy >= 0 ? dy : 0) : v << (dy < 0 ? -dy : 0);
}

/* The set moved right by `dx` columns, |dx| <= 2. What comes in over an edge is empty as long as
 * the lanes that stand for walls are: with 16 and 32 bits the lanes go round, so there the board
 * may be at most 14 wide. */
#if LANE_PACK == 3
INLINE Vec FN(slide)(Vec v, const int dx) {
    /* W is a wall. */
    enum { W = 10 };
    switch (dx) {
    case -2:
        return __builtin_shufflevector(v, v, 2, 3, 4, 5, 6, 7, 8, 9, W, W, W, 13, 14, 15, 16, 17,
                                       18, 19, 20, W, W, W, 24, 25, 26, 27, 28, 29, 30, 31, W, W);
    case -1:
        return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 8, 9, W, W, 12, 13, 14, 15, 16,
                                       17, 18, 19, 20, W, W, 23, 24, 25, 26, 27, 28, 29, 30, 31, W);
    case 1:
        return __builtin_shufflevector(v, v, W, 0, 1, 2, 3, 4, 5, 6, 7, 8, W, W, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, W, W, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    case 2:
        return __builtin_shufflevector(v, v, W, W, 0, 1, 2, 3, 4, 5, 6, 7, W, W, W, 11, 12, 13, 14,
                                       15, 16, 17, 18, W, W, W, 22, 23, 24, 25, 26, 27, 28, 29);
    default:
        return v;
    }
}
#elif defined(LANES_AVX) && !defined(LANES_IN_MEMORY)
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
/* In parts that fit registers, each taken from two neighbours. */
#define Part FN(Part)
#if defined(LANES_AVX512)
#define LANES_PART_BYTES 64
#elif defined(LANES_AVX)
#define LANES_PART_BYTES 32
#else
#define LANES_PART_BYTES 16
#endif
enum {
    FN(PARTS) = LANES_BYTES / LANES_PART_BYTES,
    FN(PART_LANES) = 16 / FN(PARTS),
};
typedef Lane Part __attribute__((vector_size(LANES_PART_BYTES)));

/* Lanes n, n + 1, ... of b after a. */
#if LANE_BITS == 16 && defined(__x86_64__)
#define LANES_PICK(a, b, n)                                                                        \
    (Part) _mm_or_si128(_mm_srli_si128((__m128i)(a), 2 * (n)),                                     \
                        _mm_slli_si128((__m128i)(b), 16 - 2 * (n)))
#elif LANES_BYTES / LANES_PART_BYTES == 2
#define LANES_PICK(a, b, n)                                                                        \
    __builtin_shufflevector(a, b, n, (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7)
#elif LANES_BYTES / LANES_PART_BYTES == 4
#define LANES_PICK(a, b, n) __builtin_shufflevector(a, b, n, (n) + 1, (n) + 2, (n) + 3)
#else
#define LANES_PICK(a, b, n) __builtin_shufflevector(a, b, n, (n) + 1)
#endif

INLINE Vec FN(slide)(Vec v, const int dx) {
    if (dx == 0)
        return v;
    /* One more part on each side, for the lanes that come in. */
    Part in[FN(PARTS) + 2], out[FN(PARTS)];
    memcpy(in + 1, &v, sizeof v);
    in[0] = LANE_BITS < 64 ? in[FN(PARTS)] : (Part){0};
    in[FN(PARTS) + 1] = LANE_BITS < 64 ? in[1] : (Part){0};
#define SLIDE(from, n)                                                                             \
    for (int i = 0; i < FN(PARTS); i++)                                                            \
        out[i] = LANES_PICK(in[i + (from)], in[i + (from) + 1], n);
    switch (dx) {
    case -2:
        SLIDE(1, 2)
        break;
    case -1:
        SLIDE(1, 1)
        break;
    case 1:
        SLIDE(0, FN(PART_LANES) - 1)
        break;
    default:
        SLIDE(0, FN(PART_LANES) - 2)
    }
#undef SLIDE
    memcpy(&v, out, sizeof v);
    return v;
}
#undef LANES_PICK
#undef LANES_PART_BYTES
#undef Part
#endif

INLINE bool FN(any)(Vec v) {
#if LANES_BYTES == 32 && defined(LANES_AVX)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif LANES_BYTES == 64 && defined(LANES_AVX512)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#else
    uint64_t words[LANES_BYTES / 8], all = 0;
    memcpy(words, &v, sizeof v);
    for (int i = 0; i < LANES_BYTES / 8; i++)
        all |= words[i];
    return all != 0;
#endif
}

/* Functions of three sets are one instruction with AVX-512; the number is their truth table. */
#if LANES_BYTES == 64 && defined(LANES_AVX512)
#define LANES_TERNARY(plain, table)                                                                \
    (Vec) _mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, table)
#elif LANES_BYTES == 32 && defined(LANES_AVX512)
#define LANES_TERNARY(plain, table)                                                                \
    (Vec) _mm256_ternarylogic_epi64((__m256i)a, (__m256i)b, (__m256i)c, table)
#else
#define LANES_TERNARY(plain, table) (plain)
#endif
INLINE Vec FN(or_and)(Vec a, Vec b, Vec c) {
    return LANES_TERNARY((a | b) & c, 0xa8);
}
INLINE Vec FN(andnot_or)(Vec a, Vec b, Vec c) {
    return LANES_TERNARY((a & ~b) | c, 0xba);
}
INLINE Vec FN(xor3)(Vec a, Vec b, Vec c) {
    return LANES_TERNARY(a ^ b ^ c, 0x96);
}
INLINE Vec FN(majority)(Vec a, Vec b, Vec c) {
    return LANES_TERNARY((a & b) | (c & (a | b)), 0xe8);
}

/* The set `v` and all that falls from it through `open`; v is part of open. Adding v to open runs a
 * carry from each of its bits to the end of the run and clears the bits that it passes. */
INLINE Vec FN(fallen)(Vec v, Vec open) {
    return FN(andnot_or)(open, open + v, v);
}
