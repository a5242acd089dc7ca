/*
 * control: one place counts evaluations, keeps the best and decides when a run ends.
 *
 * Memory is limited to four fifths of the machine's, because an allocation beyond that would
 * succeed and the kernel would end the program later.
 */
#include "optim/control.h"

#include "base/clock.h"
#include "problem/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than four fifths of the memory would not fail now but end in the kernel killing the program
 * later. */
static size_t largest_allocation(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages / 5 * 4 * (size_t)page : SIZE_MAX / 2;
}

void *control_allocate(size_t count, size_t bytes, Status *status) {
    if (bytes > 0 && count > largest_allocation() / bytes) {
        status_fail(status, STATUS_SYSTEM, "%.3g GB are needed, more than this machine has",
                    (double)count * (double)bytes * 1e-9);
        return NULL;
    }
    size_t total = control_stride(count * bytes);
    void *memory = aligned_alloc(64, total > 0 ? total : 64);
    if (memory)
        memset(memory, 0, total);
    else
        status_no_memory(status);
    return memory;
}

bool control_init(Control *control, const OptimRun *run, OptimOutcome *outcome, Status *status) {
    *control = (Control){.run = run, .problem = run->problem, .outcome = outcome};
    outcome->fitness = -INFINITY;
    outcome->evaluations = 0;
    outcome->generations = 0;
    outcome->end = OPTIM_FINISHED;
    outcome->optimal = false;
    const Tree *tree = run->problem->tree;
    outcome->bound = tree && tree->bound ? tree->bound(tree) : INFINITY;
    control->deadline_ns = UINT64_MAX;
    if (run->seconds > 0 && run->seconds < 1e9)
        control->deadline_ns = clock_now_ns() + (uint64_t)(run->seconds * 1e9);
    control->scratch_stride = control_stride(run->problem->scratch_bytes);
    control->scratch = control_allocate(pool_threads(run->pool), control->scratch_stride, status);
    return control->scratch != NULL;
}

void control_release(Control *control) {
    free(control->scratch);
    control->scratch = NULL;
}

static bool stop_asked(const Control *control) {
    const OptimRun *run = control->run;
    return (run->stop && atomic_load_explicit(run->stop, memory_order_relaxed)) ||
           (run->cut.asked && run->cut.asked(run->cut.context));
}

static bool time_over(const Control *control) {
    return control->deadline_ns != UINT64_MAX && clock_now_ns() >= control->deadline_ns;
}

bool control_cut(const Control *control) {
    return stop_asked(control) || time_over(control);
}

static bool problem_cut(const void *context) {
    return control_cut(context);
}

ProblemCut control_problem_cut(const Control *control) {
    return (ProblemCut){problem_cut, control};
}

void *control_scratch(const Control *control, unsigned worker) {
    return control->scratch + worker * control->scratch_stride;
}

uint64_t control_left(const Control *control) {
    if (control->run->evaluations == 0)
        return UINT64_MAX;
    return control->run->evaluations - control->outcome->evaluations;
}

void control_spend(Control *control, uint64_t evaluations) {
    assert(evaluations <= control_left(control));
    control->outcome->evaluations += evaluations;
}

bool control_offer(Control *control, const void *genotype, double fitness) {
    assert(!isnan(fitness));
    if (fitness <= control->outcome->fitness)
        return false;
    control->outcome->fitness = fitness;
    memcpy(control->outcome->genotype, genotype, control->problem->genotype_bytes);
    return true;
}

bool control_over(Control *control) {
    OptimOutcome *outcome = control->outcome;
    if (control->run->has_target && outcome->fitness >= control->run->target)
        outcome->end = OPTIM_TARGET;
    else if (control_left(control) == 0)
        outcome->end = OPTIM_EVALUATIONS;
    else if (stop_asked(control))
        outcome->end = OPTIM_STOPPED;
    else if (time_over(control))
        outcome->end = OPTIM_TIME;
    else
        return false;
    return true;
}

void control_report(const Control *control, Progress progress) {
    if (!control->run->report)
        return;
    progress.done = control->outcome->evaluations;
    progress.best = control->outcome->fitness;
    progress.genotype = progress.best > -INFINITY ? control->outcome->genotype : NULL;
    control->run->report(control->run->report_context, &progress);
}

void control_report_moment(const Control *control, Progress progress) {
    if (!control->run->report)
        return;
    bool is_best = progress.best == control->outcome->fitness;
    progress.genotype = is_best ? control->outcome->genotype : NULL;
    control->run->report(control->run->report_context, &progress);
}

void control_report_population(const Control *control, const double *fitness, size_t count,
                               Progress progress) {
    if (!control->run->report)
        return;
    double sum = 0, best = -INFINITY;
    size_t evaluated = 0;
    for (size_t i = 0; i < count; i++) {
        if (fitness[i] == -INFINITY)
            continue;
        evaluated++;
        sum += fitness[i];
        best = fitness[i] > best ? fitness[i] : best;
    }
    progress.current = best;
    progress.mean = sum / (double)evaluated;
    control_report(control, progress);
}

const void *control_start(const Control *control, size_t index) {
    if (!control->run->start || index >= control->run->start_count)
        return NULL;
    return (const char *)control->run->start + index * control->problem->genotype_bytes;
}
