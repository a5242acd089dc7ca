/*
 * outside: any program as an optimiser (`--algorithm 'lines:COMMAND'`), by ask and tell.
 *
 * One line of JSON per message. The program gets the problem, then sends batches of genotypes and
 * gets their fitness, until it has enough or a limit is reached (docs/SOLVE.md). Evaluations,
 * limits, the best so far, reports and answers are ours, so a program is compared with our
 * optimisers under the same conditions.
 *
 * The library starts no process: a front end whose users may run programs passes the means
 * (base/child.h). It is not in the list of optimisers, since it is nothing without a command.
 */
#ifndef TETROPT_OPTIM_OUTSIDE_H
#define TETROPT_OPTIM_OUTSIDE_H

#include "base/child.h"
#include "optim/optim.h"

typedef struct OptimOutsideParameters {
    double answer_seconds; /* a program that is silent for longer has failed */
    /* Set by the caller, not by name. */
    const char *command;
    const ChildHost *host;
} OptimOutsideParameters;

extern const Optimiser outside_optimiser;

/* The command in the name of an algorithm ("lines:COMMAND", "lines?answer=60:COMMAND"); NULL: it is
 * another algorithm. The parameters before the colon are copied to `query`, of OUTSIDE_QUERY_BYTES.
 */
enum { OUTSIDE_QUERY_BYTES = 64 };
const char *optim_outside_command(const char *name, char *query);

#endif
