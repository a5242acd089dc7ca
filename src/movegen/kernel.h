/*
 * kernel: the vector code behind reach, one instance for each kind of processor.
 *
 * The same source (reach_kernel.h) is compiled for what every processor of the architecture has,
 * for AVX2 and for AVX-512; which one runs is asked of the processor at each call (a load and a
 * test), so there is nothing to set up and no state. Results do not depend on the choice.
 */
#ifndef TETROPT_MOVEGEN_KERNEL_H
#define TETROPT_MOVEGEN_KERNEL_H

#include "engine/columns.h"
#include "engine/placement.h"

typedef enum KernelLevel { KERNEL_PORTABLE, KERNEL_AVX2, KERNEL_AVX512, KERNEL_LEVELS } KernelLevel;

/* The resting places found, a word a column, bit y for a centre in row y; only the states that
 * stand first are used. */
typedef struct ReachSet {
    uint64_t locks[ROTATION_COUNT][BOARD_MAX_WIDTH];
} ReachSet;

/* The resting places of T that can be had under each label. */
typedef struct ReachSpins {
    ReachSet labels[SPIN_COUNT];
} ReachSpins;

typedef struct PerftWalk PerftWalk; /* perft_walk.h */
struct PerftTurn;

typedef struct Kernel {
    void (*find)(const Columns *columns, Piece piece, bool rotate180, ReachSet *set);
    void (*find_spins)(const Columns *columns, bool rotate180, ReachSpins *spins);
    /* Counts below a board of at most walk->low_rows rows. */
    void (*perft_low)(const PerftWalk *walk, const Columns *columns, const struct PerftTurn *turn,
                      int ply);
} Kernel;

/* True when the processor can run that instance. */
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
