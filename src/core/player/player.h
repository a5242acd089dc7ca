/*
 * player: the one contract between players and everything that lets them play.
 *
 * An Agent is a row in the list of registry.h: a name, the rules it can play by, a table of
 * parameters, and functions. Players are made from it, one for each thread; a player owns the
 * working memory and nothing else. An agent has `choose` or `play`, and may
 * have the others:
 *
 *   choose   one move for what is visible (most agents, the bot)
 *   play     a whole game at once (the bees, which do not commit themselves piece by piece)
 *   stream   millions of pieces, counts only (the drop controllers with their kernels)
 *   think    a session that searches while it waits (the bot, for `tbp`)
 *
 * Invariant: a player keeps nothing from one call to the next; its moves depend on the view and on
 * the generator only. So a game is the same whichever player plays it, after whatever other games.
 * Programs outside (player/outside) may keep what they like within a game, so they are told when
 * one begins; and they can fail, which ends the game with a reason.
 * Callers ask the contract, never for the name or kind of an agent.
 */
#ifndef TETROPT_PLAYER_PLAYER_H
#define TETROPT_PLAYER_PLAYER_H

#include "base/parameters.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/columns.h"
#include "engine/game.h"
#include "eval/evaluator.h"
#include "player/stream.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { AGENT_MAX_PREVIEW = 14 }; /* less than GAME_QUEUE, so that the game has drawn them */

/* Garbage of an opponent, in a match: without one all is 0. */
typedef struct AgentGarbage {
    int waiting;     /* rows that wait to come up */
    int due;         /* those of them that come up after this placement; the others one later */
    int cap;         /* rows that come up at once; 0: no limit */
    bool countering; /* lines sent cancel rows that wait, those that are due first */
    bool blocking;   /* nothing comes up after a clear */
} AgentGarbage;

/* Where a game stops, besides its end by the rules. */
typedef struct AgentLimits {
    int64_t pieces;          /* after this many placements; INT64_MAX: no limit */
    int64_t lines;           /* when this many lines are cleared; INT64_MAX: no limit */
    uint64_t deadline_ns;    /* at this moment (clock.h); UINT64_MAX: none */
    const atomic_bool *stop; /* when it becomes true; may be NULL */
} AgentLimits;

/* What a player may know when it decides. */
typedef struct AgentView {
    const Rules *rules;
    const Board *board;
    Columns columns;       /* the same board */
    uint8_t current, hold; /* Piece; PIECE_NONE: nothing held */
    bool can_hold;         /* hold is allowed, not yet used this turn, and would bring a piece */
    uint8_t queue[AGENT_MAX_PREVIEW];
    uint8_t queue_count;
    bool queue_ends;  /* nothing comes after the visible queue */
    bool bag;         /* pieces come in bags of seven */
    uint8_t unseen;   /* bit p: the first piece after the visible queue can be p */
    ScoreChain chain; /* combo and back-to-back */
    int64_t lines;    /* cleared so far */
    AgentGarbage garbage;
    int64_t locks_left; /* pieces that may still be placed, this one counted; INT64_MAX: no limit */
    const AgentLimits *limits; /* a long search ends when these cut the game (agent_cut), and its
                                  move is not played; NULL: none */
} AgentView;

/* What an agent can play with. */
typedef enum AgentAbility {
    AGENT_DROP = 1,        /* the rule set `drop` */
    AGENT_GUIDELINE = 2,   /* the rule set `guideline` */
    AGENT_HOLD = 4,        /* uses hold */
    AGENT_PREVIEW = 8,     /* looks at the queue */
    AGENT_DROP_FIRST = 16, /* plays `drop` where nothing else is asked for */
    AGENT_SCALE_FREE = 32, /* its weights can be multiplied by any number above 0 */
    AGENT_SEARCHES = 64,   /* evaluates boards in its own way, not by weights that can be shown */
    AGENT_OUTSIDE = 128,   /* another program (outside/outside.h), named by its command */
    AGENT_KICKS = 256      /* any table of kicks, not only that of SRS */
} AgentAbility;

