/*
 * play_step: the game by lines of text, without gravity: for scripts, for people who want to think,
 * and for inspecting features.
 */
#ifndef TETROPT_CLI_PLAY_STEP_H
#define TETROPT_CLI_PLAY_STEP_H

#include "cli/keymap.h"
#include "job/play.h"
#include "live/live.h"

typedef struct PlaySettings {
    CliCommon common;
    PlayOptions play;
    CliKeys keys;
    const char *save, *list, *against;
    int64_t lines, seed, countdown;
    double opponent_speed;
    bool step, ascii;
} PlaySettings;

typedef struct PlayStep {
    const PlaySettings *settings;
    const Keymap *keymap;
    const char *mode;
    int next_count;
    uint64_t seed;
} PlayStep;

/* Plays until the game is over or standard input ends. */
StatusCode play_step_run(const PlayStep *step, const LiveSetup *setup, Status *status);

#endif
