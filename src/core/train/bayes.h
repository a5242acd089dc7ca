/*
 * bayes: Bayesian optimisation: a Gaussian process models the score as a function of the weights,
 * and the next vector is the one with the largest expected improvement (Jones, Schonlau and Welch,
 * "Efficient global optimization of expensive black-box functions", 1998). For scores that are
 * expensive, and up to some 15 weights.
 *
 * The kernel is Matern's with 5/2, one length for all weights and its own noise; both are chosen
 * again after every generation from a small grid by the likelihood of all that was seen, the height
 * of the kernel in closed form. Scores that are never negative are taken by their logarithm,
 * because games differ by factors. The vectors lie in a box around the start; where only the
 * direction matters they are brought to length 1. What it gives is the vector, of those tried, for
 * which the process expects the most, not the one that scored the most.
 */
#ifndef TETROPT_TRAIN_BAYES_H
#define TETROPT_TRAIN_BAYES_H

#include "train/train.h"

extern const TrainMethod bayes_method;

#endif
