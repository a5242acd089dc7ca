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
    /* The same for a board whose top is known to be not enough (KernelView). */
    int (*count_whole)(const Columns *columns, Piece piece, bool rotate180);
    int (*list)(const Columns *columns, Piece piece, bool rotate180, Placement *out);
    int (*list_spins)(const Columns *columns, bool rotate180, Placement *out);
    /* Counts below a board that perft_view shows in lanes. */
    void (*perft_low)(const PerftWalk *walk, const Columns *columns, const struct PerftTurn *turn,
                      int ply);
} Kernel;

enum {
    /* Lanes that do not hold the ceiling must reach this far above the stack: then every state fits
     * with its centre in the top row of a lane, and what is above can be left out, because from
     * there a piece rotates without kicks. The upright I needs the most. */
    KERNEL_FREE_ROWS = 3,
    /* A piece that enters at its spawn needs one more: where a rotation needs a kick the lowest
     * cell of the new state, at most two rows under the centre, is in the stack, and kicks go up by
     * at most two. */
    KERNEL_CLIMB_ROWS = 4,
    KERNEL_MAX_COLUMNS = 14 /* in lanes that go round */
};

/* So many rows from the lowest one a centre is too near to it, see KernelView: the piece could fall
 * or be kicked to where its lowest cell is below. Kicks go down by at most two rows. */
static inline int kernel_deep_rows(Piece piece) {
    return piece == PIECE_I ? 4 : piece == PIECE_O ? 1 : 3;
}

/* True when the piece can be rotated at the spawn and moved over every column, so that everything
 * is reached which can be fallen to from above the stack. */
static inline bool kernel_open(const Columns *columns, int highest) {
    return highest + KERNEL_FREE_ROWS <= columns->height;
}

/* The part of a board that is searched: `rows` rows (16, 32 or 64) from row `base` on. On an open
 * board the piece enters everywhere in the top row, otherwise only at its spawn.
 *
 * Lanes of 16 rows hold the top of a higher stack: the rows below are filled, for the search. If
 * the piece came near that (kernel_deep_rows), the result is not used and higher lanes search
 * again. */
typedef struct KernelView {
    int rows, base;
    bool open;
} KernelView;

/* The view without parts of the stack cut off. */
static inline KernelView kernel_whole_view(const Columns *columns) {
    int highest = columns_highest(columns);
    bool open = kernel_open(columns, highest);
    int top = highest + (open ? KERNEL_FREE_ROWS : KERNEL_CLIMB_ROWS);
    bool ceiling = !open && top + 2 > columns->height + BOARD_HIDDEN_ROWS;
    int rows = ceiling || columns->width > KERNEL_MAX_COLUMNS || top > 32 ? 64 : top > 16 ? 32 : 16;
    return (KernelView){rows, 0, open};
}

/* The view to begin with. */
static inline KernelView kernel_view(const Columns *columns) {
    KernelView view = kernel_whole_view(columns);
    int top = columns_highest(columns) + (view.open ? KERNEL_FREE_ROWS : KERNEL_CLIMB_ROWS);
    if (view.rows == 32 && (view.open || columns->height - 1 >= top - 16))
        return (KernelView){16, top - 16, view.open};
    return view;
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
