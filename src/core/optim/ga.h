/*
 * ga: a genetic algorithm with a softmax over the whole population, half of which survives.
 *
 * A generation: parents are drawn from all P individuals, P/2 children are bred and evaluated, the
 * worse half gives way to them. The kept half is not evaluated again. The operators that may stand
 * in for the standard ones are parameters, because comparing them is the point.
 *
 * Invariant: individuals live in slots that never move; `order` says which slots are the population
 * (the first P, the older before the younger) and which are free for children (the rest), so a
 * replacement moves numbers, not genotypes. When the problem offers the fold, a slot also keeps the
 * state at the cut of the crossover: a child has the first part of one parent, so it is played from
 * the cut on.
 *
 * Memory: 1.5 P slots of genotype and state, each of the two rounded up to 64 bytes, and about 40
 * bytes an individual for the order, the fitness and the sampler.
 */
#ifndef TETROPT_OPTIM_GA_H
#define TETROPT_OPTIM_GA_H

#include "base/options.h"
#include "optim/control.h"
#include "optim/optim.h"

typedef enum GaSelection { GA_SOFTMAX, GA_ELITIST, GA_TOURNAMENT } GaSelection;
typedef enum GaMutationPer { GA_PER_CHILD, GA_PER_PIECE } GaMutationPer;
typedef enum GaCrossover { GA_HALF, GA_UNIFORM, GA_ALTERNATING, GA_NO_CROSSOVER } GaCrossover;

typedef struct GaParameters {
    int64_t population, generations, patience;
    double mutation;
    int mutation_per;  /* GaMutationPer */
    int mutation_kind; /* ProblemPick */
    int selection;     /* GaSelection */
    double temperature, temperature_floor;
    double elite; /* up to 1 a share of the population, above it a number of individuals */
    int64_t tournament;
    int children;  /* 0: one of a pair, 1: two */
    int crossover; /* GaCrossover */
    double cut;    /* the share of the units that come from the first parent */
    double immigrants;
    double adaptive;            /* the most that the rates may grow; 1: not at all */
    int64_t interval, migrants; /* of islands; hybrid has none */
} GaParameters;

/* The rows of the option table with these defaults, for a struct that begins with GaParameters. */
#define GA_PARAMETER_ROWS(population_, generations_, patience_, mutation_, per_, kind_,            \
                          selection_, temperature_, floor_, elite_, tournament_, children_,        \
                          crossover_, cut_, immigrants_, adaptive_)                                \
    TUNED_INTEGER(GaParameters, population, "population", population_, 2, 1e7, "20..20000 log",    \
                  "individuals"),                                                                  \
        PARAMETER_INTEGER(GaParameters, generations, "generations", generations_, 0, 1e9,          \
                          "the most generations"),                                                 \
        PARAMETER_INTEGER(GaParameters, patience, "patience", patience_, 1, 1e9,                   \
                          "generations without a better best after which it ends"),                \
        TUNED_REAL(GaParameters, mutation, "mutation", mutation_, 0, 1, "0.005..0.8 log",          \
                   "the probability of a mutation"),                                               \
        PARAMETER_CHOICE(GaParameters, mutation_per, "mutation-per", per_, "child|piece",          \
                         "what the probability is drawn for: once per child, or for each piece "   \
                         "of it"),                                                                 \
        PARAMETER_CHOICE(GaParameters, mutation_kind, "mutation-kind", kind_,                      \
                         "uniform|nearby|published",                                               \
                         "one random gene takes any value of its range, or one next to its own, "  \
                         "or: a swap flips, a rotation changes by one quarter turn, a move takes " \
                         "any value"),                                                             \
        PARAMETER_CHOICE(GaParameters, selection, "selection", selection_,                         \
                         "softmax|elitist|tournament", "how parents are drawn"),                   \
        TUNED_REAL(GaParameters, temperature, "temperature", temperature_, 1e-6, 1e9,              \
                   "1..1000 log if selection=softmax",                                             \
                   "softmax: T0; generation g draws at T0/ln(g+2)"),                               \
        TUNED_REAL(GaParameters, temperature_floor, "temperature-floor", floor_, 1e-6, 1e9,        \
                   "0.01..10 log if selection=softmax", "softmax: the lowest temperature"),        \
        TUNED_REAL(GaParameters, elite, "elite", elite_, 1e-6, 1e7,                                \
                   "0.01..1 log if selection=elitist",                                             \
                   "elitist: the best from which parents are drawn, a share of the "               \
                   "population up to 1, a number above"),                                          \
        TUNED_INTEGER(GaParameters, tournament, "tournament", tournament_, 1, 1000,                \
                      "2..20 log if selection=tournament",                                         \
                      "tournament: individuals of which the best becomes a parent"),               \
        PARAMETER_CHOICE(GaParameters, children, "children", children_, "1|2",                     \
                         "children of a pair of parents"),                                         \
        PARAMETER_CHOICE(GaParameters, crossover, "crossover", crossover_,                         \
                         "half|uniform|alternating|none",                                          \
                         "the first part of the units from one parent and the rest from the "      \
                         "other, each unit from a random parent, every other unit, or mutation "   \
                         "only: every child is a mutated copy of one parent"),                     \
        TUNED_REAL(GaParameters, cut, "cut", cut_, 0, 1, "0.1..0.9 if crossover=half",             \
                   "half: the share of the units in the first part"),                              \
        TUNED_REAL(GaParameters, immigrants, "immigrants", immigrants_, 0, 1, "0..0.3",            \
                   "the share of the children that are random newcomers"),                         \
        TUNED_REAL(GaParameters, adaptive, "adaptive", adaptive_, 1, 1000, "1..20 log",            \
                   "mutation and immigrants grow by 2 % with every generation without a "          \
                   "better best, up to this factor, and fall back when there is one")

/* The population between two generations, for the one who refines it. */
typedef struct Ga Ga;

typedef struct GaRank {
    double fitness;
    size_t index;
} GaRank;

uint64_t ga_generation(const Ga *ga);
const void *ga_genotype(const Ga *ga, size_t index);

/* Writes the `count` best, the best first and the older first among equals; returns how many (fewer
 * when the population is smaller). */
size_t ga_best(Ga *ga, GaRank *ranks, size_t count);

/* Writes the places of the `count` worst; the younger among equals. */
void ga_worst(Ga *ga, size_t *indexes, size_t count);

/* Puts `genotype`, whose fitness is known, in the place of an individual. */
void ga_replace(Ga *ga, size_t index, const void *genotype, double fitness);

/* Called after every generation; it may replace individuals, spend and offer. */
typedef void GaRefine(void *context, Ga *ga);

struct Islands; /* islands.h */

/* The whole run, for ga itself (`refine` NULL) and for hybrid; `islands` NULL: it is the only one.
 */
bool ga_evolve(Control *control, const GaParameters *parameters, GaRefine *refine, void *context,
               struct Islands *islands, Status *status);

#endif
