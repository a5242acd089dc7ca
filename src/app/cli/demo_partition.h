/*
 * demo_partition: the subject `partition` of `demo`: decides 3-PARTITION and shows the answer as a
 * game of Tetris, or checks a certificate that was saved.
 */
#ifndef TETROPT_CLI_DEMO_PARTITION_H
#define TETROPT_CLI_DEMO_PARTITION_H

#include "cli/cli.h"
#include "problem/problem.h"

typedef struct PartitionOptions {
    const char *numbers, *save, *svg, *board, *check;
    int64_t target, sets;
    bool teaching;
} PartitionOptions;

extern const OptionTable partition_options;

/* STATUS_OK for yes, STATUS_UNMET for no or not decided, else with `status`. */
StatusCode demo_partition(const CliContext *context, const PartitionOptions *options,
                          const CliCommon *common, uint64_t seed, ProblemCut cut, Status *status);

#endif
