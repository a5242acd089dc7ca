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

/* The line of every command: "42 %, WHAT, 1:05, ETA 0:30". `share` is 0..1 of the work and `left`
 * the seconds to come; negative: not known. */
enum { PROGRESS_BYTES = 240 };
void progress_format(const ProgressLine *progress, double share, double left, const char *what,
                     char line[PROGRESS_BYTES]);

/* The larger of `share` and the share of the time limit that is over; a limit of 0 is none. */
double progress_share(const ProgressLine *progress, double share, double limit_seconds);

/* The seconds left if the rest is as fast as the `share` so far; -1: not known. */
double progress_left(const ProgressLine *progress, double share);

/* Formats and shows the line with the time left by progress_left. */
void progress_show(ProgressLine *progress, double share, const char *what);

/* Shows a line. */
void progress_show_line(ProgressLine *progress, const char *line);

/* Removes the line from the terminal. */
void progress_end(ProgressLine *progress);

#endif
