/*
 * item: one piece of work of a simulation: a game, or a stream of games one after the other.
 *
 * Item number i of a task draws its pieces and its decisions from the seeds of that number
 * (simulate.h), so it comes out the same whoever plays it.
 */
#ifndef TETROPT_SIMULATE_ITEM_H
#define TETROPT_SIMULATE_ITEM_H

#include "player/drop/drop.h"
#include "simulate/play.h"
#include "simulate/simulate.h"

typedef struct ItemPlayer {
    const SimulateTask *task;
    void *player;                     /* of the agent; not used where the controller plays */
    const DropController *controller; /* plays by the drop player's own loop: ten times as fast, but
                                         score, level, height and holes stay 0; NULL: piece by
                                         piece */
    uint64_t deadline_ns;             /* UINT64_MAX: none */
    PlayWitness witness;              /* times and ticks */
} ItemPlayer;

/* True when the drop player's own loop can play for the agent. */
bool item_can_drop(const SimulateTask *task);

/* The controller for that. */
void item_controller(const SimulateTask *task, DropController *controller);

/* Plays game number `index`. False with `status` when memory runs out; out->complete tells whether
 * the clock or a stop cut it. `out` starts as zeros. */
bool item_game(const ItemPlayer *item, int64_t index, SimulateGame *out, Status *status);

/* Plays games one after the other until `pieces` are placed; the pieces go on from game to game. */
bool item_stream(const ItemPlayer *item, int64_t index, int64_t pieces, SimulateGame *out,
                 Status *status);

#endif
