/*
 * hybrid: a ga whose best individuals are refined every few generations, in parallel, and put back.
 *
 * Every `refine-every` generations the `refine-count` best different individuals are improved by
 * sa, by hill, or by a search that the problem offers itself (beam, exact), each with at most
 * `refine-effort` evaluations. sa differs from time to time and may refine an individual again; the
 * others would only find the same once more, so they pass over what they have refined before.
 */
#ifndef TETROPT_OPTIM_HYBRID_H
#define TETROPT_OPTIM_HYBRID_H

#include "optim/ga.h"

typedef enum HybridRefine { HYBRID_SA, HYBRID_HILL, HYBRID_BEAM, HYBRID_EXACT } HybridRefine;

typedef struct HybridParameters {
    GaParameters ga; /* first: the rows of ga describe it */
    int refine;      /* HybridRefine */
    int64_t count, every, effort;
    double temperature, cooling; /* of the annealing */
    int64_t tabu;
} HybridParameters;

#endif
