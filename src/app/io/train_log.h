/*
 * train_log: one row per generation of a training, as JSON Lines.
 *
 * {"generation": 1, "best": .., "mean": .., "points_per_piece": .., "lines_per_piece": ..,
 *  "pieces_allowed": .., "candidates": .., "games": .., "pieces": .., "sigma": ..,
 *  "weights": {"holes": .., ...}, "seconds": .., "training": "0123456789abcdef"}
 *
 * Unknown values and a missing piece limit are null. A row is written before the state of
 * its generation, so after a kill the log may be one row ahead and never behind; a resumed training
 * truncates it. `training` is the id of the training (train_state.h); rows of version 1.0 have
 * none. A log with rows of another training is rejected, so that no two are mixed.
 */
#ifndef TETROPT_IO_TRAIN_LOG_H
#define TETROPT_IO_TRAIN_LOG_H

#include "train/trainer.h"

enum { TRAIN_LOG_LIMIT = 1 << 30 /* bytes of a file */ };

/* A log and what its rows have. */
typedef struct TrainLog {
    const char *path, *training;
    const char *const *names; /* of the weights */
    int count;
} TrainLog;

/* Called for every row of a log that is kept. */
typedef void TrainLogVisit(void *context, const TrainRow *row);

/* Truncates the log to the rows up to `generation` and visits them (`visit` may be NULL); a missing
 * file is created. A half-written last line is removed too; anything else that is not a row of this
 * training is an error and the file stays as it is. */
bool train_log_cut(const TrainLog *log, int64_t generation, TrainLogVisit *visit, void *context,
                   Status *status);

/* Adds a row to the file and waits until it is on the disk. */
bool train_log_append(const TrainLog *log, const TrainRow *row, double seconds, Status *status);

#endif
