/*
 * command: what a grid needs of the job that it runs. The commands themselves belong to the
 * program; they are handed in as a function table, so that a run of a grid goes through the very
 * code that the command line goes through.
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
    /* True when there is a command of that name that can be run from a grid. */
    bool (*known)(const char *command);

    /* Whether `key` is an option or a parameter of the command, and `value` a legal value of it. A
     * parameter's value can only be judged together with the algorithm: that is `check`. */
    bool (*check_value)(const char *command, const char *key, const char *value, Status *status);

    /* Whether the command would run with all of that together. */
    bool (*check)(const StoreRun *run, Status *status);

    /* Runs it on the calling thread (and the threads that its parameters ask for). */
    bool (*run)(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                Status *status);
} ExperimentCommands;

#endif
