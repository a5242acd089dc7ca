/* experiment: what the subcommands of `experiment` share. */
#ifndef TETROPT_CLI_EXPERIMENT_H
#define TETROPT_CLI_EXPERIMENT_H

#include "cli/cli.h"

typedef struct ExperimentSettings {
    CliCommon common;
    const char *store, *name;
    const char *by, *measure, *grid; /* of compare */
    int64_t seed, workers;
    double lease_seconds, patience_seconds;
    bool yes, retry_failed, no_times;
} ExperimentSettings;

/* A subcommand; the words of the context begin with its name. */
typedef StatusCode ExperimentCommand(CliContext *context, const ExperimentSettings *settings,
                                     Status *status);

/* `compare`; the others are in cmd_experiment.c. */
ExperimentCommand experiment_compare;

#endif
