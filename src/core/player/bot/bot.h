/*
 * bot: a session that searches while it waits. One plan, one thread that continues the search
 * between the calls, and calls that take the plan from it for a moment. Calls must not overlap.
 *
 * Invariant: position and plan belong to the holder of the lock; the search thread releases it
 * after a step as soon as a call wants it. Suggestions do not need the lock: the search thread
 * publishes them, so that they come in time even when that thread waits for a CPU. With a limit of
 * nodes there is no search between calls and no clock: the same calls get the same answers.
 */
#ifndef TETROPT_PLAYER_BOT_BOT_H
#define TETROPT_PLAYER_BOT_BOT_H

#include "player/bot/plan.h"

#include <stdatomic.h>

typedef struct Bot Bot;

typedef struct BotSettings {
    PlanSettings plan;
    int64_t move_time_ms;    /* a suggestion comes within this time of being asked for */
    uint64_t nodes;          /* or: searches until this many placements are evaluated; 0: by time */
    const atomic_bool *stop; /* answers at once when it becomes true; may be NULL */
} BotSettings;

enum { BOT_MOVES_MAX = PLAN_MOVES_MAX + SPIN_COUNT };

typedef struct BotSuggestion {
    /* The best first; then the same cells under the other labels that can be had; then the next
       best. None: there is no legal move, or no position. */
    Placement moves[BOT_MOVES_MAX];
    int count;
    uint64_t nodes;          /* placements evaluated since the position began */
    double nodes_per_second; /* while it searched; 0 with a limit of nodes */
    int depth;               /* placements of the longest line */
} BotSuggestion;

/* NULL with `status` on failure. */
Bot *bot_new(const BotSettings *settings, Status *status);
void bot_free(Bot *bot);

/* Begins a game, in place of any before. */
void bot_start(Bot *bot, const Position *position);

/* Ends the game. */
void bot_stop(Bot *bot);

/* A placement was made; a piece is new in the queue. False with `status`, and nothing changed, when
 * that cannot be. */
bool bot_play(Bot *bot, Placement move, Status *status);
bool bot_new_piece(Bot *bot, Piece piece, Status *status);

/* Garbage came up (position_rise); rows of garbage wait and come up after the next placement,
 * unless it sends lines or clears (as in guideline games). What waits is forgotten at the next
 * placement. Likewise. */
bool bot_rise(Bot *bot, const uint16_t *rows, int count, Status *status);
bool bot_incoming(Bot *bot, int rows, Status *status);

/* What to play, by the time for a move after `asked_ns` (of clock_now_ns). The time since the last
 * placement counts: when it was long, the answer comes at once. */
void bot_suggest(Bot *bot, uint64_t asked_ns, BotSuggestion *suggestion);

#endif
