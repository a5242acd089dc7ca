/*
 * solve: the offline search from a task to an answer: builds the problem for the encoding, runs an
 * optimiser on it and plays the best solution once more.
 */
#ifndef TETROPT_SOLVE_SOLVE_H
#define TETROPT_SOLVE_SOLVE_H

#include "optim/optim.h"
#include "problem/evaluate.h"
#include "problem/tetris.h"
#include "problem/tetris_tree.h"

typedef struct SolveTask {
    const EvalRequest *request;
    bool hold; /* for the encoding `placements` */
    FitnessProfile profile;
    const Optimiser *optimiser;
    const void *parameters; /* of the optimiser; NULL: its defaults */
    uint64_t seed;
    unsigned threads;
    uint64_t evaluations; /* limit; 0: none */
    double seconds;       /* limit; 0: none */
    bool has_target;
    double target;
    bool has_bound;
    double bound; /* proved elsewhere: no solution is better; reaching it ends the search */
    const atomic_bool *stop;
    ProgressReport *report;
    void *report_context;
    const int8_t *start; /* a genotype to begin with; may be NULL */
    /* The islands of which this is one (a single one counts as none); NULL: not asked for. All must
     * call solve_run, and all get the answer. */
    const Exchange *exchange;
} SolveTask;

typedef struct SolveAnswer {
    EvalSolution best;
    EvalResult result;
    OptimEnd end;
    uint64_t evaluations;
    double seconds;
    double bound; /* proved upper bound of the fitness; INFINITY: none known */
    bool optimal, perfect_clear;
} SolveAnswer;

/* The problem of a request in both forms: genotypes (`problem`), and the tree behind it. Large: do
 * not copy it, its parts point to each other. */
typedef struct SolveInstance {
    TetrisProblem tetris;
    Problem problem; /* only a tree when the encoding is `placements` */
    TetrisTree tetris_tree;
    Tree tree;
} SolveInstance;

/* Fills it; the request must stay where it is. */
void solve_build(SolveInstance *instance, const EvalRequest *request, const FitnessProfile *profile,
                 bool hold);

/* Whether the optimiser can work on the encoding, and with islands where they are asked for. */
bool solve_check(const SolveTask *task, Status *status);

/* Solves. */
bool solve_run(const SolveTask *task, SolveAnswer *answer, Status *status);

#endif
