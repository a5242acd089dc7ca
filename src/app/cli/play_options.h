/*
 * play_options: how games are played, as `simulate`, `train` and others take it: rules, pieces,
 * board, scoring.
 */
#ifndef TETROPT_CLI_PLAY_OPTIONS_H
#define TETROPT_CLI_PLAY_OPTIONS_H

#include "cli/cli.h"
#include "player/setup.h"

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
     .help = "rule set (default: the one that suits the agent)"},                                  \
        {.name = "randomizer",                                                                     \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.randomizer),                                            \
         .choices = RANDOMIZER_CHOICES,                                                            \
         .argument = "NAME",                                                                       \
         .help = "source of the pieces (bag; under drop uniform)"},                                \
        {.name = "preview",                                                                        \
         .kind = OPTION_INTEGER,                                                                   \
         .offset = offsetof(Settings, play.preview),                                               \
         .max = AGENT_MAX_PREVIEW,                                                                 \
         .argument = "N",                                                                          \
         .help =                                                                                   \
             "visible next pieces (under guideline 1, bot 5, if the agent uses them; else 0)"},    \
        {.name = "hold",                                                                           \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.hold),                                                  \
         .choices = "off|on",                                                                      \
         .argument = "NAME",                                                                       \
         .help = "whether hold may be used (on under guideline if the agent uses it)"},            \
        {.name = "scoring",                                                                        \
         .kind = OPTION_CHOICE,                                                                    \
         .offset = offsetof(Settings, play.scoring),                                               \
         .fallback = "guideline",                                                                  \
         .choices = SCORING_CHOICES,                                                               \
         .argument = "NAME",                                                                       \
         .help = "scoring table"},                                                                 \
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

/* The request for rules, preview and randomizer. Rules, hold and preview that were given are only
 * for agents that the user named. `protocol`: what was not given is as in the protocol local-search
 * (drop, bags, no preview and hold, its own scoring). */
SetupGame cli_play_game(const CliContext *context, const CliPlay *play, bool named, bool protocol);

#endif
