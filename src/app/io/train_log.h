/*
 * train_log: what a training says about every generation, as JSON Lines.
 *
 * {"generation": 1, "best": .., "mean": .., "points_per_piece": .., "lines_per_piece": ..,
 *  "pieces_allowed": .., "candidates": .., "games": .., "pieces": .., "sigma": ..,
 *  "weights": {"holes": .., ...}, "seconds": ..}
 *
 * What is not known is null, and so is a piece limit that is none. A row is written before the
 * state of its generation, so after a kill the log may be one row ahead and never behind; a resumed
 * training cuts it back.
 */
#ifndef TETROPT_IO_TRAIN_LOG_H
#define TETROPT_IO_TRAIN_LOG_H

#include "io/json.h"
#include "train/trainer.h"

enum { TRAIN_LOG_LIMIT = 1 << 30 /* bytes of a file */ };

/* A row; `names` are those of the weights. NULL: no memory. */
json_t *train_log_row(const TrainRow *row, const char *const *names, int count, double seconds);

/* Called for every row of a log that is kept. */
typedef void TrainLogVisit(void *context, const TrainRow *row);

/* Cuts the log at `path` back to the rows up to `generation` and visits them (`visit` may be NULL);
 * a file that is not there is made. A half-written last line goes too; anything else that is no
 * row is an error and the file stays as it is. */
bool train_log_cut(const char *path, int64_t generation, const char *const *names, int count,
                   TrainLogVisit *visit, void *context, Status *status);

/* Adds a row to the file and waits until it is on the disk. A row that is NULL is one for which
 * memory ran out. */
bool train_log_append(const char *path, const json_t *row, Status *status);

#endif
