/*
 * solver: the solver of tetropt.h.
 *
 * Options are only kept; a run makes the request and the task from them and fills the answer.
 * `solved` says that the three belong together; what is asked without it finds nothing.
 */
#include "base/parameter.h"
#include "engine/randomizer.h"
#include "library/handles.h"
#include "optim/registry.h"
#include "solve/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct SolverOptions {
    const char *pieces, *board, *algorithm;
    int64_t placements, width, height, seed, evaluations, threads;
    double seconds, target;
    int encoding, profile;
    bool hold;
    OptionList parameters;
} SolverOptions;

struct tetropt_solver {
    Settings settings;
    SolverOptions options;
    atomic_bool stop;
    tetropt_progress *progress;
    void *context;
    bool running; /* a callback may not begin another run */
    bool solved;  /* request and answer belong together */
    EvalRequest request;
    SolveTask task;
    SolveAnswer answer;
    Parameters parameters;
};

#define TEXT(name_, field_, default_)                                                              \
    {                                                                                              \
        .name = name_, .kind = OPTION_TEXT, .offset = offsetof(SolverOptions, field_),             \
        .fallback = default_                                                                       \
    }

static const Option rows[] = {
    TEXT("pieces", pieces, NULL),
    PARAMETER_INTEGER(SolverOptions, placements, "placements", NULL, 1, GENOTYPE_MAX_PIECES, NULL),
    PARAMETER_INTEGER(SolverOptions, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, NULL),
    PARAMETER_INTEGER(SolverOptions, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      NULL),
    TEXT("board", board, NULL),
    PARAMETER_CHOICE(SolverOptions, encoding, "encoding", "swap-double", ENCODING_CHOICES, NULL),
    {.name = "hold",
     .kind = OPTION_FLAG,
     .offset = offsetof(SolverOptions, hold),
     .fallback = "on"},
    TEXT("algorithm", algorithm, "auto"),
    {.name = "param", .kind = OPTION_LIST, .offset = offsetof(SolverOptions, parameters)},
    PARAMETER_CHOICE(SolverOptions, profile, "profile", "blocks", PROFILE_CHOICES, NULL),
    PARAMETER_INTEGER(SolverOptions, seed, "seed", "0", 0, 9.2e18, NULL),
    PARAMETER_REAL(SolverOptions, seconds, "time", "0", 0, 1e7, NULL),
    PARAMETER_INTEGER(SolverOptions, evaluations, "evaluations", "0", 0, 1e15, NULL),
    PARAMETER_REAL(SolverOptions, target, "target", NULL, 0, 0, NULL),
    PARAMETER_INTEGER(SolverOptions, threads, "threads", "1", 1, POOL_MAX_THREADS, NULL),
};

tetropt_solver *tetropt_solver_new(void) {
    tetropt_solver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return NULL;
    settings_init(&solver->settings, (OptionTable)PARAMETER_TABLE(rows), &solver->options);
    solver->options.target = INFINITY;
    return solver;
}

void tetropt_solver_free(tetropt_solver *solver) {
    if (!solver)
        return;
    parameters_release(&solver->parameters);
    settings_release(&solver->settings);
    free(solver);
}

const char *tetropt_solver_message(const tetropt_solver *solver) {
    return solver ? solver->settings.status.message : SETTINGS_NO_HANDLE;
}

/* What only the solver knows about a value that is not empty; settings_set looks at the rest. */
static int check_value(tetropt_solver *solver, const char *option, const char *value) {
    Settings *settings = &solver->settings;
    if (strcmp(option, "algorithm") == 0 && !optim_find(value))
        return settings_fail(settings, STATUS_INPUT, "algorithm: unknown algorithm '%.100s'",
                             value);
    const Optimiser *present = optim_find(solver->options.algorithm);
    if (strcmp(option, "param") == 0)
        return settings_check_parameters(settings, present->name, present->parameters, value);
    return TETROPT_OK;
}

