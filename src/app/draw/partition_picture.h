/*
 * partition_picture: the game of problem/partition as a row of boards: the start, after every
 * number, when the buckets are full, when the lock is open, and the end.
 */
#ifndef TETROPT_DRAW_PARTITION_PICTURE_H
#define TETROPT_DRAW_PARTITION_PICTURE_H

#include "draw/drawing.h"
#include "problem/partition_game.h"

/* Writes an SVG file. No moves (NULL): only the start. Of many numbers only some are drawn. */
bool partition_picture_write(const Partition *partition, const PartitionMoves *moves,
                             const char *path, Status *status);

#endif
