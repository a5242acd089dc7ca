/*
 * state: the file in which a training is kept between two generations.
 *
 * {"format": "tetropt-training", "version": 1, "program": "1.0.0", "settings": {...},
 *  "features": "literature", "start": [...], "training": "...", "state": {...}, "checksum": "..."}
 *
 * `settings` are options by name, as a user would write them: what the training is. `start` has a
 * number for every weight, `training` names the training (files of version 1.0 have none), `state`
 * what the trainer and its method go by. The checksum is over every byte before it, so a file that
 * was cut or changed is refused. Numbers have 17 digits and read back exactly.
 */
#ifndef TETROPT_TRAIN_STATE_H
#define TETROPT_TRAIN_STATE_H

#include "base/json.h"
#include "base/text.h"
#include "train/trainer.h"

enum {
    TRAIN_STATE_VERSION = 1,
    TRAIN_STATE_LIMIT = 64 << 20, /* bytes of a file */
    TRAIN_ID_BYTES = 17
};

/* The members that all states of a training share. */
typedef struct TrainIdentity {
    char id[TRAIN_ID_BYTES]; /* by which files of one training know each other */
    const char *features;
    const double *start; /* `count` weights */
    int count;
} TrainIdentity;

/* Makes the id: that of `resumed` (NULL: a new training) where it has one, otherwise a hash of the
 * settings that define the training and of its start. */
void train_identify(TrainIdentity *identity, const Text *settings, const Json *resumed);

/* Adds the document to `text`; `settings` is a JSON object. False: no memory. */
bool train_state_write(const Text *settings, const TrainIdentity *identity, Trainer *trainer,
                       Text *text);

/* Parses and checks everything that can be checked without knowing the training. NULL with `status`
 * on failure; then the text is no state of this version, or damaged. */
Json *train_state_parse(const char *text, size_t length, Status *status);

/* Reads `start` (count numbers) of a parsed document. */
bool train_state_start(const Json *document, double *start, int count, Status *status);

/* Loads `state` into a trainer that was just made. On failure the trainer is not to be used. */
bool train_state_load(const Json *document, Trainer *trainer, Status *status);

#endif
