/*
 * train_setup: from the options of `train`, or from a saved state, to what is to be trained.
 *
 * What a training is stands in its options (those of `train_setup_defining`). They are saved with
 * the state as a user would write them; resuming sets them again, and an option that is given then
 * must say the same.
 */
#ifndef TETROPT_CLI_TRAIN_SETUP_H
#define TETROPT_CLI_TRAIN_SETUP_H

#include "base/json.h"
#include "base/parameters.h"
#include "cli/play_options.h"
#include "train/games.h"
#include "train/offline.h"
#include "train/trainer.h"

typedef struct TrainSettings {
    CliCommon common;
    CliPlay play;
    const char *preset, *method, *agent, *features, *weights, *profile, *algorithm;
    OptionList parameters, agent_parameters, pins;
    int64_t games, max_pieces, evaluations, grow_every, generations, seed, threads, held_out;
    double seconds, prune;
    int measure, encoding;
    bool list, watch;
    const char *out, *state, *resume, *log, *plot;
} TrainSettings;

extern const OptionTable train_options;

/* Everything of a training but the trainer. Large: allocate it. It must stay where it is. */
typedef struct TrainSetup {
    CliContext *context;
    TrainSettings settings; /* complete after train_setup_fill */
    Json *resumed;          /* the state file; NULL for a new training. Owns texts of settings */
    Evaluator evaluator;    /* the start, and the kind of features */
    double start[TRAIN_MAX_WEIGHTS]; /* as they are written */
    TrainGames games;                /* for agents */
    TrainOffline offline;            /* for profiles */
    TrainObjective objective;
    TrainTask task;
    char state_path[4096]; /* "": none */
    Parameters parameters; /* of the method */
    Setup player;          /* for agents */
} TrainSetup;

/* Fills everything but task.pool, task.stop and task.report. */
bool train_setup_fill(TrainSetup *setup, Status *status);
void train_setup_release(TrainSetup *setup);

/* The names of the weights. */
const char *const *train_setup_names(const TrainSetup *setup);

/* Adds the settings as a JSON object, for a state file, or only those that define the training. */
void train_setup_settings(const TrainSetup *setup, bool defining_only, Text *text);

#endif
