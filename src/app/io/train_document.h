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

#include "base/json_writer.h"
#include "train/trainer.h"

/* Writes the member `training` of a document of weights. `settings` is a JSON object, `held_out`
 * NULL when there is none, `names` are those of the weights. */
void train_document_write(JsonWriter *w, const Text *settings, const TrainTask *task,
                          const Trainer *trainer, const TrainHeldOut *held_out,
                          const char *const *names);

#endif
