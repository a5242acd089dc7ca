/* registry: the list of training methods. Adding one takes a file pair and a line in registry.c. */
#ifndef TETROPT_TRAIN_REGISTRY_H
#define TETROPT_TRAIN_REGISTRY_H

#include "train/train.h"

/* The number of methods, and the one at `index`. */
int train_count(void);
const TrainMethod *train_at(int index);

/* The method called `name`, or NULL. */
const TrainMethod *train_find(const char *name);

#endif
