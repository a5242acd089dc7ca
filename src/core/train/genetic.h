/*
 * genetic: a small population in three classes.
 *
 * Individuals are ranked by their mean score: class A the best 3, B the next 5, C the rest. Every
 * member of a class has the same probability of being a parent (16.67 %, 6 % and 3.33 % with 14
 * individuals), two different parents make a child by two-point crossover, and each gene mutates
 * with 10 % by a normal of deviation 0.5. The best passes on as its own both parents; it can still
 * mutate, so a lucky one does not stay for ever. No two individuals are alike, and no gene goes
 * below its limit.
 *
 * With adaptive rates (after Srinivas and Patnaik, 1994) what is better than the mean is crossed
 * and mutated the less, the nearer it is to the best: good ones are kept, poor ones are shaken.
 */
#ifndef TETROPT_TRAIN_GENETIC_H
#define TETROPT_TRAIN_GENETIC_H

#include "base/options.h"
#include "train/train.h"

enum { GENETIC_MAX_POPULATION = 256 };

typedef enum GeneticCrossover {
    GENETIC_TWO_POINT,
    GENETIC_UNIFORM,
    GENETIC_ARITHMETIC
} GeneticCrossover;

typedef struct GeneticParameters {
    int64_t population, class_a, class_b;
    double chance_a, chance_b, chance_c;
    int crossover; /* GeneticCrossover */
    double mutation, deviation, spread;
    int elite, adaptive; /* 0: off, 1: on */
} GeneticParameters;

/* The rows of the option table, for a struct that begins with GeneticParameters. */
#define GENETIC_ROWS                                                                               \
    TUNED_INTEGER(GeneticParameters, population, "population", "14", 3, GENETIC_MAX_POPULATION,    \
                  "9..64 log", "individuals"),                                                     \
        TUNED_INTEGER(GeneticParameters, class_a, "class-a", "3", 0, GENETIC_MAX_POPULATION,       \
                      "1..4", "the best that are class A"),                                        \
        TUNED_INTEGER(GeneticParameters, class_b, "class-b", "5", 0, GENETIC_MAX_POPULATION,       \
                      "1..5", "the next that are class B; the rest is C"),                         \
        TUNED_REAL(GeneticParameters, chance_a, "chance-a", "16.67", 0, 1e6, "1..50 log",          \
                   "probability of each of A to be a parent, in proportion to the others"),        \
        TUNED_REAL(GeneticParameters, chance_b, "chance-b", "6", 0, 1e6, "1..50 log",              \
                   "of each of B"),                                                                \
        TUNED_REAL(GeneticParameters, chance_c, "chance-c", "3.33", 0, 1e6, "0.1..20 log",         \
                   "of each of C"),                                                                \
        PARAMETER_CHOICE(GeneticParameters, crossover, "crossover", "two-point",                   \
                         "two-point|uniform|arithmetic",                                           \
                         "a middle part from the other parent, each gene from either, or a "       \
                         "random point between the parents"),                                      \
        TUNED_REAL(GeneticParameters, mutation, "mutation", "0.1", 0, 1, "0.01..0.8 log",          \
                   "mutation probability of each gene"),                                           \
        TUNED_REAL(GeneticParameters, deviation, "deviation", "0.5", 0, 1e9, "0.05..5 log",        \
                   "standard deviation of a mutation"),                                            \
        TUNED_REAL(GeneticParameters, spread, "spread", "5", 1e-9, 1e9, "0.5..20 log",             \
                   "how far the first individuals are from the start, in every gene"),             \
        PARAMETER_CHOICE(GeneticParameters, elite, "elite", "on", "off|on",                        \
                         "the best is both parents of one child"),                                 \
        PARAMETER_CHOICE(GeneticParameters, adaptive, "adaptive", "off", "off|on",                 \
                         "better parents have crossover and mutation less often")

typedef struct GeneticState {
    int64_t begun; /* 0: there is no population yet */
    double population[GENETIC_MAX_POPULATION][TRAIN_MAX_WEIGHTS];
    double best[TRAIN_MAX_WEIGHTS]; /* of the last population that was scored */
} GeneticState;

/* The rank (0 the best) of a parent drawn by the probabilities of the classes. */
int genetic_parent(const GeneticParameters *parameters, Rng *rng);

#endif
