/*
 * solver: the solver of tetropt.h, on top of job/solve.
 *
 * A solver is a job handle that keeps its run, for the answer.
 */
#include "job/solve.h"
#include "library/handles.h"
#include "optim/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tetropt_solver {
    tetropt_job *job;
};

static void set_repeatable(tetropt_job *job, const char *option) {
    question_set(job->question, option, strcmp(option, "seed") == 0 ? "0" : "1", NULL);
}

tetropt_solver *tetropt_solver_new(void) {
    tetropt_solver *solver = calloc(1, sizeof *solver);
    tetropt_job *job = solver ? tetropt_job_new(solve_job.name) : NULL;
    if (!job) {
        free(solver);
        return NULL;
    }
    solver->job = job;
    /* Unlike the program, the library repeats a run unless it is told otherwise. */
    set_repeatable(job, "seed");
    set_repeatable(job, "threads");
    return solver;
}

void tetropt_solver_free(tetropt_solver *solver) {
    if (solver)
        tetropt_job_free(solver->job);
    free(solver);
}

const char *tetropt_solver_message(const tetropt_solver *solver) {
    return tetropt_job_message(solver ? solver->job : NULL);
}

int tetropt_solver_set(tetropt_solver *solver, const char *option, const char *value) {
    if (!solver)
        return TETROPT_INPUT;
    tetropt_job *job = solver->job;
    bool is_parameter = option && value && strcmp(option, "param") == 0 && *value;
    if (is_parameter && !solve_check_parameter(job->question, value, &job->status))
        return (int)job->status.code;
    int code = tetropt_job_set(job, option, value);
    if (code != TETROPT_OK)
        return code;
    if (strcmp(option, "algorithm") == 0) /* the parameters were those of another one */
        question_set(job->question, "param", "", NULL);
    if (!*value && (strcmp(option, "seed") == 0 || strcmp(option, "threads") == 0))
        set_repeatable(job, option);
    return TETROPT_OK;
}

void tetropt_solver_on_progress(tetropt_solver *solver, tetropt_progress *progress, void *context) {
    tetropt_job_on_progress(solver ? solver->job : NULL, progress, context);
}

void tetropt_solver_stop(tetropt_solver *solver) {
    tetropt_job_stop(solver ? solver->job : NULL);
}

int tetropt_solver_run(tetropt_solver *solver) {
    if (!solver)
        return TETROPT_INPUT;
    if (solver->job->running)
        return HANDLE_FAIL(solver->job, STATUS_INPUT, "solver: is searching already");
    return handle_code(&solver->job->status, job_handle_run(solver->job));
}

/* ---- the answer */

/* The last run; NULL: it has no answer, or there is none. */
static const SolveRun *solved(const tetropt_solver *solver) {
    return solver ? solver->job->run : NULL;
}

double tetropt_solver_fitness(const tetropt_solver *solver) {
    return solved(solver) ? solved(solver)->answer.result.fitness : -INFINITY;
}

int tetropt_solver_lines(const tetropt_solver *solver) {
    return solved(solver) ? solved(solver)->answer.result.state.lines : 0;
}

int tetropt_solver_perfect_clear(const tetropt_solver *solver) {
    return solved(solver) && solved(solver)->answer.perfect_clear;
}

int tetropt_solver_optimal(const tetropt_solver *solver) {
    return solved(solver) && solved(solver)->answer.optimal;
}

uint64_t tetropt_solver_evaluations(const tetropt_solver *solver) {
    return solved(solver) ? solved(solver)->answer.evaluations : 0;
}

const char *tetropt_solver_end(const tetropt_solver *solver) {
    return solved(solver) ? optim_end_name(solved(solver)->answer.end) : "";
}

int tetropt_solver_count(const tetropt_solver *solver) {
    return solved(solver) ? solved(solver)->answer.result.state.placed : 0;
}

static bool check_index(tetropt_solver *solver, int index) {
    return (index >= 0 && index < tetropt_solver_count(solver)) ||
           status_fail(&solver->job->status, STATUS_INPUT, "placement: unknown number %d", index);
}

int tetropt_solver_placement(tetropt_solver *solver, int index, tetropt_placement *placement) {
    if (!solver || !check_index(solver, index))
        return TETROPT_INPUT;
    if (!placement)
        return HANDLE_FAIL(solver->job, STATUS_INPUT, "placement: is NULL");
    const DecodeStep *step = &solved(solver)->answer.result.steps[index];
    *placement = placement_out(step->move.placement, step->move.hold);
    return TETROPT_OK;
}

int tetropt_solver_keys(tetropt_solver *solver, int index, int *keys, int capacity) {
    if (!solver || !check_index(solver, index))
        return -1;
    const DecodeStep *steps = solved(solver)->answer.result.steps;
    Board board;
    Columns columns;
    grid_to_board(&solved(solver)->request.grid, &board);
    columns_from_board(&columns, &board);
    for (int i = 0; i < index; i++) {
        Placement at = steps[i].move.placement;
        columns_lock(&columns, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    }
    Placement goal = steps[index].move.placement;
    goal.spin = SPIN_NONE;
    int count = keys_fewest(&columns, goal, false, steps[index].move.hold, keys, capacity);
    if (count == KEYS_NO_MEMORY)
        status_no_memory(&solver->job->status);
    else if (count < 0)
        status_fail(&solver->job->status, STATUS_UNMET, "keys: the stack is in their way");
    return count < 0 ? -1 : count;
}

size_t tetropt_solver_text(const tetropt_solver *solver, char *text, size_t bytes) {
    return grid_text(solved(solver) ? &solved(solver)->answer.result.grid : NULL, text, bytes);
}
