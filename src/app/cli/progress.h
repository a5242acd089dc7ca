/*
 * progress: the progress line on standard error, and the log of the evolution. On a terminal the
 * line is rewritten; elsewhere a plain one comes every 10 seconds.
 */
#ifndef TETROPT_CLI_PROGRESS_H
#define TETROPT_CLI_PROGRESS_H

#include "cli/cli.h"
#include "optim/optim.h"

typedef struct ProgressLine {
    bool shown, terminal, logging, drawn;
    double seconds;       /* the time limit, 0: none */
    uint64_t evaluations; /* the limit, 0: none */
    uint64_t start_ns, last_ns;
    Text log; /* JSON Lines */
} ProgressLine;

void progress_init(ProgressLine *progress, const CliCommon *common, double seconds,
                   uint64_t evaluations, bool logging);
void progress_release(ProgressLine *progress);

/* An ProgressReport. */
void progress_report(void *context, const Progress *state);

/* True when it is time to show the progress. */
bool progress_due(ProgressLine *progress);

/* Shows another line. */
void progress_show(ProgressLine *progress, const char *line);

/* Removes the line from the terminal. */
void progress_end(ProgressLine *progress);

#endif
