/*
 * kernel_body: one instance of the kernel. A template: the includer defines LEVEL, TARGET,
 * LANES_AVX, LANES_AVX512 (see lanes.h) and KERNEL, the name of the table.
 *
 * Lanes of 16 rows, which serve nearly all boards, are there for every level; lanes of 32 rows only
 * where they fit a register (AVX-512). Deep wells and wide boards take lanes of 64 rows; AVX2
 * leaves those to the portable instance, which compilers handle better in 128-bit parts.
 */
/* The order of the includes matters. */
/* clang-format off */
#if defined(LANES_AVX512)
#define LANE_BITS 16
#define LANE_PACK 3
#include "movegen/flood.h"
#include "movegen/perft_count.h"
#include "movegen/lanes_end.h"
#define PERFT_PACKED(name) name##_16x3_avx512
#endif

#define LANE_BITS 16
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/reach_kernel.h"
#include "movegen/perft_kernel.h"
#include "movegen/lanes_end.h"

#if defined(LANES_AVX512)
#define LANE_BITS 32
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/reach_kernel.h"
#include "movegen/lanes_end.h"
#endif

#if defined(LANES_AVX512) || !defined(LANES_AVX)
#define LANE_BITS 64
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/reach_kernel.h"
#include "movegen/lanes_end.h"
#endif
/* clang-format on */

#define BODY_JOIN3(name, bits, level) name##_##bits##x1_##level
#define BODY_JOIN(name, bits, level) BODY_JOIN3(name, bits, level)
#define BODY(name, bits) BODY_JOIN(name, bits, LEVEL)

/* In lanes of 16 rows if they are enough, otherwise in those that hold all of the board. */
#if defined(LANES_AVX512)
#define HIGHER(name, ...)                                                                          \
    (whole.rows == 32 ? BODY(name, 32)(columns, whole, __VA_ARGS__)                                \
                      : BODY(name, 64)(columns, whole, __VA_ARGS__))
#elif defined(LANES_AVX)
#define HIGHER(name, ...) ((void)whole, kernel_portable.name(columns, __VA_ARGS__))
#else
#define HIGHER(name, ...) BODY(name, 64)(columns, whole, __VA_ARGS__)
#endif
#define SEARCH(name, ...)                                                                          \
    KernelView view = kernel_view(columns), whole;                                                 \
    int found = view.rows == 16 ? BODY(name, 16)(columns, view, __VA_ARGS__) : -1;                 \
    if (found >= 0)                                                                                \
        return found;                                                                              \
    whole = kernel_whole_view(columns);                                                            \
    return HIGHER(name, __VA_ARGS__);

static int count(const Columns *columns, Piece piece, bool rotate180) {
    SEARCH(count, piece, rotate180)
}

static int count_whole(const Columns *columns, Piece piece, bool rotate180) {
    KernelView whole = kernel_whole_view(columns);
    return HIGHER(count, piece, rotate180);
}

static int list(const Columns *columns, Piece piece, bool rotate180, Placement *out) {
    SEARCH(list, piece, rotate180, out)
}

static int list_spins(const Columns *columns, bool rotate180, Placement *out) {
    SEARCH(list_spins, rotate180, out)
}

const Kernel KERNEL = {count, count_whole, list, list_spins, BODY(perft_low, 16)};
