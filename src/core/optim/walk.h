/*
 * walk: one current genotype and its neighbours, each evaluated as cheaply as the problem allows.
 *
 * A change is tried in place, evaluated, then kept or undone:
 *
 *     if (!walk_try(walk, number))
 *         return;
 *     if (walk_value(walk, scratch) > walk->fitness)
 *         walk_keep(walk, scratch);
 *     else
 *         walk_undo(walk);
 *
 * Invariant: while no change is pending, `genotype` is the current one, `fitness` its fitness, and
 * states[u] the fold's state before unit u (or the ledger is about it). With the fold a neighbour
 * that touches unit u is played from u on, on average half; with the delta it costs next to
 * nothing; with neither it is a whole evaluation.
 */
#ifndef TETROPT_OPTIM_WALK_H
#define TETROPT_OPTIM_WALK_H

#include "problem/problem.h"

typedef struct Walk {
    const Problem *problem;
    unsigned char *genotype;
    double fitness;
    unsigned char *before; /* the genotype before a walk_resample */
    unsigned char *states; /* a state a unit, then one to work on; NULL without the fold */
    unsigned char *ledger; /* NULL without the delta */
    uint32_t unit, number, undo;
    double value; /* of the pending change */
} Walk;

/* The memory that a walk needs, a multiple of 64. Without `fast` it keeps no states and no ledger:
 * small, and every neighbour is a whole evaluation. */
size_t walk_bytes(const Problem *problem, bool fast);

/* Puts a walk into `memory`, 64-byte aligned, of walk_bytes; nothing is current yet. */
void walk_init(Walk *walk, const Problem *problem, void *memory, bool fast);

/* Makes a copy of `genotype` the current one. This is one evaluation. */
void walk_begin(Walk *walk, void *scratch, const void *genotype);

/* The same where the fitness is known already: for a walk that is not fast. */
void walk_begin_known(Walk *walk, const void *genotype, double fitness);

/* Tries neighbour `number`; false when it changes nothing: then nothing is pending. */
bool walk_try(Walk *walk, uint32_t number);

/* Tries the units begin..end-1 drawn again. */
void walk_resample(Walk *walk, Rng *rng, uint32_t begin, uint32_t end);

/* The fitness with the pending change. This is one evaluation. */
double walk_value(Walk *walk, void *scratch);

/* Says what the fitness with the pending change is, in place of walk_value. */
void walk_know(Walk *walk, double value);

/* Keeps the pending change, which was valued; or takes it back, valued or not. */
void walk_keep(Walk *walk, void *scratch);
void walk_undo(Walk *walk);

#endif
