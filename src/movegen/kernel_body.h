/*
 * kernel_body: one instance of the kernel, in lanes of 16, 32 and 64 rows. A template: the includer
 * defines LEVEL, TARGET (see lanes.h) and KERNEL, the name of the table.
 */
/* The order of the includes matters. */
/* clang-format off */
#if defined(LANES_AVX512)
#define LANE_BITS 16
#define LANE_PACK 3
#include "movegen/flood.h"
#include "movegen/perft_count.h"
#include "movegen/lanes_end.h"
#define PERFT_PACKED count_all_16x3_avx512
#endif

#define LANE_BITS 16
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/perft_count.h"
#include "movegen/reach_kernel.h"
#include "movegen/perft_kernel.h"
#include "movegen/lanes_end.h"

#define LANE_BITS 32
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/reach_kernel.h"
#include "movegen/lanes_end.h"

#define LANE_BITS 64
#define LANE_PACK 1
#include "movegen/flood.h"
#include "movegen/reach_kernel.h"
#include "movegen/lanes_end.h"
/* clang-format on */

#define BODY_JOIN3(name, bits, level) name##_##bits##x1_##level
#define BODY_JOIN(name, bits, level) BODY_JOIN3(name, bits, level)
#define BODY(name, bits) BODY_JOIN(name, bits, LEVEL)

/* How many bits a lane needs. The stack may reach to four rows below the top of a lane, so that
 * every state fits in the two rows from which kicks can come in (see `open` in reach_kernel.h). */
static int lane_bits(const Columns *columns, bool *open) {
    int highest = columns_highest(columns);
    *open = highest + 3 <= columns->height;
    if (!*open || columns->width > 14 || highest > 28)
        return 64;
    return highest > 12 ? 32 : 16;
}

static void find(const Columns *columns, Piece piece, bool rotate180, ReachSet *set) {
    bool open;
    int bits = lane_bits(columns, &open);
    if (bits == 16)
        BODY(find, 16)(columns, piece, open, rotate180, set);
    else if (bits == 32)
        BODY(find, 32)(columns, piece, open, rotate180, set);
    else
        BODY(find, 64)(columns, piece, open, rotate180, set);
}

static void find_spins(const Columns *columns, bool rotate180, ReachSpins *spins) {
    bool open;
    int bits = lane_bits(columns, &open);
    if (bits == 16)
        BODY(find_spins, 16)(columns, open, rotate180, spins);
    else if (bits == 32)
        BODY(find_spins, 32)(columns, open, rotate180, spins);
    else
        BODY(find_spins, 64)(columns, open, rotate180, spins);
}

const Kernel KERNEL = {find, find_spins, BODY(perft_low, 16)};
