/*
 * ranks: the processes of one job that mpirun started, perhaps on several machines, as an Exchange
 * (base/exchange.h). A process that mpirun did not start is a job of one.
 *
 * Only the thread that called ranks_begin may use the exchange. Only rank 0 writes files and
 * prints, except for messages that only another one has. ranks_mpi.c is the only file that uses
 * MPI; ranks_alone.c replaces it in a build without.
 */
#ifndef TETROPT_SYSTEM_RANKS_H
#define TETROPT_SYSTEM_RANKS_H

#include "base/exchange.h"

/* Index and count that the launcher left in the environment; {0, 1} without one. Joins nothing. */
Exchange ranks_launched(void);

/* Joins the job. A build without MPI refuses to be one of several; only the first then has a
 * message. */
bool ranks_begin(Exchange *ranks, Status *status);
void ranks_end(void);

#endif
