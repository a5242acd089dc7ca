/*
 * simulate: the job in which agents play games and are measured.
 *
 * Several agents are entrants: each plays the same pieces, one after the other, all threads on one.
 * Options about an agent are for those that the user named; the others of a protocol play as the
 * protocol says.
 */
#ifndef TETROPT_JOB_SIMULATE_H
#define TETROPT_JOB_SIMULATE_H

#include "job/job.h"
#include "job/play.h"
#include "simulate/simulate.h"

enum { SIMULATE_MAX_ENTRANTS = 16, SIMULATE_LABEL_BYTES = 64 };

typedef struct SimulateEntrant {
    Setup setup;
    SimulateTask task; /* played by `setup` */
    SimulateResult result;
    char *weights; /* the name or path they were given by; NULL: those of the setup */
    char label[SIMULATE_LABEL_BYTES];
} SimulateEntrant;

/* A run of the job, for front ends that show more than the document. */
typedef struct SimulateRun {
    SimulateEntrant entrants[SIMULATE_MAX_ENTRANTS];
    int count, started; /* entrants; those that have a result */
    PlayList list;
    uint64_t seed;
    double seconds; /* time limit; 0: none */
    unsigned threads;
    const PlayProtocol *protocol; /* NULL: none */
    bool per_game;
    bool limited; /* fewer pieces per game than usual, because nothing was said about the length */
} SimulateRun;

/* True when several agents are compared. */
bool simulate_is_comparison(const SimulateRun *run);

/* True when the question asks for a list of the agents only, and that list. */
bool simulate_wants_list(const Question *question);
void simulate_list_agents(Text *text);

/* Adds the best game of the only entrant as a replay with its key presses. */
bool simulate_best_replay(SimulateRun *run, Text *text, Status *status);

#endif
