/*
 * kernel: the vector code behind reach, one instance per CPU level.
 *
 * The same source (kernel_body.h) is compiled for the baseline of the architecture, for AVX2 and
 * for AVX-512. The instance is chosen at each call (a load and a test), so there is nothing to set
 * up and no state. Results do not depend on the choice.
 */
#ifndef TETROPT_MOVEGEN_KERNEL_H
#define TETROPT_MOVEGEN_KERNEL_H

#include "engine/columns.h"
#include "engine/placement.h"

typedef enum KernelLevel { KERNEL_PORTABLE, KERNEL_AVX2, KERNEL_AVX512, KERNEL_LEVELS } KernelLevel;

typedef struct PerftWalk PerftWalk; /* perft_walk.h */
struct PerftTurn;                   /* the same */

typedef struct Kernel {
    /* As reach_count, reach_list and, for T, reach_list_spins. */
    int (*count)(const Columns *columns, Piece piece, bool rotate180);
    int (*list)(const Columns *columns, Piece piece, bool rotate180, Placement *out);
    int (*list_spins)(const Columns *columns, bool rotate180, Placement *out);
    /* Counts below a board of at most perft_low_rows(walk, ply) rows. */
    void (*perft_low)(const PerftWalk *walk, const Columns *columns, const struct PerftTurn *turn,
                      int ply);
} Kernel;

enum {
    /* Lanes that do not hold the ceiling must reach this far above the stack: then every state fits
     * with its centre in the top row of a lane, and what is above can be left out, because from
     * there a piece rotates without kicks. The upright I needs the most. */
    KERNEL_FREE_ROWS = 3,
    KERNEL_MAX_COLUMNS = 14 /* in lanes that go round */
};

/* True when the piece can be rotated at the spawn and moved over every column, so that everything
 * is reached which can be fallen to from above the stack. */
static inline bool kernel_open(const Columns *columns, int highest) {
    return highest + KERNEL_FREE_ROWS <= columns->height;
}

/* How many rows the lanes need: 16, 32 or 64. */
static inline int kernel_lane_rows(const Columns *columns) {
    int highest = columns_highest(columns);
    if (!kernel_open(columns, highest) || columns->width > KERNEL_MAX_COLUMNS ||
        highest > 32 - KERNEL_FREE_ROWS)
        return 64;
    return highest > 16 - KERNEL_FREE_ROWS ? 32 : 16;
}

/* True when the CPU can run that instance. */
bool kernel_available(KernelLevel level);

/* The instance of a level, NULL where the architecture has none. */
const Kernel *kernel_at(KernelLevel level);

/* The fastest instance that can run here. */
const Kernel *kernel_best(void);

extern const Kernel kernel_portable;
#if defined(__x86_64__)
extern const Kernel kernel_avx2;
extern const Kernel kernel_avx512;
#endif

#endif
