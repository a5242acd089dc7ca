/*
 * control: the part of a run that every optimiser shares: the limits, the best so far, the reports,
 * and the working memory of the threads.
 *
 * Invariant: `evaluations` never passes the limit, and outcome->genotype is the best of all that
 * was offered (the first of equals). Only control_cut and control_scratch may be called by the
 * workers of a pool; everything else belongs to the time between rounds.
 */
#ifndef TETROPT_OPTIM_CONTROL_H
#define TETROPT_OPTIM_CONTROL_H

#include "optim/optim.h"

typedef struct Control {
    const OptimRun *run;
    const Problem *problem;
    OptimOutcome *outcome;
    uint64_t deadline_ns;
    unsigned char *scratch; /* of all workers */
    size_t scratch_stride;
} Control;

/* Begins a run: clears the outcome, starts the clock. control_release ends it (also after a
 * failure). */
bool control_init(Control *control, const OptimRun *run, OptimOutcome *outcome, Status *status);
void control_release(Control *control);

/* True when the time is over or a stop was asked for. Cheap enough for every tenth evaluation. */
bool control_cut(const Control *control);

/* The same for a search of the problem's own. */
ProblemCut control_problem_cut(const Control *control);

/* The working memory of a worker of the pool. */
void *control_scratch(const Control *control, unsigned worker);

/* Evaluations that may still be made; UINT64_MAX without a limit. */
uint64_t control_left(const Control *control);

/* Counts evaluations. */
void control_spend(Control *control, uint64_t evaluations);

/* Takes the genotype when it is better than the best so far; true then. */
bool control_offer(Control *control, const void *genotype, double fitness);

/* True when the run must end now: target, evaluations, stop or time; outcome->end says which. */
bool control_over(Control *control);

/* Reports progress; fills in evaluations and best. */
void control_report(const Control *control, Progress progress);

/* The same for an earlier moment: `done` and `best` are as given. */
void control_report_moment(const Control *control, Progress progress);

/* The same about a population: fills in `current` and `mean` too. Of those that the end of the run
 * left without an evaluation the fitness is -INFINITY; they do not count. */
void control_report_population(const Control *control, const double *fitness, size_t count,
                               Progress progress);

/* The start genotype number `index`, or NULL when fewer were given. */
const void *control_start(const Control *control, size_t index);

/* `count` zeroed items of `bytes` bytes, 64-byte aligned, for free(); NULL with `status`. */
void *control_allocate(size_t count, size_t bytes, Status *status);

/* `bytes` rounded up to a multiple of 64: items that threads write side by side share no line. */
static inline size_t control_stride(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

#endif
