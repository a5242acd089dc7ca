/*
 * kernel: what a kernel of the drop player provides, and what all of them share.
 *
 * For drop.c and the kernels only; the player's face is drop.h.
 */
#ifndef TETROPT_PLAYER_DROP_KERNEL_H
#define TETROPT_PLAYER_DROP_KERNEL_H

#include "base/cpu.h"
#include "player/drop/drop.h"

struct DropKernel {
    const char *name;
    CpuLevel level; /* that it needs */
    int max_width, max_height;
    DropChoice (*choose)(const DropController *controller, const Columns *board, Piece piece);
    /* May be NULL. */
    DropChoice (*choose_two)(const DropController *controller, const Columns *board, Piece piece,
                             Piece next);
    void (*play)(const DropController *controller, GameStream *stream, int64_t pieces,
                 bool one_game);
};

/* In 16 bits fit the floor, this many rows, a landing piece and a bit that only walls have. */
enum { DROP_LOW_ROWS = 10 };

#if defined(__x86_64__)
extern const DropKernel drop_kernel_avx512_low;
extern const DropKernel drop_kernel_avx512;
extern const DropKernel drop_kernel_avx2;
extern const DropKernel drop_kernel_sse2_low;
extern const DropKernel drop_kernel_sse2;
#endif

/* Draws up to `wanted` pieces ahead when none are left; false when there are no more. */
bool drop_stream_refill(GameStream *stream, int64_t wanted);

/* The next piece of a stream that drop_stream_refill left with one. */
static inline Piece drop_stream_next(GameStream *stream) {
    return (Piece)stream->ahead[stream->ahead_next++];
}

/* Folds a placement of the rotation whose leftmost cell is in column `left`, or a top-out. */
static inline uint64_t drop_fold(uint64_t signature, unsigned rotation, unsigned left) {
    return (signature ^ (rotation << 4 | left)) * 0x9e3779b97f4a7c15u + (signature >> 29);
}

/* The code of a top-out. */
enum { DROP_DEATH_ROTATION = 15, DROP_DEATH_LEFT = 15 };

#endif
