/*
 * entrant: an agent with everything it plays with, from the options that `simulate` and `watch`
 * share: who, with which weights and parameters, by which rules, on which pieces.
 */
#ifndef TETROPT_CLI_ENTRANT_H
#define TETROPT_CLI_ENTRANT_H

#include "cli/cli.h"
#include "cli/play_options.h"
#include "simulate/simulate.h"

enum { ENTRANT_LABEL_BYTES = 64 };

/* What an agent plays with, besides the rules (play_options). Put `CliEntrant entrant;` into the
 * settings. */
typedef struct CliEntrant {
    const char *weights, *list; /* --list has a row of its own in every command */
    OptionList parameters;
} CliEntrant;

#define CLI_ENTRANT_ROWS(Settings)                                                                 \
    {.name = "param",                                                                              \
     .kind = OPTION_LIST,                                                                          \
     .offset = offsetof(Settings, entrant.parameters),                                             \
     .argument = "NAME=VALUE",                                                                     \
     .help = "set a parameter of the agents named; repeatable"},                                   \
    {                                                                                              \
        .name = "weights", .kind = OPTION_TEXT, .offset = offsetof(Settings, entrant.weights),     \
        .argument = "NAME|FILE", .file = OPTION_READS_OR_NAME,                                     \
        .help = "a named set of weights, or a file of them"                                        \
    }

/* The pieces of --randomizer list. */
typedef struct EntrantList {
    uint8_t *pieces;
    size_t count;
} EntrantList;

typedef struct EntrantRequest {
    const CliContext *context;
    const CliPlay *play;
    const CliEntrant *options;
    const EntrantList *list;
    const char *name; /* of the agent; NULL: the default */
    bool named;       /* by the user: the options about the agent are for it */
    bool protocol;    /* by the rules of --protocol local-search where nothing else is given */
    bool by_rules;    /* as in SetupAgent */
} EntrantRequest;

typedef struct Entrant {
    SimulateTask task;   /* agent, parameters, setup, preview, randomizer and list are filled in */
    const char *weights; /* their name; NULL: takes none */
    char label[ENTRANT_LABEL_BYTES];
    Setup setup;
} Entrant;

/* Reads --list LETTERS or FILE, if there is one. The caller frees the pieces. */
bool entrant_read_list(const CliContext *context, const CliPlay *play, const char *value,
                       EntrantList *list, Status *status);

/* Fills in an entrant that is all zero; `entrant` must not be moved afterwards. */
bool entrant_set_up(const EntrantRequest *request, Entrant *entrant, Status *status);
void entrant_release(Entrant *entrant);

#endif
