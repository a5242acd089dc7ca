/*
 * solver: the solver of tetropt.h, on top of job/solve.
 *
 * Options are only kept; a run is prepared from them and keeps the answer. `solved` tells that
 * there is one.
 */
#include "job/solve.h"
#include "library/handles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tetropt_solver {
    Question *question;
    Status status; /* of the last call that failed */
    atomic_bool stop;
    tetropt_progress *progress;
    void *context;
    bool running; /* a callback may not begin another run */
    bool solved;
    SolveRun *run; /* NULL: none yet */
};

tetropt_solver *tetropt_solver_new(void) {
    tetropt_solver *solver = calloc(1, sizeof *solver);
    Question *question = solver ? job_question(&solve_job, NULL) : NULL;
    /* Unlike the program, the library repeats a run unless it is told otherwise. */
    if (!question || !question_set(question, "seed", "0", NULL) ||
        !question_set(question, "threads", "1", NULL)) {
        question_free(question);
        free(solver);
        return NULL;
    }
    solver->question = question;
    return solver;
}

static void drop_run(tetropt_solver *solver) {
    if (solver->run)
        solve_job.free_run(solver->run);
    solver->run = NULL;
    solver->solved = false;
}

void tetropt_solver_free(tetropt_solver *solver) {
    if (!solver)
        return;
    drop_run(solver);
    question_free(solver->question);
    free(solver);
}

const char *tetropt_solver_message(const tetropt_solver *solver) {
    return solver ? solver->status.message : SETTINGS_NO_HANDLE;
}

/* Fails and returns the code. */
static int fail(tetropt_solver *solver, StatusCode code, const char *message) {
    status_fail(&solver->status, code, "%s", message);
    return (int)code;
}

int tetropt_solver_set(tetropt_solver *solver, const char *option, const char *value) {
    if (!solver)
        return TETROPT_INPUT;
    if (!option || !value)
        return fail(solver, STATUS_INPUT, "option: the name or the value is NULL");
    bool is_parameter = strcmp(option, "param") == 0 && *value;
    if ((is_parameter && !solve_check_parameter(solver->question, value, &solver->status)) ||
        !job_set(&solve_job, solver->question, option, value, &solver->status))
        return (int)solver->status.code;
    if (strcmp(option, "algorithm") == 0) /* the parameters were those of another one */
        question_set(solver->question, "param", "", NULL);
    if (!*value && (strcmp(option, "seed") == 0 || strcmp(option, "threads") == 0))
        question_set(solver->question, option, strcmp(option, "seed") == 0 ? "0" : "1", NULL);
    return TETROPT_OK;
}

void tetropt_solver_on_progress(tetropt_solver *solver, tetropt_progress *progress, void *context) {
    if (!solver)
        return;
    solver->progress = progress;
    solver->context = context;
}

void tetropt_solver_stop(tetropt_solver *solver) {
    if (solver)
        atomic_store(&solver->stop, true);
}

static void report(void *context, const Progress *progress) {
    tetropt_solver *solver = context;
    if (solver->progress && /* the callback may have removed itself */
        solver->progress(solver->context, progress->done, progress->best) != 0)
        tetropt_solver_stop(solver);
}

int tetropt_solver_run(tetropt_solver *solver) {
    if (!solver)
        return TETROPT_INPUT;
    if (solver->running)
        return fail(solver, STATUS_INPUT, "solver: is searching already");
    drop_run(solver);
    solver->run = solve_job.prepare(solver->question, &solver->status);
    solver->running = true;
    ProgressWatch watch = {&solver->stop, solver->progress ? report : NULL, solver};
    solver->solved = solver->run && solve_job.run(solver->run, &watch, &solver->status);
    solver->running = false;
    /* Only now: a stop from another thread must not be lost because it came a moment early. */
    atomic_store(&solver->stop, false);
    return solver->solved ? TETROPT_OK : (int)solver->status.code;
}

/* ---- the answer */

static bool is_solved(const tetropt_solver *solver) {
    return solver && solver->solved;
}

double tetropt_solver_fitness(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->run->answer.result.fitness : -INFINITY;
}

int tetropt_solver_lines(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->run->answer.result.state.lines : 0;
}

int tetropt_solver_perfect_clear(const tetropt_solver *solver) {
    return is_solved(solver) && solver->run->answer.perfect_clear;
}

int tetropt_solver_optimal(const tetropt_solver *solver) {
    return is_solved(solver) && solver->run->answer.optimal;
}

uint64_t tetropt_solver_evaluations(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->run->answer.evaluations : 0;
}

const char *tetropt_solver_end(const tetropt_solver *solver) {
    static const char *const ends[] = {
        [OPTIM_FINISHED] = "finished", [OPTIM_PATIENCE] = "patience",
        [OPTIM_TARGET] = "target",     [OPTIM_EVALUATIONS] = "evaluations",
        [OPTIM_TIME] = "time",         [OPTIM_STOPPED] = "stopped",
    };
    return is_solved(solver) ? ends[solver->run->answer.end] : "";
}

int tetropt_solver_count(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->run->answer.result.state.placed : 0;
}

static bool check_index(tetropt_solver *solver, int index) {
    return (index >= 0 && index < tetropt_solver_count(solver)) ||
           status_fail(&solver->status, STATUS_INPUT, "placement: there is no number %d", index);
}

int tetropt_solver_placement(tetropt_solver *solver, int index, tetropt_placement *placement) {
    if (!solver || !check_index(solver, index))
        return TETROPT_INPUT;
    if (!placement)
        return fail(solver, STATUS_INPUT, "placement: is NULL");
    const DecodeStep *step = &solver->run->answer.result.steps[index];
    *placement = placement_out(step->move.placement, step->move.hold);
    return TETROPT_OK;
}

int tetropt_solver_keys(tetropt_solver *solver, int index, int *keys, int capacity) {
    if (!solver || !check_index(solver, index))
        return -1;
    const DecodeStep *steps = solver->run->answer.result.steps;
    Board board;
    Columns columns;
    grid_to_board(&solver->run->request.grid, &board);
    columns_from_board(&columns, &board);
    for (int i = 0; i < index; i++) {
        Placement at = steps[i].move.placement;
        columns_lock(&columns, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    }
    Placement goal = steps[index].move.placement;
    goal.spin = SPIN_NONE;
    int count = keys_fewest(&columns, goal, false, steps[index].move.hold, keys, capacity);
    if (count == KEYS_NO_MEMORY)
        status_no_memory(&solver->status);
    else if (count < 0)
        fail(solver, STATUS_UNMET, "keys: the stack is in their way");
    return count < 0 ? -1 : count;
}

size_t tetropt_solver_text(const tetropt_solver *solver, char *text, size_t bytes) {
    return grid_text(is_solved(solver) ? &solver->run->answer.result.grid : NULL, text, bytes);
}
