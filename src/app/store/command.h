/*
 * command: what a grid needs of the job that it runs. It is passed as a function table, so that
 * tests can replace it.
 */
#ifndef TETROPT_STORE_COMMAND_H
#define TETROPT_STORE_COMMAND_H

#include "base/progress.h"
#include "base/status.h"
#include "store/store.h"

/* The answer of a run, as JSON; to be freed. */
typedef struct ExperimentResult {
    char *document; /* as printed with --json --no-times */
    char *times;    /* what differs from run to run; NULL: nothing */
} ExperimentResult;

typedef struct ExperimentCommands {
    /* True when a job of that name exists. */
    bool (*known)(const char *command);

    /* Whether `key` is an option or a parameter of the command, and `value` a legal value of it. A
     * parameter's value can only be checked together with the algorithm: that is `check`. */
    bool (*check_value)(const char *command, const char *key, const char *value, Status *status);

    /* Whether the command would run with all of that together. */
    bool (*check)(const StoreRun *run, Status *status);

    /* Runs it on the calling thread (and the threads that its parameters ask for). */
    bool (*run)(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                Status *status);

    /* The parameter that every new run of the command names even where its grid does not, because
     * its default has changed: a stored run without it means the former default. Its name is NULL
     * where there is none; may be NULL. */
    StoreParameter (*pinned)(const char *command);
} ExperimentCommands;

#endif
