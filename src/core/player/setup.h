/*
 * setup: from the options to a checked player.
 *
 * The one place that decides by which rules, with which preview, pieces, weights and parameters an
 * agent plays. Every front end fills a SetupRequest; the same request gets the same answer and the
 * same error everywhere. Options that were not given suit the agent: guideline with hold and
 * preview where it uses them, from bags; or drop with uniform pieces for the controllers.
 */
#ifndef TETROPT_PLAYER_SETUP_H
#define TETROPT_PLAYER_SETUP_H

#include "player/player.h"

/* For numbers that were not asked for. */
enum { SETUP_DEFAULT = -1 };

/* Who plays, with which weights and parameters. */
typedef struct SetupAgent {
    const char *name;             /* NAME or NAME?PARAMETER=VALUE&...; NULL: the default agent */
    const char *weights;          /* a named set; NULL: the agent's own */
    const Evaluator *own_weights; /* weights by value, in place of a named set; NULL: none */
    const OptionList *parameters; /* NAME=VALUE; those in `name` override them; may be NULL */
    const char *parameter_lines;  /* more of them, one per line; may be NULL */
    const ParameterBound *bounds; /* of parameters; NULL: none */
    /* The game is shown or recorded move by move: parameters with which that is impossible
     * (Agent.cannot_record) are rejected. */
    bool recorded;
} SetupAgent;

/* How games are played; every number can be SETUP_DEFAULT. */
typedef struct SetupGame {
    int rules; /* RuleSet */
    int hold;  /* 0 or 1 */
    int preview;
    int randomizer; /* RandomizerKind */
    int scoring;    /* Scoring */
    int width, height;
    bool bonus, rotate180;
    int kicks;     /* KickKind */
    bool all_spin; /* as in Rules */
    /* The game is not the agent's own: it ignores hold and preview if it does not use them. */
    bool shared;
} SetupGame;

#define SETUP_GAME_DEFAULT                                                                         \
    {                                                                                              \
        .rules = SETUP_DEFAULT, .hold = SETUP_DEFAULT, .preview = SETUP_DEFAULT,                   \
        .randomizer = SETUP_DEFAULT, .scoring = SETUP_DEFAULT, .width = SETUP_DEFAULT,             \
        .height = SETUP_DEFAULT, .kicks = KICKS_SRS                                                \
    }

/* Everything that a player is made of. */
typedef struct Setup {
    const Agent *agent;
    AgentSetup made_for; /* rules and weights */
    int preview;
    RandomizerKind randomizer;
    const char *weights; /* the name of the set; NULL: takes none, or weights by value */
    Parameters parameters;
} Setup;

/* The agent of NAME or NAME?PARAMETERS; NULL with `status`, whose message names `option`. */
const Agent *setup_find(const char *name, const char *option, Status *status);

/* Fills in `setup`; to be released also on failure. */
bool setup_init(Setup *setup, const SetupAgent *agent, const SetupGame *game, Status *status);
void setup_release(Setup *setup);

/* Fails unless the agent takes weights of that kind and they have an effect with its parameters. */
bool setup_check_weights(const Setup *setup, const EvaluatorKind *kind, Status *status);

/* A player of the setup; NULL with `status`. */
void *setup_player(const Setup *setup, Status *status);

#endif