int tetropt_solver_set(tetropt_solver *solver, const char *option, const char *value) {
    if (!solver)
        return TETROPT_INPUT;
    int code = option && value && *value ? check_value(solver, option, value) : TETROPT_OK;
    if (code == TETROPT_OK)
        code = settings_set(&solver->settings, option, value);
    if (code != TETROPT_OK)
        return code;
    if (strcmp(option, "algorithm") == 0) /* the parameters were another's */
        settings_set(&solver->settings, "param", "");
    if (strcmp(option, "target") == 0 && !*value)
        solver->options.target = INFINITY;
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

static void report(void *context, const OptimProgress *progress) {
    tetropt_solver *solver = context;
    if (solver->progress && /* whoever is told may take itself away */
        solver->progress(solver->context, progress->evaluations, progress->best) != 0)
        tetropt_solver_stop(solver);
}

static bool read_pieces(tetropt_solver *solver, Status *status) {
    EvalRequest *request = &solver->request;
    if (!solver->options.pieces)
        return status_fail(status, STATUS_INPUT, "pieces: must be given");
    request->piece_count =
        pieces_parse(solver->options.pieces, request->pieces, EVAL_MAX_QUEUE, status);
    if (request->piece_count < 0)
        return status_prefix(status, "pieces");
    int64_t wanted = solver->options.placements;
    int64_t placements = wanted > 0 ? wanted : request->piece_count;
    if (placements == 0 || placements > request->piece_count || placements > GENOTYPE_MAX_PIECES)
        return status_fail(status, STATUS_INPUT, "placements: %lld of %d pieces, and at most %d",
                           (long long)placements, request->piece_count, GENOTYPE_MAX_PIECES);
    request->placements = (int)placements;
    return true;
}

static bool prepare(tetropt_solver *solver, Status *status) {
    const SolverOptions *options = &solver->options;
    SolveTask *task = &solver->task;
    *task = (SolveTask){.request = &solver->request,
                        .hold = options->hold,
                        .profile = fitness_profiles[options->profile],
                        .optimiser = optim_find(options->algorithm),
                        .parameters = solver->parameters.values,
                        .seed = (uint64_t)options->seed,
                        .threads = (unsigned)options->threads,
                        .evaluations = (uint64_t)options->evaluations,
                        .seconds = options->seconds,
                        .has_target = isfinite(options->target),
                        .target = options->target,
                        .stop = &solver->stop,
                        .report = solver->progress ? report : NULL,
                        .report_context = solver};
    solver->request.encoding = (Encoding)options->encoding;
    parameters_release(&solver->parameters);
    parameters_init(&solver->parameters, task->optimiser->name, task->optimiser->parameters);
    return read_pieces(solver, status) &&
           settings_board(options->board, (int)options->width, (int)options->height,
                          &solver->request.grid, status) &&
           parameters_set_list(&solver->parameters, &options->parameters, status) &&
           solve_check(task, status);
}

int tetropt_solver_run(tetropt_solver *solver) {
    if (!solver)
        return TETROPT_INPUT;
    Status *status = &solver->settings.status;
    if (solver->running)
        return settings_fail(&solver->settings, STATUS_INPUT, "solver: is searching already");
    solver->solved = false;
    solver->running = true;
    solver->solved = prepare(solver, status) && solve_run(&solver->task, &solver->answer, status);
    solver->running = false;
    /* Only now: a stop from another thread must not be lost because it came a moment early. */
    atomic_store(&solver->stop, false);
    return settings_code(&solver->settings, solver->solved);
}

/* ---- the answer */

static bool is_solved(const tetropt_solver *solver) {
    return solver && solver->solved;
}

double tetropt_solver_fitness(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->answer.result.fitness : -INFINITY;
}

int tetropt_solver_lines(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->answer.result.state.lines : 0;
}

int tetropt_solver_perfect_clear(const tetropt_solver *solver) {
    return is_solved(solver) && solver->answer.perfect_clear;
}

int tetropt_solver_optimal(const tetropt_solver *solver) {
    return is_solved(solver) && solver->answer.optimal;
}

uint64_t tetropt_solver_evaluations(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->answer.evaluations : 0;
}

const char *tetropt_solver_end(const tetropt_solver *solver) {
    static const char *const ends[] = {
        [OPTIM_FINISHED] = "finished", [OPTIM_PATIENCE] = "patience",
        [OPTIM_TARGET] = "target",     [OPTIM_EVALUATIONS] = "evaluations",
        [OPTIM_TIME] = "time",         [OPTIM_STOPPED] = "stopped",
    };
    return is_solved(solver) ? ends[solver->answer.end] : "";
}

int tetropt_solver_count(const tetropt_solver *solver) {
    return is_solved(solver) ? solver->answer.result.state.placed : 0;
}

static bool check_index(tetropt_solver *solver, int index) {
    return (index >= 0 && index < tetropt_solver_count(solver)) ||
           status_fail(&solver->settings.status, STATUS_INPUT, "placement: there is no number %d",
                       index);
}

int tetropt_solver_placement(tetropt_solver *solver, int index, tetropt_placement *placement) {
    if (!solver || !check_index(solver, index))
        return TETROPT_INPUT;
    if (!placement)
        return settings_fail(&solver->settings, STATUS_INPUT, "placement: is NULL");
    const DecodeStep *step = &solver->answer.result.steps[index];
    *placement = placement_out(step->move.placement, step->move.hold);
    return TETROPT_OK;
}

int tetropt_solver_keys(tetropt_solver *solver, int index, int *keys, int capacity) {
    if (!solver || !check_index(solver, index))
        return -1;
    const DecodeStep *steps = solver->answer.result.steps;
    Board board;
    Columns columns;
    grid_to_board(&solver->request.grid, &board);
    columns_from_board(&columns, &board);
    for (int i = 0; i < index; i++) {
        Placement at = steps[i].move.placement;
        columns_lock(&columns, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    }
    Placement goal = steps[index].move.placement;
    goal.spin = SPIN_NONE;
    int count = keys_fewest(&columns, goal, false, steps[index].move.hold, keys, capacity);
    if (count == KEYS_NO_MEMORY)
        status_no_memory(&solver->settings.status);
    else if (count < 0)
        settings_fail(&solver->settings, STATUS_UNMET, "keys: the stack is in their way");
    return count < 0 ? -1 : count;
}

size_t tetropt_solver_text(const tetropt_solver *solver, char *text, size_t bytes) {
    return grid_text(is_solved(solver) ? &solver->answer.result.grid : NULL, text, bytes);
}
