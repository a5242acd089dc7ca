/*
 * live: a game under gravity. Time is what the caller says has passed, keys are what the caller
 * presses; there is no clock and no terminal here, so the same calls always make the same game.
 *
 * Gravity is the guideline's (score_gravity_seconds of the level); a soft drop that is held falls
 * 20 times as fast. A piece that stands on something locks after half a second. Every move or
 * rotation there restarts that time again, at most 15 times until the piece gets lower than it ever
 * was.
 *
 * Invariant: every change of the game goes through game_press or game_place, or the hooks that
 * stand for them, so whoever records them has the whole game. Gravity is a soft drop, the end of
 * the lock delay a hard drop.
 *
 * Under the rule set `drop` a piece appears above the board, cannot be moved to where it would not
 * get by falling straight from there, and the hooks hear of nothing but its placement and of hold.
 */
#ifndef TETROPT_LIVE_LIVE_H
#define TETROPT_LIVE_LIVE_H

#include "engine/game.h"
#include "engine/grid.h"

enum {
    LIVE_LOCK_US = 500000,
    LIVE_LOCK_RESETS = 15,
    LIVE_SOFT_FACTOR = 20,
    /* Terminals report presses only. Two soft drops within this time are a key that is held. */
    LIVE_SOFT_HELD_US = 120000
};

typedef struct Live Live;

/* Each may be NULL. */
typedef struct LiveHooks {
    /* Called in place of game_press, game_place and game_rise. */
    bool (*press)(void *context, Game *game, Key key);
    void (*place)(void *context, Game *game, Placement placement);
    void (*rise)(void *context, Game *game, const uint8_t *holes, int count);
    /* After a lock (Live.last), before the next piece falls: the time for live_rise. */
    void (*locked)(void *context, Live *live);
    void *context;
} LiveHooks;

typedef struct LiveSetup {
    Rules rules;
    Randomizer randomizer;
    const Grid *start;  /* NULL: empty */
    int64_t max_pieces; /* ends the game; INT64_MAX: no limit */
    int64_t max_lines;  /* likewise: a sprint */
    bool drop_points;   /* count them (Live) */
} LiveSetup;

typedef enum LiveEnd {
    LIVE_RUNNING,
    LIVE_OVER,
    LIVE_LINES,
    LIVE_PIECES,
    LIVE_FAULT, /* the program that plays it failed (Agent.fault) */
    LIVE_WON    /* the opponent of a race topped out */
} LiveEnd;

/* The last piece that locked. */
typedef struct LiveLock {
    Placement placement;
    bool held;       /* hold was used in its turn */
    int lines;       /* that it cleared */
    uint64_t rows;   /* which, one bit per row */
    Grid before;     /* with the piece and the rows still there; only when lines > 0 */
    int64_t time_us; /* when */
    int64_t points;  /* that it gave */
    int combo;       /* clears in a row before it */
    bool chained;    /* a back-to-back clear */
} LiveLock;

struct Live {
    Game game;
    Grid grid; /* the same board with colours */
    LiveHooks hooks;
    int64_t max_pieces, max_lines;
    /* The guideline's points for drops: 1 per row of a soft drop, 2 per row of a hard drop. They
     * are not part of game.score, which depends on placements only: in a replay gravity is a soft
     * drop, too. */
    bool counts_drops;
    int64_t drop_points;
    LiveEnd end;
    bool paused;
    int64_t time_us; /* of play; pauses do not count */
    LiveLock last;
    /* Of the current piece. */
    int64_t fall_us; /* since it fell a row */
    int64_t lock_us; /* of the lock delay used up */
    int lock_resets;
    int lowest_y;
    bool held; /* hold was used in this turn */
    /* Of the soft drop. */
    int64_t soft_us; /* the last press; -1: none */
    bool soft_held;
};

/* Begins; the hooks may be set afterwards, before anything else is called. */
void live_init(Live *live, const LiveSetup *setup);

/* Presses a key. False when it did nothing: blocked, paused or over. */
bool live_press(Live *live, Key key);

/* Locks the current piece there at once, as game_place does; only while the game runs. */
void live_place(Live *live, Placement at);

/* Lets garbage come up between two pieces (game_rise): one row per entry of `holes`. In a live game
 * the time for it is hooks.locked. */
void live_rise(Live *live, const uint8_t *holes, int count);

/* Lets time pass. Nothing happens while the game is paused or over. */
void live_advance(Live *live, int64_t microseconds);

/* Microseconds per row at the present level, without soft drop. */
int64_t live_gravity_us(const Live *live);

/* True when the current piece stands on something. */
bool live_grounded(const Live *live);

/* The points that a player sees. */
static inline int64_t live_score(const Live *live) {
    return live->game.score + live->drop_points;
}

static inline int64_t live_level(const Live *live) {
    return score_level(live->game.lines);
}

#endif
