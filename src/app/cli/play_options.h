/*
 * play_options: how games are played, as `simulate`, `train` and others take it: rules, pieces,
 * board, scoring.
 */
#ifndef TETROPT_CLI_PLAY_OPTIONS_H
#define TETROPT_CLI_PLAY_OPTIONS_H

#include "cli/cli.h"
#include "simulate/simulate.h"

/* Put `CliPlay play;` into the settings. */
typedef struct CliPlay {
    int64_t preview, width, height;
    int rules, randomizer, hold, scoring;
} CliPlay;

#define CLI_PLAY_ROWS(Settings)                                                                    \
    {.name = "rules",                                                                              \
     .kind = OPTION_CHOICE,                                                                        \
     .offset = offsetof(Settings, play.rules),                                                     \
     .choices = RULES_CHOICES,                                                                     \
     .argument = "NAME",                                                                           \
     .help = "the rule set (what the agent is made for)"},                                         \
        {.name = "randomizer",                                                                     \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.randomizer),                                            \
         .choices = RANDOMIZER_CHOICES,                                                            \
         .argument = "NAME",                                                                       \
         .help = "where the pieces come from (bag; under drop uniform)"},                          \
        {.name = "preview",                                                                        \
         .kind = OPTION_INTEGER,                                                                   \
         .offset = offsetof(Settings, play.preview),                                               \
         .max = AGENT_MAX_PREVIEW,                                                                 \
         .argument = "N",                                                                          \
         .help = "next pieces that can be seen (1, where the agent looks at them and under "       \
                 "guideline)"},                                                                    \
        {.name = "hold",                                                                           \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.hold),                                                  \
         .choices = "off|on",                                                                      \
         .argument = "NAME",                                                                       \
         .help = "whether hold may be used (on, likewise)"},                                       \
        {.name = "scoring",                                                                        \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.scoring),                                               \
         .fallback = "guideline",                                                                  \
         .choices = SCORING_CHOICES,                                                               \
         .argument = "NAME",                                                                       \
         .help = "the table of points"},                                                           \
        {.name = "width",                                                                          \
         .kind = OPTION_INTEGER,                                                                   \
         .offset = offsetof(Settings, play.width),                                                 \
         .fallback = "10",                                                                         \
         .min = BOARD_MIN_WIDTH,                                                                   \
         .max = BOARD_MAX_WIDTH,                                                                   \
         .argument = "N",                                                                          \
         .help = "columns"},                                                                       \
    {                                                                                              \
        .name = "height", .kind = OPTION_INTEGER, .offset = offsetof(Settings, play.height),       \
        .fallback = "20", .min = BOARD_MIN_HEIGHT, .max = BOARD_MAX_HEIGHT, .argument = "N",       \
        .help = "visible rows"                                                                     \
    }

/* For whom the rules are resolved. */
typedef struct CliPlayer {
    const Agent *agent;
    bool named;    /* by the user: rules, hold and preview that were given are meant for it */
    bool protocol; /* local-search: drop, bags, no preview and hold, its own scoring */
} CliPlayer;

/* Fills rules, preview and randomizer of the task: what was given, else what suits the agent. */
void cli_play_resolve(const CliContext *context, const CliPlay *play, CliPlayer player,
                      SimulateTask *task);

#endif
