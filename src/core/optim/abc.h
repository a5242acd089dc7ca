/*
 * abc: an artificial bee colony (Karaboga, 2005) over genotypes.
 *
 * A food source is a genotype. Half of the colony are employed bees, one per source, the others are
 * onlookers. In a cycle every employed bee tries one change of its source; then every onlooker
 * chooses a source, by roulette on the fitness above the worst, and tries one change of it. A
 * change that is no worse stays. A source that was not improved in `limit` tries is abandoned: its
 * bee becomes a scout and starts at a random genotype in the next cycle.
 *
 * A change is a neighbour as in sa, all genes of one unit, or a tail drawn again. Onlookers that
 * chose the same source try one after the other, so sources are independent within a phase and
 * threads share them.
 *
 * Memory: a source keeps the states of its genotype (see walk.h) while all of them fit into 16 MB,
 * else only the genotype, and then every try is a whole evaluation.
 */
#ifndef TETROPT_OPTIM_ABC_H
#define TETROPT_OPTIM_ABC_H

#include "optim/optim.h"

typedef struct AbcParameters {
    int64_t colony, cycles, patience, limit;
    int neighbourhood; /* ProblemPick */
    double unit_share, tail_share;
} AbcParameters;

extern const Optimiser abc_optimiser;

#endif
