/*
 * competition: small steps of one weight each compete, and the best becomes the parent.
 *
 * A generation is two candidates per weight: the parent with that weight raised by d and lowered by
 * d, d uniform in 0.1..0.5. The parent itself does not play: it always gives way, which lets it
 * leave a place where it was lucky. A step below the limit of a weight and the reverse of the last
 * winning step are left out (unless nothing else is possible).
 */
#ifndef TETROPT_TRAIN_COMPETITION_H
#define TETROPT_TRAIN_COMPETITION_H

#include "train/train.h"

extern const TrainMethod competition_method;

#endif
