/*
 * store_run: runs the waiting runs of a store with a progress line, for `experiment run` and
 * `reproduce`; and the grids that come with the program.
 */
#ifndef TETROPT_CLI_STORE_RUN_H
#define TETROPT_CLI_STORE_RUN_H

#include "cli/cli.h"
#include "store/work.h"

/* Runs all of them; `workers` 0: as many as there are processors. */
bool store_run(Store *store, const CliCommon *common, unsigned workers, double lease_seconds,
               WorkSummary *summary, Status *status);

/* How long the rest will take by the mean of what is done; negative when nothing is known. */
double store_seconds_left(const StoreCounts *counts);

/* The text of a grid that came with the program ("ga" or "ga.ini"); NULL: there is none. */
const char *ready_grid(const char *name);

#endif
