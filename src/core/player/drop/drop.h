/*
 * drop: the literature's player. It sees one piece, or two (drop_choose_two), looks at every
 * rotation and column by the rule set `drop`, and takes the placement with the highest weighted sum
 * of the features.
 *
 * Invariant: every kernel plays the same game, placement for placement. Sums are exact (weights.h)
 * and ties go to the first placement, rotations in the order north, east, south, west, columns
 * from the left; so what a kernel computes is fixed, and only its speed is its own. A placement
 * with a cell at or above the board's height ends the game and is taken only when there is no
 * other: then the first placement, marked as dead.
 *
 * The plain kernel measures every placement by features.c, on any board size. The fast ones hold a
 * whole rotation in vector lanes (lanes.h); the fastest that the processor has is taken.
 */
#ifndef TETROPT_PLAYER_DROP_DROP_H
#define TETROPT_PLAYER_DROP_DROP_H

#include "engine/placement.h"
#include "eval/weights.h"
#include "player/stream.h"

typedef struct DropKernel DropKernel;

/* A rotation of a piece for the fast kernels. A piece whose lowest row is row y lands at y + 1: the
 * kernels count the floor as a row. Two rotations can share a shape, with 16 bits each. */
typedef struct DropShape {
    uint32_t cells[4];  /* column i as bits, bit 0 the lowest row of the piece */
    uint32_t low[4];    /* the lowest of them */
    uint32_t bottom[4]; /* its number */
    uint32_t top[4];    /* the number of the one above the highest */
    uint32_t count[4];  /* how many there are */
    uint32_t used[4];   /* all ones where there are any */
    uint32_t middle;    /* what to add to twice the landing for the landing height in half rows */
    uint32_t highest_landing;
} DropShape;

/* A plain value; it may be shared by threads. */
typedef struct DropController {
    FixedWeights weights;
    DropShape shapes[PIECE_COUNT][ROTATION_COUNT];
    DropShape pairs[PIECE_COUNT][ROTATION_COUNT / 2]; /* for boards of up to DROP_LOW_ROWS rows */
    uint8_t width, height;
    const DropKernel *kernel;
    const DropKernel *kernel_two; /* of drop_choose_two */
} DropController;

typedef struct DropChoice {
    Placement placement;
    bool dead; /* no placement stays inside the board */
} DropChoice;

/* A controller for boards of that size, with the fastest kernel that can play there. */
void drop_init(DropController *controller, const Weights *weights, int width, int height);

/* The kernels there are, fastest first; NULL after the last. The last is the plain one. */
const DropKernel *drop_kernel(int index);
const char *drop_kernel_name(const DropKernel *kernel);

/* True when this processor runs the kernel and boards of that size fit it. */
bool drop_kernel_can(const DropKernel *kernel, int width, int height);

/* True when it can choose with the next piece visible. */
bool drop_kernel_sees_two(const DropKernel *kernel);

/* The choice on `board`, which has the controller's size and nothing at or above its height. */
DropChoice drop_choose(const DropController *controller, const Columns *board, Piece piece);

/* The choice with the next piece visible (PIECE_NONE: nothing follows): of all placements of both
 * pieces the best by the board after both and the moves of both (landing height, eroded cells,
 * removed rows). Where no placement of the next piece stays inside, or nothing follows, as
 * drop_choose. */
DropChoice drop_choose_two(const DropController *controller, const Columns *board, Piece piece,
                           Piece next);

/* Places `pieces` more pieces, through as many games as it takes; with `one_game` it stops after a
 * top-out. Ends early when a list of pieces is used up (out_of_pieces). */
void drop_play(const DropController *controller, GameStream *stream, int64_t pieces, bool one_game);

/* The same by drop_choose_two. The next piece stays in the stream's `ahead`. */
void drop_play_two(const DropController *controller, GameStream *stream, int64_t pieces,
                   bool one_game);

/* Fixed work for benchmarks: bcts on 10x20, uniform pieces, a fixed seed. Returns the signature,
 * which is the same for every kernel, compiler and machine. `kernel` NULL: the fastest. */
uint64_t drop_bench(const DropKernel *kernel, int64_t pieces);

#endif
