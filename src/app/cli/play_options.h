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

/* Its rows: OPTIONS_INCLUDE(Settings, play, cli_play_options). */
extern const OptionTable cli_play_options;

/* The request for rules, preview and randomizer. Rules, hold and preview that were given are only
 * for agents that the user named. `protocol`: what was not given is as in the protocol local-search
 * (drop, bags, no preview and hold, its own scoring). */
SetupGame cli_play_game(const CliContext *context, const CliPlay *play, bool named, bool protocol);

#endif
