/*
 * walk: keeps the state of the fold before every unit, or the ledger of the delta, and evaluates a
 * change from there.
 */
#include "optim/walk.h"

#include "optim/control.h"

#include <assert.h>
#include <string.h>

#define RESAMPLED UINT32_MAX /* in place of a neighbour's number */

/* The bytes from one state to the next. */
static size_t state_stride(const Problem *problem) {
    return (problem->state_bytes + 15) / 16 * 16;
}

size_t walk_bytes(const Problem *problem, bool fast) {
    size_t bytes = 2 * control_stride(problem->genotype_bytes);
    if (fast && problem->ledger_bytes > 0)
        bytes += control_stride(problem->ledger_bytes);
    else if (fast && problem->state_bytes > 0)
        bytes += control_stride(((size_t)problem->units + 1) * state_stride(problem));
    return bytes;
}

void walk_init(Walk *walk, const Problem *problem, void *memory, bool fast) {
    size_t stride = control_stride(problem->genotype_bytes);
    unsigned char *bytes = memory;
    *walk = (Walk){.problem = problem, .genotype = bytes, .before = bytes + stride};
    if (fast && problem->ledger_bytes > 0)
        walk->ledger = bytes + 2 * stride;
    else if (fast && problem->state_bytes > 0)
        walk->states = bytes + 2 * stride;
}

static unsigned char *state_at(const Walk *walk, uint32_t unit) {
    return walk->states + unit * state_stride(walk->problem);
}

/* Plays the genotype from `unit` on and keeps the state before every later unit. The state after
 * the last one is left in the place to work on. */
static void record(Walk *walk, void *scratch, uint32_t unit) {
    const Problem *problem = walk->problem;
    for (; unit < problem->units; unit++) {
        unsigned char *next = state_at(walk, unit + 1);
        memcpy(next, state_at(walk, unit), problem->state_bytes);
        problem->advance(problem, scratch, walk->genotype, next, unit, unit + 1);
    }
}

void walk_begin(Walk *walk, void *scratch, const void *genotype) {
    const Problem *problem = walk->problem;
    memcpy(walk->genotype, genotype, problem->genotype_bytes);
    if (walk->states) {
        problem->begin(problem, state_at(walk, 0));
        record(walk, scratch, 0);
        walk->fitness = problem->finish(problem, scratch, state_at(walk, problem->units));
        return;
    }
    walk->fitness = problem->evaluate(problem, scratch, walk->genotype);
    if (walk->ledger)
        problem->open(problem, walk->genotype, walk->ledger);
}

void walk_begin_known(Walk *walk, const void *genotype, double fitness) {
    assert(!walk->states && !walk->ledger);
    memcpy(walk->genotype, genotype, walk->problem->genotype_bytes);
    walk->fitness = fitness;
}

void walk_know(Walk *walk, double value) {
    walk->value = value;
}

bool walk_try(Walk *walk, uint32_t number) {
    walk->number = number;
    walk->unit = walk->problem->change(walk->problem, walk->genotype, number, &walk->undo);
    return walk->unit != PROBLEM_UNCHANGED;
}

void walk_resample(Walk *walk, Rng *rng, uint32_t begin, uint32_t end) {
    memcpy(walk->before, walk->genotype, walk->problem->genotype_bytes);
    walk->number = RESAMPLED;
    walk->unit = walk->problem->resample(walk->problem, rng, walk->genotype, begin, end);
}

double walk_value(Walk *walk, void *scratch) {
    const Problem *problem = walk->problem;
    if (walk->ledger && walk->number != RESAMPLED) {
        walk->value = problem->peek(problem, walk->genotype, walk->ledger, walk->number);
    } else if (walk->states) {
        unsigned char *work = state_at(walk, problem->units);
        memcpy(work, state_at(walk, walk->unit), problem->state_bytes);
        problem->advance(problem, scratch, walk->genotype, work, walk->unit, problem->units);
        walk->value = problem->finish(problem, scratch, work);
    } else {
        walk->value = problem->evaluate(problem, scratch, walk->genotype);
    }
    return walk->value;
}

void walk_keep(Walk *walk, void *scratch) {
    const Problem *problem = walk->problem;
    walk->fitness = walk->value;
    if (walk->states)
        record(walk, scratch, walk->unit);
    else if (walk->ledger && walk->number == RESAMPLED)
        problem->open(problem, walk->genotype, walk->ledger);
    else if (walk->ledger)
        problem->book(problem, walk->genotype, walk->ledger, walk->number);
}

void walk_undo(Walk *walk) {
    const Problem *problem = walk->problem;
    if (walk->number == RESAMPLED) {
        memcpy(walk->genotype, walk->before, problem->genotype_bytes);
        return;
    }
    uint32_t back;
    uint32_t unit = problem->change(problem, walk->genotype, walk->undo, &back);
    assert(unit == walk->unit && "undo must restore");
    (void)unit;
}
