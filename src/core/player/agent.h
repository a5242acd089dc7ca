/*
 * agent: what every player takes and gives.
 *
 * An agent is a row in the list of registry.c: a name, what rules it can play by, a table of
 * parameters, and functions. From it players are made, one for each thread: a player owns the
 * working memory, and nothing else. Invariant: a player keeps nothing from one choice to the next;
 * what it decides depends on the view and on the generator alone. So a game is the same whichever
 * player plays it, and after whatever other games.
 */
#ifndef TETROPT_PLAYER_AGENT_H
#define TETROPT_PLAYER_AGENT_H

#include "base/options.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/columns.h"
#include "engine/game.h"
#include "eval/evaluator.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { AGENT_MAX_PREVIEW = 14 }; /* less than GAME_QUEUE, so that the game has drawn them */

/* What a player may know when it decides. */
typedef struct AgentView {
    const Rules *rules;
    const Board *board;
    Columns columns;       /* the same board */
    uint8_t current, hold; /* Piece; PIECE_NONE: nothing held */
    bool can_hold;         /* hold is allowed, not yet used this turn, and would bring a piece */
    uint8_t queue[AGENT_MAX_PREVIEW];
    uint8_t queue_count;
    bool queue_ends;    /* nothing comes after the visible queue */
    bool bag;           /* pieces come in bags of seven */
    uint8_t unseen;     /* bit p: the first piece after the visible queue can be p */
    int64_t lines;      /* removed so far */
    int64_t locks_left; /* pieces that may still be placed, this one counted; INT64_MAX: no limit */
} AgentView;

/* Hold first or not, then lock the piece there. Where hold would bring a piece that is not visible,
 * a player may hold with `placement.piece` PIECE_NONE and is asked again. */
typedef struct AgentDecision {
    Placement placement;
    bool hold;
} AgentDecision;

/* Where a game stops, besides its end by the rules. */
typedef struct AgentLimits {
    int64_t pieces;          /* after so many placements; INT64_MAX: no limit */
    int64_t lines;           /* when at least so many rows are gone; INT64_MAX: no limit */
    uint64_t deadline_ns;    /* at this moment (clock.h); UINT64_MAX: none */
    const atomic_bool *stop; /* when it becomes true; may be NULL */
} AgentLimits;

/* What an agent can play with. */
typedef enum AgentAbility {
    AGENT_DROP = 1,       /* the rule set `drop` */
    AGENT_GUIDELINE = 2,  /* the rule set `guideline` */
    AGENT_HOLD = 4,       /* uses hold */
    AGENT_PREVIEW = 8,    /* looks at the queue */
    AGENT_DROP_FIRST = 16 /* plays `drop` where nothing else is asked for */
} AgentAbility;

/* What a player is made for. */
typedef struct AgentSetup {
    Rules rules;
    Evaluator evaluator; /* for agents that take weights */
} AgentSetup;

/* Receives every placement of a game, in order, with the hold that went before it. */
typedef struct AgentRecord {
    AgentDecision *decisions;
    int64_t count, capacity;
} AgentRecord;

typedef struct Agent {
    const char *name;
    const char *summary;
    unsigned abilities;             /* of AgentAbility */
    const char *weights;            /* the named set it takes by default; NULL: takes none */
    const EvaluatorKind *only_kind; /* the only kind of features it can take; NULL: any */
    /* False when these parameters leave the weights without effect; NULL: they always count. */
    bool (*weights_count)(const void *parameters);
    OptionTable parameters;  /* describes the struct that new_player takes */
    size_t parameters_bytes; /* at most AGENT_PARAMETERS_MAX_BYTES */
    /* A player; NULL with `status` when memory runs out or the parameters do not go together. */
    void *(*new_player)(const AgentSetup *setup, const void *parameters, Status *status);
    void (*free_player)(void *player);
    /* Decides. NULL for an agent that has `play`. */
    AgentDecision (*choose)(void *player, const AgentView *view, Rng *rng);
    /* Plays a whole game from `game`, which was just begun, and leaves it as it ended; for agents
     * that do not commit themselves piece by piece. `record` may be NULL. False with `status` when
     * memory runs out or the game cannot be recorded. */
    bool (*play)(void *player, Game *game, const AgentLimits *limits, Rng *rng, AgentRecord *record,
                 Status *status);
} Agent;

enum { AGENT_PARAMETERS_MAX_BYTES = 256 };

/* Memory for a player, for new_player; free gives it back. NULL with `status` when it is out. */
static inline void *agent_allocate(size_t bytes, Status *status) {
    void *player = malloc(bytes);
    if (!player)
        status_no_memory(status);
    return player;
}

/* True when the clock or a stop cuts the game; `now_ns` is the present moment. */
static inline bool agent_cut(const AgentLimits *limits, uint64_t now_ns) {
    return now_ns >= limits->deadline_ns ||
           (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed));
}

#endif
