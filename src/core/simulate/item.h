/*
 * item: one work item of a simulation: a game, or a stream of games one after the other.
 *
 * Item number i of a task draws its pieces and its decisions from the seeds of that number
 * (simulate.h), so the result is the same whichever thread plays it.
 */
#ifndef TETROPT_SIMULATE_ITEM_H
#define TETROPT_SIMULATE_ITEM_H

#include "simulate/play.h"
#include "simulate/simulate.h"

typedef struct ItemPlayer {
    const SimulateTask *task;
    void *player; /* of the task's agent */
    bool stream;  /* by the agent's `stream`: ten times as fast, but score, level, height and
                     holes stay 0; needs item_can_stream */
    uint64_t deadline_ns; /* UINT64_MAX: none */
    PlayWitness witness;  /* times and ticks */
} ItemPlayer;

/* True when the agent's `stream` can play the games of the task. */
bool item_can_stream(const SimulateTask *task);

/* Plays game number `index`. False with `status` when memory runs out; out->complete is
 * false when the clock or a stop ended it early. `out` starts as zeros. */
bool item_game(const ItemPlayer *item, int64_t index, SimulateGame *out, Status *status);

/* Plays games one after the other until `pieces` are placed; the pieces continue from game to
 * game. */
bool item_stream(const ItemPlayer *item, int64_t index, int64_t pieces, SimulateGame *out,
                 Status *status);

#endif
