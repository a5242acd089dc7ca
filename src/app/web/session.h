/*
 * session: a game session of the web UI: a live game, and optionally an agent that plays it or
 * gives hints. The state is written as JSON.
 *
 * The browser runs it (browser.c, compiled to WebAssembly), and the tests run it here: one
 * implementation. So it uses only the engine, the agents, `base` and the replay writers, and no
 * external library.
 *
 * Every game is recorded from its first key, until it has REPLAY_MAX_MOVES.
 */
#ifndef TETROPT_WEB_SESSION_H
#define TETROPT_WEB_SESSION_H

#include "base/text.h"
#include "live/live.h"
#include "live/pilot.h"

enum {
    WEB_SESSION_NEXT = 5,         /* pieces that are shown */
    WEB_SESSION_PLAN = 500,       /* pieces that agents for whole games plan, as `watch` does */
    WEB_SESSION_THOUGHTS = 5,     /* placements that are shown */
    WEB_SESSION_MAX_PIECES = 1000 /* of a drawn piece sequence */
};

typedef struct WebSession WebSession;

typedef struct WebSessionSetup {
    const char *agent;      /* NAME or NAME?PARAMETERS; NULL: none */
    const char *weights;    /* a named set that the agent takes, or the text of a file of weights;
                               NULL: its own */
    const char *parameters; /* of the agent, lines of name=value; NULL: the defaults */
    const char *position;   /* where the game starts (web/position.h); NULL: an empty board */
    bool person;            /* a person plays: with hold, and the agent sees the shown preview */
    bool drop;              /* the rule set `drop`; needs an agent that can play by it */
    uint64_t seed;          /* of the pieces and of the agent */
    int64_t max_lines;      /* 0: no limit */
    RandomizerKind randomizer;
} WebSessionSetup;

/* NULL with `status` when the agent is unknown or cannot play by these rules, or out of memory. */
WebSession *web_session_new(const WebSessionSetup *setup, Status *status);
void web_session_free(WebSession *session);

/* Presses a key as a person; false when it had no effect. */
bool web_session_press(WebSession *session, Key key);

/* Lets time pass; with `agent` the agent presses keys. */
void web_session_advance(WebSession *session, int64_t microseconds, bool agent);

/* A race. Gives the lines that were sent since the last call, and takes those of the opponent: they
 * cancel each other, and what is left comes up after a lock that clears nothing. */
int web_session_take_sent(WebSession *session);
void web_session_receive(WebSession *session, int rows);

/* The agent presses its next key. */
void web_session_step(WebSession *session);

void web_session_pause(WebSession *session, bool paused);

/* True when the agent must plan first; web_session_plan does it and takes a while. */
bool web_session_needs_plan(const WebSession *session);
bool web_session_plan(WebSession *session, Status *status);

/* Adds the game: {"width", "height", "board", "piece", "cells", "ghost", "hold", "hold_used",
 * "next", "score", "drop_points" (part of it, not of a replay's), "lines", "level", "pieces", "ms",
 * "end", "cleared", "points", "spin", "combo", "chained", "empty", "attack" (lines sent so far,
 * before cancelling), "waiting" (garbage that is coming), "goal"}. Cells are [x, y] from the floor;
 * the board has its top row first, hidden rows only where something is. */
void web_session_write(const WebSession *session, Text *text);

/* Adds what the agent sees in the position: {"weights", "placements", "best": [{"piece", "hold",
 * "value", "cells", "features": {...}}]}; null without an agent or a game. */
void web_session_write_thoughts(WebSession *session, Text *text);

/* Adds the agent's move for now: {"piece", "hold", "value", "cells"}; null when it has none. */
void web_session_write_hint(WebSession *session, Text *text);

/* The value of a move by the weights that the thoughts are evaluated with; NAN without an agent, or
 * when the piece cannot be there. */
double web_session_value(WebSession *session, Move move);

/* Adds the game so far as a replay, or as a fumen. False with `status` when it is too long, or when
 * a fumen cannot hold it. */
bool web_session_write_replay(WebSession *session, Text *text, Status *status);
bool web_session_write_fumen(WebSession *session, Text *text, Status *status);

/* Adds all agents: [{"name", "summary", "drop", "guideline", "drop_first", "plans", "advises",
 * "weights", "sets", "parameters"}]: which rules they play and like better, that they play whole
 * games, that they can give hints, the named set they take (null: none), all sets that they could
 * take, and the table of parameters. */
void web_session_write_agents(Text *text);

/* Adds `count` (at most WEB_SESSION_MAX_PIECES) letters of whole bags. */
void web_session_write_pieces(uint64_t seed, int count, Text *text);

#endif
