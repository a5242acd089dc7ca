/*
 * trainer: the generations of a training, from a method and an objective.
 *
 * What makes a training honest happens here: all candidates of a generation play the same seeds,
 * every generation has new ones, and the winner is scored on seeds of a range that training never
 * touches (training stays below TRAINER_HELD_OUT_SEEDS). Everything that is drawn belongs to
 * (seed, generation), and the trials of a generation are one list that all threads and ranks share;
 * so the outcome depends neither on these nor on how often the training was stopped and resumed.
 *
 * Every rank makes the whole training for itself, with the same seed; only the trials of a
 * generation are shared out, and their results, all integers, added up. So the ranks agree without
 * talking about anything else but whether one of them failed.
 */
#ifndef TETROPT_TRAIN_TRAINER_H
#define TETROPT_TRAIN_TRAINER_H

#include "base/exchange.h"
#include "base/pool.h"
#include "base/progress.h"
#include "train/objective.h"
#include "train/train.h"

#include <stdatomic.h>

#define TRAINER_HELD_OUT_SEEDS ((uint64_t)1 << 52) /* from here on; exact in any JSON reader */

typedef struct TrainTask {
    const TrainMethod *method;
    const void *parameters; /* of the method */
    const TrainObjective *objective;
    TrainSpace space;                 /* of the weights that are trained */
    int weights;                      /* all of them */
    int trained[TRAIN_MAX_WEIGHTS];   /* number i of a vector is this weight */
    double pinned[TRAIN_MAX_WEIGHTS]; /* what the others are */
    uint64_t seed;
    int64_t games;      /* of a candidate */
    int64_t max_pieces; /* of a game; INT64_MAX: no limit */
    int64_t grow_every; /* generations after which the limit grows by half; 0: never */
    int64_t grow_to;    /* the limit grows no further; 0: any */
    double prune;       /* a weight is dropped when it stays below this share of the largest; 0:
                           none is */
    Pool *pool;
    const Exchange *ranks;   /* that share the trials; NULL: only this process */
    const atomic_bool *stop; /* may be NULL */
    /* Counts the pieces of this generation; called by the thread that called trainer_step. May be
     * NULL. */
    ProgressReport *report;
    void *report_context;
} TrainTask;

/* The results of a generation. */
typedef struct TrainRow {
    int64_t generation;                /* from 1 */
    double best, mean;                 /* of the scores of its candidates */
    double points_per_piece;           /* of the best candidate; NaN: not known */
    double lines_per_piece;            /* likewise */
    int64_t pieces_allowed;            /* in a game; INT64_MAX: no limit */
    int64_t candidates, games, pieces; /* played */
    const char *spread_name;           /* NULL: the method has none */
    double spread;
    double weights[TRAIN_MAX_WEIGHTS]; /* what the method would give now, as they are written */
} TrainRow;

typedef struct Trainer Trainer;

/* A training before its first generation. NULL with `status` on failure. The task must stay. */
Trainer *trainer_new(const TrainTask *task, Status *status);
void trainer_free(Trainer *trainer);

typedef enum TrainerEnd {
    TRAINER_DONE,
    TRAINER_CUT,   /* by a stop; the training is as it was before */
    TRAINER_FAILED /* see the status */
} TrainerEnd;

/* Makes one generation. */
TrainerEnd trainer_step(Trainer *trainer, TrainRow *row, Status *status);

/* Generations made, games and pieces played so far. */
int64_t trainer_generation(const Trainer *trainer);
int64_t trainer_games(const Trainer *trainer);
int64_t trainer_pieces(const Trainer *trainer);

/* The piece limit of generation number `generation` (from 1). */
int64_t trainer_limit(const TrainTask *task, int64_t generation);

/* The weights it would give now, as they are written. */
void trainer_best(const Trainer *trainer, double *weights);

/* Bit i: weight i was dropped. */
uint64_t trainer_dropped(const Trainer *trainer);

typedef struct TrainHeldOut {
    int64_t games, pieces, lines, deaths;
    uint64_t seed; /* of the first game */
    TrialSummary summary;
} TrainHeldOut;

/* Scores weights, as they are written (NULL: the present best), on `games` held-out seeds, which
 * are the same until the next generation. */
TrainerEnd trainer_held_out(Trainer *trainer, const double *weights, int64_t games,
                            TrainHeldOut *held_out, Status *status);

/* Saves or loads everything that generations to come depend on. */
void trainer_visit(Trainer *trainer, TrainArchive *archive);

#endif