/* The game that a player is made for. */
typedef struct AgentSetup {
    const struct Agent *agent; /* whose player it will be */
    Rules rules;
    Evaluator evaluator; /* for agents that take weights */
    unsigned threads;    /* that one player may use; 0 counts as 1. Its moves do not depend on it */
} AgentSetup;

/* Receives every placement of a game, in order, with the hold that went before it. */
typedef struct AgentRecord {
    Move *moves;
    int64_t count, capacity;
} AgentRecord;

/* See the opening comment. Functions that an agent does not have are NULL. */
typedef struct Agent {
    const char *name;
    const char *summary;
    const void *data;   /* for whoever made an agent that is not built in */
    unsigned abilities; /* of AgentAbility */
    uint8_t preview;    /* visible pieces by default, for AGENT_PREVIEW; 0 means 1 */
    /* Pieces per game of a simulation about whose length nothing was said; 0: as every agent. For
     * agents that would take minutes. */
    uint16_t few_pieces;
    uint8_t only_width, only_height; /* the only board size it can play on; 0: any */
    const char *weights;             /* the named set it takes by default; NULL: takes none */
    const EvaluatorKind *only_kind;  /* the only kind of features it can take; NULL: any */
    /* False when the weights have no effect with these parameters; NULL: they always have. */
    bool (*weights_count)(const void *parameters);
    OptionTable parameters;  /* describes the struct that new_player takes */
    size_t parameters_bytes; /* its size, at most PARAMETERS_BYTES */
    /* Parameters (all of them integers) that are the weights of its own evaluation, which `train`
     * can find by matches; NULL: it has none. */
    const OptionTable *trained;
    /* For `play`: true with `status` when a game of `pieces` cannot be recorded with these
     * parameters; NULL: every one can. */
    bool (*cannot_record)(const void *parameters, int64_t pieces, Status *status);
    /* A player; NULL with `status` when memory runs out or the parameters contradict each other. */
    void *(*new_player)(const AgentSetup *setup, const void *parameters, Status *status);
    void (*free_player)(void *player);

    /* Chooses the move of one turn. Where hold would bring a piece that is not visible, it may hold
     * with `placement.piece` PIECE_NONE and is asked again. PIECE_NONE without hold: it has no move
     * and loses the game; `fault` says why. */
    Move (*choose)(void *player, const AgentView *view, Rng *rng);

    /* Only for players that can fail: a new game begins; and why the last one is lost (NULL: it is
     * not), valid until the next call. */
    void (*begin)(void *player);
    const char *(*fault)(const void *player);

    /* Plays a whole game from `game`, which has just begun, and leaves it as it ended. `record` may
     * be NULL. False with `status` when memory runs out or the game cannot be recorded. */
    bool (*play)(void *player, Game *game, const AgentLimits *limits, Rng *rng, AgentRecord *record,
                 Status *status);

    /* What the agent itself thinks of the end of a game; larger is better. */
    double (*nectar)(const void *parameters, const Game *game);

    /* Places `pieces` more pieces of a stream of games (by the rules drop, without hold, with one
     * visible piece for AGENT_PREVIEW and else none); with `one_game` it stops after a top-out. The
     * games are those of `choose`. */
    void (*stream)(void *player, GameStream *stream, int64_t pieces, bool one_game);

    /* Opens a session that searches ahead while it waits (bot/bot.h), for front ends that receive a
     * game as messages. It answers within `move_time_ms`; 0: it searches only when asked, as far as
     * its parameters say, and is repeatable. NULL with `status` on failure. */
    struct Bot *(*think)(const void *parameters, int64_t move_time_ms, const atomic_bool *stop,
                         Status *status);
} Agent;

/* A player is to play a new game. */
static inline void agent_begin(const Agent *agent, void *player) {
    if (agent->begin)
        agent->begin(player);
}

/* Why a player that made no move has lost. */
static inline const char *agent_fault(const Agent *agent, const void *player) {
    const char *why = agent->fault ? agent->fault(player) : NULL;
    return why ? why : "made no move";
}

/* True when the clock or a stop ends the game; `now_ns` is the present moment. */
static inline bool agent_cut(const AgentLimits *limits, uint64_t now_ns) {
    return now_ns >= limits->deadline_ns ||
           (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed));
}

#endif
