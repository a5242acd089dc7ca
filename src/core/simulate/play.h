/*
 * play: one game of an agent, from its first piece to its end or to a limit.
 */
#ifndef TETROPT_SIMULATE_PLAY_H
#define TETROPT_SIMULATE_PLAY_H

#include "player/player.h"
#include "simulate/statistics.h"

/* Receives what happens in a game. Any part may be missing. */
typedef struct PlayObserver {
    Times *times;                                    /* CPU time of decisions */
    AgentRecord *record;                             /* every placement */
    void (*tick)(void *context, int64_t pieces);     /* this many more were placed */
    void (*locked)(void *context, const Game *game); /* after every lock; for tests and views */
    /* In a stream: some of its boards, with the pieces and lines so far. */
    void (*dropped)(void *context, const Columns *board, int64_t pieces, int64_t lines);
    void *context;
} PlayObserver;

typedef enum PlayEnd {
    PLAY_DONE,  /* over, or a limit of pieces or lines */
    PLAY_CUT,   /* by the clock or a stop */
    PLAY_FAULT, /* the player had no move (Agent.fault) */
    PLAY_FAILED /* memory */
} PlayEnd;

/* Plays a game that has just begun and leaves it as it ended. PLAY_FAILED comes with `status`. */
PlayEnd play_game(const Agent *agent, void *player, int preview, Game *game,
                  const AgentLimits *limits, Rng *rng, const PlayObserver *observer,
                  Status *status);

/* True when the game topped out; false when it has no more pieces or still runs. */
bool play_died(const Game *game);

#endif
