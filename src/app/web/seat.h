/*
 * seat: a live game as a page shows it: somebody plays, perhaps with an agent beside who plays in
 * their place or gives hints. All of it is told as JSON text.
 *
 * This is what the browser runs (browser.c, compiled to WebAssembly), and what the tests run here:
 * one implementation. So it uses the engine, the agents, `base` and the writers of replays alone,
 * and no library.
 *
 * Every game is recorded from its first key, until it has REPLAY_MAX_MOVES.
 */
#ifndef TETROPT_WEB_SEAT_H
#define TETROPT_WEB_SEAT_H

#include "base/text.h"
#include "live/live.h"
#include "live/pilot.h"

enum {
    SEAT_NEXT = 5,         /* pieces that are shown */
    SEAT_PLAN = 60,        /* pieces that agents for whole games plan */
    SEAT_THOUGHTS = 5,     /* placements that are shown */
    SEAT_MAX_PIECES = 1000 /* of a drawn list */
};

typedef struct Seat Seat;

typedef struct SeatSetup {
    const char *agent;      /* beside the player; NULL: nobody */
    const char *weights;    /* a named set that the agent takes; NULL: its own */
    const char *parameters; /* of the agent, lines of name=value; NULL: as they are */
    bool person;            /* a person plays: with hold, and the agent sees what is shown */
    bool drop;              /* the rule set `drop`; needs an agent that can play by it */
    uint64_t seed;          /* of the pieces and of the agent */
    int64_t max_lines;      /* 0: no limit */
    RandomizerKind randomizer;
} SeatSetup;

/* NULL with `status` when there is no such agent, it cannot play by these rules, or memory is out.
 */
Seat *seat_new(const SeatSetup *setup, Status *status);
void seat_free(Seat *seat);

/* Presses a key as a person; false when nothing came of it. */
bool seat_press(Seat *seat, Key key);

/* Lets time pass, with nobody or with the agent at the keys. */
void seat_advance(Seat *seat, int64_t microseconds, bool agent);

/* The agent presses its next key. */
void seat_step(Seat *seat);

void seat_pause(Seat *seat, bool paused);

/* True when the agent must plan first; seat_plan does it and takes a while. */
bool seat_needs_plan(const Seat *seat);
bool seat_plan(Seat *seat, Status *status);

/* Adds the game: {"width", "height", "board", "piece", "cells", "ghost", "hold", "hold_used",
 * "next", "score", "lines", "level", "pieces", "ms", "end", "cleared", "points", "goal"}. Cells are
 * [x, y] from the floor; the board has its top row first, hidden rows only where something is. */
void seat_tell(const Seat *seat, Text *text);

/* Adds what the agent sees in the position: {"weights", "placements", "best": [{"piece", "hold",
 * "value", "cells", "features": {...}}]}; null without an agent or a game. */
void seat_tell_thoughts(Seat *seat, Text *text);

/* Adds what the agent would do now: {"piece", "hold", "cells"}; null when it has no idea. */
void seat_tell_hint(Seat *seat, Text *text);

/* Adds the game so far as a replay, or as a fumen. False with `status` when it is too long, or when
 * a fumen cannot hold it. */
bool seat_tell_replay(Seat *seat, Text *text, Status *status);
bool seat_tell_fumen(Seat *seat, Text *text, Status *status);

/* Adds all agents: [{"name", "summary", "drop", "guideline", "drop_first", "plans", "advises",
 * "weights", "sets", "parameters"}]: which rules they play and like better, that they play whole
 * games, that they can give hints, the named set they take (null: none), all sets that they could
 * take, and the table of parameters. */
void seat_tell_agents(Text *text);

/* Adds `count` (at most SEAT_MAX_PIECES) letters of whole bags. */
void seat_tell_pieces(uint64_t seed, int count, Text *text);

#endif
