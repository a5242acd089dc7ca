/*
 * hybrid: genetic until it stagnates, then gradient from its best.
 *
 * It stagnates when the best mean score of a generation has not been beaten for `patience`
 * generations. That score is noisy and always of the luckiest, so this waits rather too long than
 * too short; longer still where the piece limit grows, and the scores with it.
 */
#ifndef TETROPT_TRAIN_HYBRID_H
#define TETROPT_TRAIN_HYBRID_H

#include "train/train.h"

extern const TrainMethod hybrid_method;

#endif
