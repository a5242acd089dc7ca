/*
 * pilot: an agent plays a live game by pressing keys, one every `press_us`, while gravity pulls.
 *
 * At its first press of a turn it asks the agent for a placement and finds the keys to it. Before
 * every press it looks whether the rest of the keys still leads there; a soft drop that gravity has
 * already made is skipped. When the goal is out of reach the agent decides again, and if that is
 * out of reach too, the best of all that can still be reached is taken, by the agent's weights.
 *
 * Everything happens at moments of the game's own time, so the game is the same however that time
 * is cut into pieces and however fast it runs.
 *
 * An agent that plays whole games (the bees) makes its plan first. The pilot follows it to its end,
 * where the game ends too: a placement that gravity has put out of reach is locked there at once.
 * So what is shown is what was played. Only when somebody else has played in between it continues
 * by the weights.
 */
#ifndef TETROPT_LIVE_PILOT_H
#define TETROPT_LIVE_PILOT_H

#include "live/live.h"
#include "player/setup.h"

/* By which the placements of agents without weights are evaluated. */
#define PILOT_FALLBACK_WEIGHTS "dt20"

typedef struct Pilot Pilot;

typedef struct PilotSetup {
    const Setup *player; /* who plays; only needed for pilot_new */
    uint64_t seed;       /* of the agent's decisions */
    int64_t press_us;    /* between two presses */
    int64_t max_pieces;  /* of the game, for agents that plan for its end; INT64_MAX: no limit */
    const int *waiting;  /* rows of garbage that wait in a race (match/race.h); NULL: no race */
} PilotSetup;

/* What the pilot is about to do. */
typedef struct PilotGoal {
    bool known;
    Move decision;
    int keys_left;
    bool overtaken; /* the first choice of this turn could not be reached any more */
} PilotGoal;

/* NULL with `status` when memory runs out or the parameters do not go together. */
Pilot *pilot_new(const PilotSetup *setup, Status *status);
void pilot_free(Pilot *pilot);

/* True when the agent must make a plan before the game can begin. */
bool pilot_needs_plan(const Pilot *pilot);

/* Makes it, for at most `pieces` of them; takes as long as the agent needs. `stop` ends it early.
 * May run on a thread of its own while nobody else uses the pilot. False with `status` when memory
 * runs out. */
bool pilot_plan(Pilot *pilot, const Game *game, int64_t pieces, const atomic_bool *stop,
                Status *status);

/* True while the turn at hand is one of the plan; false for agents that make none. */
bool pilot_follows_plan(const Pilot *pilot, const Game *game);

/* Lets time pass and presses the keys that fall into it. */
void pilot_advance(Pilot *pilot, Live *live, int64_t microseconds);

/* Lets time pass up to the next press and makes it. */
void pilot_step(Pilot *pilot, Live *live);

/* A person plays: keeps count of the pieces that come into view. To be called as often as
 * convenient, at least once a turn. */
void pilot_look_on(Pilot *pilot, Live *live);

/* Takes the game over, in whatever state it is. */
void pilot_take(Pilot *pilot, const Live *live);

PilotGoal pilot_goal(const Pilot *pilot);

/* Why the game of an outside player ended with LIVE_FAULT. */
const char *pilot_fault(const Pilot *pilot);

/* The view of the present turn, as pilot_look_on left it, and the weights that evaluate placements.
 */
const AgentView *pilot_view(const Pilot *pilot);
const Evaluator *pilot_evaluator(const Pilot *pilot);

#endif
