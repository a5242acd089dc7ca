/*
 * train_document: the weights that a training found, with how they were made.
 *
 * A file of weights (weights_document.h) with a member `training`: {"program": version, "settings":
 * {options by name}, "generations", "games", "pieces", "dropped": [names], "held_out": {"measure",
 * "mean", "ci95", "games", "pieces", "lines", "deaths", "seed"} or null}. The held-out score is the
 * only one in it: those of the candidates are biased by having been chosen.
 */
#ifndef TETROPT_IO_TRAIN_DOCUMENT_H
#define TETROPT_IO_TRAIN_DOCUMENT_H

#include "io/json.h"
#include "train/trainer.h"

/* Adds `training` to a document of weights. `settings` is borrowed, `held_out` NULL when there is
 * none, `names` are those of the weights. Without memory the document becomes NULL, as by json_put.
 */
void train_document_add(json_t **document, const json_t *settings, const TrainTask *task,
                        const Trainer *trainer, const TrainHeldOut *held_out,
                        const char *const *names);

#endif
