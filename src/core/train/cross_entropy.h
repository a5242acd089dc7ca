/*
 * cross-entropy: the noisy cross-entropy method (Szita and Lorincz, 2006; Thiery and Scherrer,
 * 2009).
 *
 * Vectors are drawn from independent normals, one per weight; the best few give the next means and
 * variances. Without noise the variances vanish before the means have converged, so a noise is
 * added to every variance that falls to nothing over the generations. The mean is what it gives.
 */
#ifndef TETROPT_TRAIN_CROSS_ENTROPY_H
#define TETROPT_TRAIN_CROSS_ENTROPY_H

#include "train/train.h"

extern const TrainMethod cross_entropy_method;

#endif
