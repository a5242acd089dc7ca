/* registry: the list of training methods. Adding one takes a source file and a name
 * in TRAIN_LIST. */
#ifndef TETROPT_TRAIN_REGISTRY_H
#define TETROPT_TRAIN_REGISTRY_H

#include "train/train.h"

/* Every method, in the order in which they are listed. */
#define TRAIN_LIST(X)                                                                              \
    X(competition) X(gradient) X(genetic) X(hybrid) X(cma_es) X(cross_entropy) X(bayes)

#define TRAIN_DECLARE(name_) extern const TrainMethod name_##_method;
TRAIN_LIST(TRAIN_DECLARE)

/* The number of methods, and the one at `index`. */
int train_count(void);
const TrainMethod *train_at(int index);

/* The method called `name`, or NULL. */
const TrainMethod *train_find(const char *name);

#endif
