/*
 * solve: builds the problem in both forms (genotypes, tree), runs the optimiser and plays the best
 * once more.
 */
#include "solve/solve.h"

#include "base/clock.h"
#include "optim/islands.h"
#include "optim/registry.h"
#include "problem/expand.h"
#include "solve/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void solve_build(SolveInstance *instance, const EvalRequest *request, const FitnessProfile *profile,
                 bool hold) {
    bool any = request->encoding == ENCODING_PLACEMENTS;
    eval_decoder(request, &instance->tetris.decoder);
    if (any) {
        instance->tetris.profile = *profile;
        instance->problem = (Problem){.name = "tetris",
                                      .units = (uint32_t)request->placements,
                                      .genotype_bytes = (size_t)request->placements * sizeof(Move)};
    } else
        tetris_problem_init(&instance->tetris, profile, &instance->problem);
    tetris_tree_init(&instance->tetris_tree, &instance->tetris.decoder, &instance->tetris.profile,
                     any, hold, &instance->tree);
    instance->problem.tree = &instance->tree;
    if (!any)
        instance->problem.refine = refine_tail;
}

/* The other islands, if there are any. */
static const Exchange *others(const SolveTask *task) {
    return task->exchange && task->exchange->count > 1 ? task->exchange : NULL;
}

/* What ends the search: the target, or a bound, at which there is nothing better. */
static double goal(const SolveTask *task, const SolveInstance *instance) {
    double best = instance->tree.bound(&instance->tree);
    if (task->has_bound)
        best = fmin(best, task->bound);
    return task->has_target ? fmin(best, task->target) : best;
}

static bool optimise(const SolveTask *task, const SolveInstance *instance, Pool *pool,
                     SolveAnswer *answer, Status *status) {
    bool any = task->request->encoding == ENCODING_PLACEMENTS;
    double end = goal(task, instance);
    OptimRun run = {.problem = &instance->problem,
                    .seed = task->seed,
                    .evaluations = task->evaluations,
                    .seconds = task->seconds,
                    .has_target = isfinite(end),
                    .target = end,
                    .target_is_bound = !task->has_target || task->target > end,
                    .stop = task->stop,
                    .pool = pool,
                    .report = task->report,
                    .report_context = task->report_context,
                    .start = any ? NULL : task->start,
                    .start_count = !any && task->start ? 1 : 0,
                    .exchange = others(task)};
    OptimOutcome outcome = {.genotype = &answer->best};
    uint64_t start = clock_now_ns();
    bool ok = optim_run(task->optimiser, &run, task->parameters, &outcome, status);
    answer->seconds = clock_seconds_since(start);
    answer->end = outcome.end;
    answer->evaluations = outcome.evaluations;
    answer->bound = outcome.bound;
    if (!any &&
        !expand_is_complete(&instance->tetris.decoder)) /* only what holds for all placements */
        answer->bound = fmax(outcome.bound, instance->tree.bound(&instance->tree));
    if (task->has_bound)
        answer->bound = fmin(answer->bound, task->bound);
    answer->optimal = outcome.fitness >= answer->bound;
    return ok;
}

bool solve_check(const SolveTask *task, Status *status) {
    if (task->exchange && !task->optimiser->has_islands)
        return status_fail(status, STATUS_INPUT, "%s: cannot run on islands (use ga)",
                           task->optimiser->name);
    const Exchange *exchange = others(task);
    if (exchange && task->evaluations > 0 && task->evaluations < (uint64_t)exchange->count)
        return status_fail(status, STATUS_INPUT, "evaluations: %llu are too few for %d islands",
                           (unsigned long long)task->evaluations, exchange->count);
    if (task->request->encoding != ENCODING_PLACEMENTS || task->optimiser->searches_tree)
        return true;
    return status_fail(status, STATUS_INPUT,
                       "%s: searches genes; the encoding placements requires auto, beam or exact",
                       task->optimiser->name);
}

bool solve_run(const SolveTask *task, SolveAnswer *answer, Status *status) {
    memset(answer, 0, sizeof *answer);
    if (!solve_check(task, status))
        return false; /* all islands find the same here */
    SolveInstance *instance = malloc(sizeof *instance);
    Pool *pool = pool_new(task->threads, status);
    bool ok = instance && pool;
    if (!instance)
        status_no_memory(status);
    if (!ok)
        islands_give_up(others(task));
    else
        solve_build(instance, task->request, &task->profile, task->hold);
    ok = ok && optimise(task, instance, pool, answer, status) &&
         eval_run(task->request, &answer->best, &task->profile, &answer->result, status);
    answer->perfect_clear = ok && answer->result.state.highest == 0;
    pool_free(pool);
    free(instance);
    return ok;
}
