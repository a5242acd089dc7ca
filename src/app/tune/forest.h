/*
 * forest: how much each parameter, and each pair of them, explains of the values that a tuning saw.
 *
 * A random forest (Breiman, 2001) is fitted to all configurations of the races. Its variance over
 * the space is split by functional ANOVA (Hutter, Hoos and Leyton-Brown, 2014): the share of a
 * parameter is the variance of the mean prediction as a function of that parameter, that of a pair
 * what the two explain together and not alone. Means are over random configurations of the space.
 */
#ifndef TETROPT_TUNE_FOREST_H
#define TETROPT_TUNE_FOREST_H

#include "tune/tuner.h"

typedef struct Importance {
    int count;                         /* parameters; 0: too few configurations */
    double single[SPACE_MAX];          /* shares of the variance, 0..1 */
    double pair[SPACE_MAX][SPACE_MAX]; /* symmetric; the diagonal is `single` */
} Importance;

/* False: no memory. */
bool forest_importance(const Tuner *tuner, Importance *importance, Status *status);

#endif
