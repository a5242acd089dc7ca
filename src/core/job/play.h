/*
 * play: the options for games and for the player, shared by `simulate`, `train` and `watch`.
 */
#ifndef TETROPT_JOB_PLAY_H
#define TETROPT_JOB_PLAY_H

#include "job/question.h"
#include "player/setup.h"

/* How games are played. */
typedef struct PlayOptions {
    int64_t preview, width, height;
    int rules, randomizer, scoring, kicks, spins;
    bool hold;
} PlayOptions;

extern const OptionTable play_options;

/* What a player plays with. */
typedef struct PlayerOptions {
    const char *weights, *list;
    OptionList parameters;
} PlayerOptions;

extern const OptionTable player_options;

/* The name of the agent at `index`, for tables; NULL after the last. */
const char *play_agent_at(int index);

/* Job.parameters_at of jobs whose players are agents. */
OptionTable play_parameters_at(int index);

/* The pieces of the randomizer `list`. */
typedef struct PlayList {
    uint8_t *pieces; /* to be freed; NULL: none */
    size_t count;
} PlayList;

/* Whether the option "list" was given without a value, which asks for a list of the agents. */
bool play_wants_agents(const char *list);

/* Reads the value of the option "list", NULL if it was not given. */
bool play_read_list(const Question *question, const PlayOptions *play, const char *value,
                    PlayList *list, Status *status);

/* A fixed set of agents and rules, by which agents are compared. */
enum { PLAY_PROTOCOL_AGENTS = 3 };

typedef struct PlayProtocol {
    const char *name;
    int64_t games, pieces; /* of a game */
    SetupGame game;
    struct {
        const char *name;  /* under which it is named, too */
        const char *agent; /* with its parameters */
        const char *weights;
    } agents[PLAY_PROTOCOL_AGENTS];
} PlayProtocol;

#define PLAY_PROTOCOL_CHOICES "none|local-search|local-search-published"

/* By the number of the choice; NULL for none. */
const PlayProtocol *play_protocol(int choice);

/* Who is to play, and how. */
typedef struct PlayRequest {
    const Question *question; /* tells which options were given */
    const PlayOptions *play;
    const PlayerOptions *player;
    const char *agent;            /* NULL: the default */
    bool named;                   /* by the user: the options about the agent are for it */
    const char *weights;          /* a named set; NULL: that of the options, or the agent's own */
    const PlayProtocol *protocol; /* which says what was not given; NULL: none */
    bool recorded;                /* as in SetupAgent */
} PlayRequest;

/* The game that was asked for. */
SetupGame play_setup_game(const PlayRequest *request);

/* Makes a checked setup; to be released also on failure. */
bool play_setup(const PlayRequest *request, Setup *setup, Status *status);

#endif
