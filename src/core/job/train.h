/*
 * train: the job that finds the weights of an agent, or the factors of an offline profile.
 *
 * The answer is a file of weights (formats/weights.h) with a member `training`: {"program":
 * version, "settings": {options by name}, "generations", "games", "pieces", "dropped": [names],
 * "held_out": {"measure", "mean", "ci95", "games", "pieces", "lines", "deaths", "seed"} or null,
 * "start" and "reference": the same for the weights at the start and the agent's own}, and for
 * agents whose weights are parameters `player`, the name with which they play. Only
 * held-out scores are in it: those of the candidates are biased by having been chosen.
 *
 * The options that define a training are saved with its state; the option "resume" takes the text
 * of a state, sets them again, and an option that is given then must have the same value.
 */
#ifndef TETROPT_JOB_TRAIN_H
#define TETROPT_JOB_TRAIN_H

#include "base/json.h"
#include "base/parameters.h"
#include "job/job.h"
#include "job/play.h"
#include "train/duels.h"
#include "train/games.h"
#include "train/offline.h"
#include "train/state.h"
#include "train/trainer.h"

typedef struct TrainQuestion {
    PlayOptions play;
    const char *preset, *method, *agent, *features, *weights, *profile, *algorithm, *resume;
    OptionList parameters, agent_parameters, pins;
    int64_t games, max_pieces, evaluations, grow_every, grow_to, generations, seed, threads,
        held_out;
    double seconds, prune;
    int measure, encoding;
} TrainQuestion;

/* What a front end does while a training runs; each may be NULL. */
typedef struct TrainHooks {
    /* After every generation, with the time it took: to save log and state. */
    bool (*generation)(void *context, double seconds, Status *status);
    /* Some times per second: pieces placed in this generation so far, of about `total`. */
    ProgressReport *trials;
    void *context;
} TrainHooks;

/* A run of the job. It must not be moved. */
typedef struct TrainRun {
    Question *question; /* complete: presets and the resumed state are in it */
    TrainQuestion *asked;
    Json *resumed;                   /* the state; NULL for a new training */
    Evaluator evaluator;             /* the start, and the kind of features */
    double start[TRAIN_MAX_WEIGHTS]; /* as they are written */
    Setup player;                    /* for agents */
    TrainGames games;                /* for agents */
    TrainOffline offline;            /* for profiles */
    TrainDuels duels;                /* for agents whose weights are parameters */
    EvaluatorKind own_kind;          /* their names */
    const char *own_names[EVALUATOR_MAX];
    TrainObjective objective;
    Parameters parameters; /* of the method */
    TrainTask task;        /* `ranks` may be set before the run */
    Pool *pool;
    Trainer *trainer;
    TrainIdentity identity;
    Text settings; /* those that define the training, as a JSON object */
    TrainHooks hooks;
    uint64_t start_ns;
    int64_t first;         /* generations that were there when this run began */
    int64_t pieces_before; /* likewise */
    TrainRow row;          /* of the last generation; generation 0: none yet */
    bool has_held_out, stopped;
    TrainHeldOut held_out;
    /* For comparison, on the same seeds: the weights at the start, and those that the agent has
     * without training. Without `scored` there are none, or there was no time. */
    struct {
        bool scored;
        TrainHeldOut held_out;
    } at_start, reference;
    bool has_reference;                          /* other weights than the start */
    double reference_weights[TRAIN_MAX_WEIGHTS]; /* as they are written */
} TrainRun;

/* From a question to a run that can begin (train_setup.c). */
bool train_setup(TrainRun *run, Status *status);

/* The names of the weights. */
const char *const *train_names(const TrainRun *run);

/* A setting that a front end adds to a state, and finds again there (NULL: it has none). */
typedef struct TrainExtra {
    const char *name, *value;
} TrainExtra;
const char *train_resumed_setting(const TrainRun *run, const char *name);

/* Adds the settings as a JSON object: for a state, or only those that define the training. */
void train_write_settings(const TrainRun *run, bool defining_only, const TrainExtra *extras,
                          int count, Text *text);

/* Adds the state as a JSON document. False: no memory. */
bool train_write_state(TrainRun *run, const TrainExtra *extras, int count, Text *text);

/* Lists the methods with their parameters, and the presets, for people. */
void train_list(Text *text);

#endif
