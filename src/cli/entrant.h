/*
 * entrant: an agent with everything it plays with, from the options that `simulate` and `watch`
 * share: who, with which weights and parameters, by which rules, on which pieces.
 */
#ifndef TETROPT_CLI_ENTRANT_H
#define TETROPT_CLI_ENTRANT_H

#include "cli/cli.h"
#include "simulate/simulate.h"

enum { ENTRANT_LABEL_BYTES = 64, ENTRANT_PAIR_BYTES = 256 };

/* What game is played. Put `CliGame game;` into the settings. */
typedef struct CliGame {
    const char *list;
    int rules, randomizer, hold, scoring;
    int64_t preview, width, height;
} CliGame;

#define ENTRANT_ROW_CHOICE(Settings, name_, field_, choices_, help_)                               \
    {                                                                                              \
        .name = name_, .kind = OPTION_CHOICE, .offset = offsetof(Settings, game.field_),           \
        .choices = choices_, .argument = "NAME", .help = help_                                     \
    }

/* All of them but --list and --preview, whose help differs from command to command. */
#define CLI_GAME_ROWS(Settings)                                                                    \
    ENTRANT_ROW_CHOICE(Settings, "rules", rules, RULES_CHOICES,                                    \
                       "the rule set (what the agent is made for)"),                               \
        ENTRANT_ROW_CHOICE(Settings, "randomizer", randomizer, RANDOMIZER_CHOICES,                 \
                           "where the pieces come from (bag; under drop uniform)"),                \
        ENTRANT_ROW_CHOICE(Settings, "hold", hold, "off|on",                                       \
                           "whether hold may be used (on, likewise)"),                             \
        {.name = "scoring",                                                                        \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, game.scoring),                                               \
         .fallback = "guideline",                                                                  \
         .choices = SCORING_CHOICES,                                                               \
         .argument = "NAME",                                                                       \
         .help = "the table of points"},                                                           \
        {.name = "width",                                                                          \
         .kind = OPTION_INTEGER,                                                                   \
         .offset = offsetof(Settings, game.width),                                                 \
         .fallback = "10",                                                                         \
         .min = BOARD_MIN_WIDTH,                                                                   \
         .max = BOARD_MAX_WIDTH,                                                                   \
         .argument = "N",                                                                          \
         .help = "columns"},                                                                       \
    {                                                                                              \
        .name = "height", .kind = OPTION_INTEGER, .offset = offsetof(Settings, game.height),       \
        .fallback = "20", .min = BOARD_MIN_HEIGHT, .max = BOARD_MAX_HEIGHT, .argument = "N",       \
        .help = "visible rows"                                                                     \
    }

/* Who plays it. Put `CliPlayer player;` into the settings. */
typedef struct CliPlayer {
    const char *weights;
    OptionList parameters;
} CliPlayer;

#define CLI_PLAYER_ROWS(Settings)                                                                  \
    {.name = "param",                                                                              \
     .kind = OPTION_LIST,                                                                          \
     .offset = offsetof(Settings, player.parameters),                                              \
     .argument = "NAME=VALUE",                                                                     \
     .help = "set a parameter of the agents named; may be given again and again"},                 \
    {                                                                                              \
        .name = "weights", .kind = OPTION_TEXT, .offset = offsetof(Settings, player.weights),      \
        .argument = "NAME|FILE", .help = "a named set of weights, or a file of them"               \
    }

/* The pieces of --randomizer list. */
typedef struct EntrantList {
    uint8_t *pieces;
    size_t count;
} EntrantList;

typedef struct EntrantRequest {
    const CliContext *context;
    const CliGame *game;
    const CliPlayer *player;
    const EntrantList *list;
    const char *name; /* of the agent */
    bool named;       /* by the user: the options about the agent are for it */
    bool protocol;    /* by the rules of --protocol local-search where nothing else is said */
} EntrantRequest;

typedef struct Entrant {
    SimulateTask task;   /* agent, parameters, setup, preview, randomizer and list are filled in */
    const char *weights; /* their name; NULL: takes none */
    char label[ENTRANT_LABEL_BYTES];
    _Alignas(max_align_t) unsigned char parameters[AGENT_PARAMETERS_MAX_BYTES];
    char pairs[OPTION_LIST_MAX][ENTRANT_PAIR_BYTES];
} Entrant;

/* Reads --list LETTERS or FILE, if there is one. The caller frees the pieces. */
bool entrant_read_list(const CliContext *context, const CliGame *game, EntrantList *list,
                       Status *status);

/* Fills in an entrant that is all zero; `entrant` must not be moved afterwards. */
bool entrant_set_up(const EntrantRequest *request, Entrant *entrant, Status *status);

#endif
