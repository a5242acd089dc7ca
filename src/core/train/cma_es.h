/*
 * cma-es: the covariance matrix adaptation evolution strategy with its published constants (Hansen,
 * "The CMA evolution strategy: a tutorial"; the damping is that of his program purecma), and its
 * noise handling (Hansen, Niederberger, Guzzella and Koumoutsakos, 2009).
 *
 * Noise: the first few candidates of a generation are scored a second time on other seeds. When
 * their ranks change more than randomness explains, every candidate plays more games from then on,
 * and slowly fewer again when they do not. What is given in the end is the mean of the
 * distribution, an average over many generations, and not the sample that was luckiest.
 *
 * Where only the direction of a vector matters, the mean is brought back to length 1 after every
 * generation, and the step size with it: the same distribution on another scale. Dividing only the
 * mean lets the step size run away, because a mean that is pulled back every time looks like one
 * that should go further.
 */
#ifndef TETROPT_TRAIN_CMA_ES_H
#define TETROPT_TRAIN_CMA_ES_H

#include "train/train.h"

extern const TrainMethod cma_es_method;

#endif
