/*
 * partition_game: plays the game of problem/partition on a plain grid of its own, since its boards
 * are larger than an engine Board.
 *
 * Rules: a piece appears above the board and is moved left, right and down by one cell and rotated
 * by quarter turns about its centre (engine/piece), without kicks; the O does not change when it is
 * rotated. Every step must lead to empty cells. A piece locks where its moves end, and must rest
 * there. Full rows are removed.
 */
#ifndef TETROPT_PROBLEM_PARTITION_GAME_H
#define TETROPT_PROBLEM_PARTITION_GAME_H

#include "base/text.h"
#include "problem/partition.h"

/* The moves of every piece: letters with an optional count, "c l3 d95 r2". l, r and d move by one
 * cell, c rotates clockwise, a counter-clockwise. */
typedef struct PartitionMoves {
    char **texts; /* one per piece */
    int count;
} PartitionMoves;

typedef struct PartitionGame PartitionGame;

/* The game before its first piece; NULL with `status` when memory runs out. The instance must
 * outlive it. */
PartitionGame *partition_game_new(const Partition *partition, Status *status);
void partition_game_free(PartitionGame *game);

/* Moves the next piece and locks it. False with `status` when the moves are malformed, blocked, or
 * end where the piece does not rest. */
bool partition_game_play(PartitionGame *game, const char *moves, Status *status);

/* Pieces locked, rows removed, single moves made, and cells still filled. */
int partition_game_placed(const PartitionGame *game);
int partition_game_lines(const PartitionGame *game);
uint64_t partition_game_steps(const PartitionGame *game);
int partition_game_cells(const PartitionGame *game);

/* What fills a cell: 0 nothing, -1 the board of the start, else the number of the piece, from 1. */
int partition_game_owner(const PartitionGame *game, int x, int y);

/* The columns that the last piece filled are those of this bucket; -1: of more than one, or of the
 * lock. */
int partition_game_bucket(const PartitionGame *game);

/* Builds the moves of all pieces from a solution of partition_solve. False with `status` when it is
 * not a solution or memory runs out. */
bool partition_moves_build(const Partition *partition, const int bucket_of[PARTITION_MAX_NUMBERS],
                           PartitionMoves *moves, Status *status);
void partition_moves_release(PartitionMoves *moves);

/* Plays all moves from the start. Fails unless every one is possible, all pieces are placed and the
 * board is empty in the end; bucket_of[i] becomes the bucket in which the pieces of number i were
 * placed. It knows nothing of how the moves were made. *end is the game at its end, which the
 * caller frees. */
bool partition_moves_replay(const Partition *partition, const PartitionMoves *moves,
                            int bucket_of[PARTITION_MAX_NUMBERS], PartitionGame **end,
                            Status *status);

/* The certificate: instance and moves as a JSON document (docs/FORMATS.md). `moves` is released by
 * the caller, also after a failure. */
bool partition_certificate_write(const Partition *partition, const PartitionMoves *moves,
                                 Text *json);
bool partition_certificate_read(const char *json, size_t length, Partition *partition,
                                PartitionMoves *moves, Status *status);

#endif
