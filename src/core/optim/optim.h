/*
 * optim: what every optimiser takes and gives.
 *
 * An optimiser is a row in the list of registry.c: a name, a table of parameters, a function. It
 * sees a Problem and nothing of Tetris.
 *
 * Invariants of a run: it never makes more evaluations than its limit; the best genotype seen is
 * always kept; and with the same seed, parameters and evaluation limit the outcome is the same
 * whatever the number of threads. For that, random numbers come from a stream of (seed, round,
 * item) and never of the thread, everything that is added up is added in the order of the items,
 * and decisions about the whole run (target, patience, limit) fall between rounds. The time limit
 * and the stop flag end a run within a fraction of a second; what they leave depends on the moment.
 */
#ifndef TETROPT_OPTIM_OPTIM_H
#define TETROPT_OPTIM_OPTIM_H

#include "base/exchange.h"
#include "base/options.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/status.h"
#include "problem/problem.h"

#include <stdatomic.h>

/* Reports (base/progress.h) come once per generation (ga, hybrid, abc); for the start, every
 * accepted change of the fitness and once per round (sa, hill; only the last with several chains);
 * once per depth and for each improvement (beam), now and then (exact). `done` counts evaluations.
 * All values are fitnesses, so `current` is never above `best`; beam and exact have only parts of
 * solutions and repeat `best`. */

typedef struct OptimRun {
    const Problem *problem;
    uint64_t seed;
    uint64_t evaluations; /* the limit; 0: none */
    double seconds;       /* the time limit; 0: none */
    bool has_target;
    double target;        /* ends the run when the best is at least this */
    bool target_is_bound; /* nothing is better than the target; that it is missed is no failure */
    const atomic_bool *stop; /* ends the run when it becomes true; may be NULL */
    ProblemCut cut;          /* ends it likewise: for a run inside of another one */
    Pool *pool;
    ProgressReport *report; /* may be NULL */
    void *report_context;
    const void *start; /* start_count genotypes to begin with, one after the other; may be NULL */
    size_t start_count;
    const Exchange *exchange; /* NULL: not one of several islands */
} OptimRun;

typedef enum OptimEnd {
    OPTIM_FINISHED,    /* its own limit: generations, steps, restarts */
    OPTIM_PATIENCE,    /* too long without a better best */
    OPTIM_TARGET,      /* the target was reached */
    OPTIM_EVALUATIONS, /* the evaluation limit */
    OPTIM_TIME,        /* the time limit */
    OPTIM_STOPPED      /* the stop flag */
} OptimEnd;

#define OPTIM_END_CHOICES "finished|patience|target|evaluations|time|stopped"

typedef struct OptimOutcome {
    void *genotype; /* given by the caller, genotype_bytes; receives the best */
    double fitness; /* its fitness; even a run that is stopped at once makes one evaluation */
    uint64_t evaluations;
    uint64_t generations; /* generations, or steps of all chains together */
    OptimEnd end;
    double bound; /* proved: no solution has a larger fitness; INFINITY when nothing is known */
    bool optimal; /* the bound is reached: there is nothing better */
} OptimOutcome;

typedef struct Optimiser {
    const char *name;
    const char *summary;
    OptionTable parameters;  /* describes the struct that run takes */
    size_t parameters_bytes; /* its size; options_defaults fills it */
    bool searches_tree;      /* can do with a problem that is only a tree */
    bool needs_tree;         /* cannot do with one that has none */
    bool has_islands;        /* takes an exchange; `seed`, `evaluations` and the outcome are then
                              * those of all islands together, the other limits of each */
    /* Runs to its end. False with `status` only when memory runs out or a parameter does not go
     * with the problem; the outcome is then not to be used. */
    bool (*run)(const OptimRun *run, const void *parameters, OptimOutcome *outcome, Status *status);
} Optimiser;

enum { OPTIM_PARAMETERS_MAX_BYTES = 1024 }; /* no optimiser's parameter struct is larger */

#endif
