/*
 * puzzle: the options of n queens and SAT, shared by `demo` and the problems of the library.
 */
#ifndef TETROPT_JOB_PUZZLE_H
#define TETROPT_JOB_PUZZLE_H

#include "base/options.h"
#include "problem/sat.h"

typedef struct QueensOptions {
    int64_t n;
} QueensOptions;

extern const OptionTable queens_options;

typedef struct SatOptions {
    int64_t variables, clauses;
    const char *dimacs; /* the name of a file, or its content */
    bool impossible;
} SatOptions;

extern const OptionTable sat_options;

/* The random formula of the options, which does not look at `dimacs`. */
Sat *puzzle_random_sat(const SatOptions *options, uint64_t seed, ProblemCut cut, Status *status);

#endif
