/*
 * tuner: finds a good configuration by racing (Lopez-Ibanez et al., "The irace package", 2016) or
 * by successive halving, then lets held-out instances decide.
 *
 * A tuner never runs anything itself: it asks for batches of (configuration, instance) and gets
 * values, larger being better. What it asks depends only on the task and on the values so far, so a
 * tuning is resumed by asking again, and several processes that share the values go the same way.
 *
 * A race begins with candidates and drops those that a test shows to be worse, instance by
 * instance; the survivors are the parents of the next race, whose spread is smaller. Elites keep
 * their values and cannot be dropped before the others have seen the same instances.
 */
#ifndef TETROPT_TUNE_TUNER_H
#define TETROPT_TUNE_TUNER_H

#include "tune/space.h"

enum { TUNER_HELD_OUT = 1 << 20 }; /* the number of the first held-out instance */

typedef struct TunerPair {
    int config, instance;
} TunerPair;

typedef enum TunerMethod { TUNER_RACE, TUNER_HALVING } TunerMethod;
typedef enum TunerTest { TUNER_FRIEDMAN, TUNER_T } TunerTest;

#define TUNER_METHOD_CHOICES "race|halving"
#define TUNER_TEST_CHOICES "friedman|t"

typedef struct Tuner Tuner;

/* Fills in the values of a batch and adds the seconds that they took. A failed run has a very bad
 * value. False with `status` ends the tuning. */
typedef bool TunerEvaluate(void *context, const Tuner *tuner, const TunerPair *pairs, size_t count,
                           double *values, double *seconds, Status *status);

typedef struct TunerTask {
    const Space *space;
    TunerMethod method;
    TunerTest test;
    double alpha;   /* a difference counts below this p-value */
    int first_test; /* instances before the first test */
    int64_t budget; /* runs of the races */
    double seconds; /* that runs may take in all; 0: no limit */
    int held_out;   /* instances that decide in the end; 0: the races do */
    int ablation;   /* held-out instances for the ablation path; 0: none */
    uint64_t seed;
    TunerEvaluate *evaluate;
    void *context;
    void (*report)(void *context, const Tuner *tuner); /* after every step; may be NULL */
} TunerTask;

typedef struct TunerConfig {
    SpaceConfig values;
    int race, parent; /* in which it was made, from 0; the number of its parent or -1 */
    double *results;  /* by number of the instance; NaN: not known */
    int result_count;
    double *held_out; /* likewise; NULL: not among the last */
    double mean;      /* of all known results */
} TunerConfig;

/* A step of a race: one batch and the tests after it. */
typedef struct TunerStep {
    int race, instances; /* seen in this race so far */
    int started, alive;  /* configurations */
    int64_t runs;        /* made so far in all races */
    int best;            /* the best configuration now */
    double best_mean;    /* over the instances of this race */
} TunerStep;

/* A step of the ablation path: the parameter that was changed from the default to the winner's. */
typedef struct TunerAblation {
    int parameter;
    double mean; /* of the configuration after the change */
} TunerAblation;

struct Tuner {
    const TunerTask *task;
    TunerConfig *configs; /* number 0 is the default */
    size_t count, capacity;
    TunerStep *steps;
    size_t step_count, step_capacity;
    int elites[SPACE_MAX];
    int elite_count;
    int races, restarts;
    int64_t runs, held_out_runs, ablation_runs;
    double seconds; /* of all runs */
    int winner;
    double winner_mean, default_mean; /* on the held-out instances */
    double p; /* of the difference, Wilcoxon, times the number of candidates; NaN: no test */
    TunerAblation ablation[SPACE_MAX];
    int ablation_count;
    double ablation_start; /* the mean of the default there */
};

/* Tunes. The tuner must be released also after a failure. */
bool tuner_run(const TunerTask *task, Tuner *tuner, Status *status);
void tuner_release(Tuner *tuner);

/* What a whole tuning needs at least, for messages. */
int64_t tuner_least_budget(const TunerTask *task);

/* The held-out value of a configuration, or NaN; `instance` counts from 0. */
double tuner_held_out(const Tuner *tuner, int config, int instance);

#endif
