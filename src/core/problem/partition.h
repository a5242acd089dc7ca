/*
 * partition: 3-PARTITION, and the game of Tetris that decides it (Demaine, Hohenberger and
 * Liben-Nowell, "Tetris is hard, even to approximate", 2003).
 *
 * Instance: 3s numbers with T/4 < a < T/2 and sum sT. The answer is yes when they split into s
 * triples of sum T each. The game: s buckets and a lock side by side, and a piece sequence that
 * empties the board exactly when the numbers can be split that way (docs/PARTITION.md).
 *
 * The numbers per bucket are a parameter: 3 is the problem, 1 a variant for teaching whose boards
 * are small enough for `solve`. There every number must be T, and T/4 < a < T/2 does not apply.
 */
#ifndef TETROPT_PROBLEM_PARTITION_H
#define TETROPT_PROBLEM_PARTITION_H

#include "base/status.h"
#include "engine/piece.h"
#include "problem/problem.h"

enum {
    PARTITION_PER_BUCKET = 3,
    PARTITION_MAX_SETS = 50,
    PARTITION_MAX_NUMBERS = PARTITION_PER_BUCKET * PARTITION_MAX_SETS,
    PARTITION_MAX_TARGET = 500
};

typedef struct Partition {
    int numbers[PARTITION_MAX_NUMBERS];
    int count, target;
    int per_bucket; /* 3, or 1 for teaching */
} Partition;

typedef enum PartitionAnswer { PARTITION_NO, PARTITION_YES, PARTITION_UNKNOWN } PartitionAnswer;

/* Reads the numbers from "5,5,6". */
bool partition_read(Partition *partition, const char *numbers, Status *status);

/* Draws 3s numbers evenly from those that some triple of sum `target` has, then changes some of
 * them by 1 until their sum is s * target. The answer may be yes or no. */
bool partition_random(Partition *partition, int sets, int target, uint64_t seed, Status *status);

/* False with every reason in one message when it is not an instance. All other functions need one
 * that is. */
bool partition_check(const Partition *partition, Status *status);

/* Decides by a search over the numbers, complete unless it is cut (PARTITION_UNKNOWN). If yes,
 * bucket_of[i] is the bucket of number i. *nodes counts the numbers tried. Without memory it is
 * PARTITION_UNKNOWN with `status`. */
PartitionAnswer partition_solve(const Partition *partition, ProblemCut cut,
                                int bucket_of[PARTITION_MAX_NUMBERS], uint64_t *nodes,
                                Status *status);

/* Fails unless every bucket has `per_bucket` numbers of sum `target`. */
bool partition_verify(const Partition *partition, const int bucket_of[PARTITION_MAX_NUMBERS],
                      Status *status);

/* ---- the game */

/* Buckets. */
int partition_sets(const Partition *partition);

/* The size of the board, without the space above it where pieces appear. */
int partition_columns(const Partition *partition);
int partition_rows(const Partition *partition);

/* Whether a cell is filled at the start; row 0 is the floor. */
bool partition_filled(const Partition *partition, int x, int y);

/* The pieces of one number: I J O, then per unit J Z J J O, then O O. */
int partition_number_pieces(int number);

/* The pieces of the game, and those up to and with number i. After the numbers come one I per
 * bucket, one L, and the I that clear the rest. */
int partition_piece_count(const Partition *partition);
int partition_end_of_number(const Partition *partition, int i);
void partition_pieces(const Partition *partition, uint8_t *pieces);

#endif
