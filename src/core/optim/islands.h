/*
 * islands: several runs of ga that exchange their best along a ring.
 *
 * Every island has a population, a seed and its own equal share of the evaluations. Every
 * `interval` generations all meet: its best go to the next island, where they take the places of
 * the worst. An island that must end sooner (target, limit, time, stop) goes to its next meeting at
 * once and waits there; then all end. Patience ends the run when all islands have run out of it. So
 * no island waits for one that has ended, and generations decide, never clocks: the outcome is the
 * same for the same seed, evaluations and number of islands, unless the time limit or a stop ended
 * it.
 *
 * Invariant: all islands come to the same meetings in the same order, and a meeting is one sum,
 * followed by one shift when the run continues. An island that fails says so in the sum, whenever
 * it comes.
 */
#ifndef TETROPT_OPTIM_ISLANDS_H
#define TETROPT_OPTIM_ISLANDS_H

#include "optim/control.h"
#include "optim/ga.h"

typedef struct Islands {
    const Exchange *exchange;
    Control *control;
    size_t migrants;
    uint64_t interval, next; /* next: the generation of the next meeting */
    uint64_t fingerprint;    /* of the work; the same on all islands */
    int verdict;             /* of the last meeting */
    size_t entry_bytes;
    unsigned char *sent, *received; /* migrants entries each */
    GaRank *ranks;
    size_t *worst;
} Islands;

/* This island's part of a run: its own seed and its share of the evaluations, at least one. The
 * first keeps the seed of the run. */
OptimRun islands_part(const OptimRun *run);

/* `run` is the whole one, `control` that of the part. islands_release also after a failure. */
bool islands_init(Islands *islands, const OptimRun *run, Control *control,
                  const GaParameters *parameters, Status *status);
void islands_release(Islands *islands);

/* Asked between generations; `over` is whether this island would end, and then outcome->end says
 * why. True when all end, outcome->end being the reason. */
bool islands_over(Islands *islands, Ga *ga, bool over);

/* After the run: gives all islands the best of all (of equals that of the lowest island) and the
 * sum of the evaluations. False with `status` when an island failed or they had different work;
 * only one of them then has a message. */
bool islands_finish(Islands *islands, Status *status);

/* Instead of everything that was still to come, for an island that cannot continue. NULL is fine.
 */
void islands_give_up(const Exchange *exchange);

#endif
