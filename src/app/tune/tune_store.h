/*
 * tune_store: the runs of a tuning in a store.
 *
 * Every batch that a tuner asks for becomes a grid called "tune NAME B" (B counts batches), whose
 * runs any number of workers share. Since a tuner asks the same again, a tuning that was stopped is
 * resumed by starting it again: batches that are in the store are only read. Processes that tune
 * the same on one store at the same time do each batch together.
 */
#ifndef TETROPT_TUNE_TUNE_STORE_H
#define TETROPT_TUNE_TUNE_STORE_H

#include "base/arena.h"
#include "job/job.h"
#include "store/work.h"
#include "tune/tuner.h"

#define TUNE_GRID_PREFIX "tune "

typedef struct TuneStore {
    Store *store;
    const Job *job;
    const char *name;    /* of the tuning */
    const char *measure; /* of a run */
    StoreParameter fixed[STORE_PARAMETERS_MAX];
    int fixed_count;
    const char **instances; /* of the benchmark; NULL: every instance is a seed */
    int training, held_out; /* instances for each: the first and the last of them */
    uint64_t seed;
    const char *settings; /* all that decides about the tuning, as a text */
    unsigned workers;
    double lease_seconds;
    const atomic_bool *stop;
    Arena *arena; /* for texts */
    int batches;
    int64_t last_run; /* numbers up to this were read */
} TuneStore;

/* Whether the job takes the default configuration on the first instance. */
bool tune_store_check(TuneStore *tune, const Space *space, Status *status);

/* A TunerEvaluate whose context is a TuneStore. */
bool tune_store_evaluate(void *context, const Tuner *tuner, const TunerPair *pairs, size_t count,
                         double *values, double *seconds, Status *status);

/* Keeps the document of a finished tuning in the store, as a grid without runs. */
bool tune_store_keep(TuneStore *tune, const char *document, Status *status);

#endif
