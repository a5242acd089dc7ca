/*
 * plan: searches over the queue with hold, for as many steps as the caller wants.
 *
 * Layer d holds positions after d placements. A step takes the best nodes that wait in every layer,
 * makes their children and adds them to the next. So the search soon has an answer over the whole
 * queue and widens it with every further step (a beam without a width; contests call it chokudai
 * search). Positions that were reached in two ways are kept once. Where the queue ends, the best
 * nodes are weighed over the pieces that may come: without that the bot sent 0.93 lines per piece
 * instead of 1.06 (30,000 nodes per move, 3 games of 300 pieces).
 *
 * Invariant: layer 0 is the root alone; the parent of a node in layer d is a node in layer d - 1.
 * After a placement the layers move up by one and keep what descends from it; after a new piece
 * the last layer waits again. Memory is fixed from the start; nothing is allocated while searching.
 *
 * Steps depend on nothing but the calls that were made: with the same calls come the same answers,
 * on any number of threads.
 */
#ifndef TETROPT_PLAYER_BOT_PLAN_H
#define TETROPT_PLAYER_BOT_PLAN_H

#include "base/pool.h"
#include "player/bot/layer.h"
#include "player/bot/position.h"

enum {
    PLAN_DEPTH_MAX = 12,
    PLAN_MOVES_MAX = 32, /* that plan_moves ranks */
    PLAN_WIDTH = 8,
    PLAN_WIDTH_MAX = 16
};

typedef struct Plan Plan;

typedef struct PlanSettings {
    BotWeights weights;
    size_t memory_bytes; /* about as much is used */
    unsigned threads;
    int width; /* nodes of a layer in one step, at most PLAN_WIDTH_MAX; 0: PLAN_WIDTH */
} PlanSettings;

/* A plan for an empty position; NULL with `status` on failure. */
Plan *plan_new(const PlanSettings *settings, Status *status);
void plan_free(Plan *plan);

/* A new position; the search of others is dropped. */
void plan_reset(Plan *plan, const Position *position);

/* The position after a placement, or with more pieces in the queue: its part of the search is kept.
 */
void plan_advance(Plan *plan, const Position *position);

/* One step of the search (well under a millisecond on one thread); false when there is nothing left
 * to search. */
bool plan_step(Plan *plan);

/* Placements evaluated since the last reset or placement, and in total. */
uint64_t plan_nodes(const Plan *plan);
uint64_t plan_nodes_total(const Plan *plan);

/* How many placements the longest line has. */
int plan_depth(const Plan *plan);

/* Writes the placements of the root, the best first, and returns their number. */
int plan_moves(Plan *plan, Placement moves[PLAN_MOVES_MAX]);

/* The invariant; debug builds assert it after every change. */
bool plan_ok(const Plan *plan, const char **reason);

#endif
