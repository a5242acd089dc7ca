/*
 * simulation: the simulation of tetropt.h.
 *
 * The handle owns limits and the outcome. Who plays and what is played it borrows for the time of a
 * run from an agent and a game, of which it reads the options only. An outcome is that of the last
 * run: one that failed leaves none.
 */
#include "library/handles.h"
#include "simulate/simulate.h"

#include <stdlib.h>
#include <string.h>

typedef struct SimulationOptions {
    int64_t games, max_pieces, total_pieces, threads;
    double seconds;
} SimulationOptions;

struct tetropt_simulation {
    Question *question; /* about SimulationOptions */
    Status status;      /* of the last call that failed */
    atomic_bool stop;
    SimulateResult result; /* without games before the first run */
};

static const Option rows[] = {
    PARAMETER_INTEGER(SimulationOptions, games, "games", "100", 1, 1e9, NULL),
    PARAMETER_INTEGER(SimulationOptions, max_pieces, "max-pieces", "10000", 0, 1e15, NULL),
    PARAMETER_INTEGER(SimulationOptions, total_pieces, "total-pieces", "0", 0, 1e15, NULL),
    PARAMETER_REAL(SimulationOptions, seconds, "time", "0", 0, 1e7, NULL),
    PARAMETER_INTEGER(SimulationOptions, threads, "threads", "1", 1, POOL_MAX_THREADS, NULL),
};

tetropt_simulation *tetropt_simulation_new(void) {
    tetropt_simulation *simulation = calloc(1, sizeof *simulation);
    if (simulation)
        simulation->question =
            question_new((OptionTable)OPTIONS_TABLE(rows), sizeof(SimulationOptions), NULL);
    if (simulation && simulation->question)
        return simulation;
    free(simulation);
    return NULL;
}

void tetropt_simulation_free(tetropt_simulation *simulation) {
    if (!simulation)
        return;
    simulate_result_release(&simulation->result);
    question_free(simulation->question);
    free(simulation);
}

const char *tetropt_simulation_message(const tetropt_simulation *simulation) {
    return simulation ? simulation->status.message : HANDLE_NULL;
}

int tetropt_simulation_set(tetropt_simulation *simulation, const char *option, const char *value) {
    return simulation ? handle_set(simulation->question, option, value, &simulation->status)
                      : TETROPT_INPUT;
}

void tetropt_simulation_stop(tetropt_simulation *simulation) {
    if (simulation)
        atomic_store(&simulation->stop, true);
}

static void forget(tetropt_simulation *simulation) {
    simulate_result_release(&simulation->result);
    simulation->result = (SimulateResult){0};
}

/* Plays with these settings; the limits are added here. */
static bool run_task(tetropt_simulation *simulation, SimulateTask *task, Status *status) {
    const SimulationOptions *options = simulation->question->values;
    task->games = options->games;
    task->total_pieces = options->total_pieces;
    /* Streams have no limit of a game; so agents with `stream` can play them. */
    bool limited = options->max_pieces > 0 && options->total_pieces == 0;
    task->max_pieces = limited ? options->max_pieces : INT64_MAX;
    task->max_lines = INT64_MAX;
    task->seconds = options->seconds;
    task->stop = &simulation->stop;
    task->pool = pool_new((unsigned)options->threads, status);
    if (!task->pool)
        return false;
    bool ok = simulate_run(task, &simulation->result, status);
    if (!ok)
        forget(simulation);
    pool_free(task->pool);
    return ok;
}

static bool run(tetropt_simulation *simulation, const tetropt_agent *agent,
                const tetropt_game *game, Setup *setup, Status *status) {
    if (!agent || !game)
        return status_fail(status, STATUS_INPUT, "%s: is NULL", agent ? "game" : "agent");
    const GameOptions *options = game->options;
    Rules rules = game_rules(options);
    uint8_t *list;
    SimulateTask task = {.seed = (uint64_t)options->seed, .piece_seed = (uint64_t)options->seed};
    if (!agent_setup(agent, &rules, (int)options->preview, setup, status) ||
        !game_list(options, &list, &task.list_count, status))
        return false;
    simulate_use(&task, setup);
    task.randomizer = game_randomizer(options);
    task.list = list;
    bool ok = run_task(simulation, &task, status);
    free(list);
    return ok;
}

int tetropt_simulation_run(tetropt_simulation *simulation, const tetropt_agent *agent,
                           const tetropt_game *game) {
    if (!simulation)
        return TETROPT_INPUT;
    Status *status = &simulation->status;
    forget(simulation);
    Setup setup = {.agent = NULL};
    bool ok = run(simulation, agent, game, &setup, status);
    setup_release(&setup);
    /* As in a solver: a stop that comes early is kept. */
    atomic_store(&simulation->stop, false);
    return handle_code(&simulation->status, ok);
}

int64_t tetropt_simulation_games(const tetropt_simulation *simulation) {
    return simulation ? simulation->result.count : 0;
}

int64_t tetropt_simulation_pieces(const tetropt_simulation *simulation) {
    return simulation ? simulation->result.total_pieces : 0;
}

int64_t tetropt_simulation_lines(const tetropt_simulation *simulation) {
    return simulation ? simulation->result.total_lines : 0;
}

int64_t tetropt_simulation_deaths(const tetropt_simulation *simulation) {
    return simulation ? simulation->result.deaths : 0;
}

int tetropt_simulation_mean(tetropt_simulation *simulation, const char *measure, double *mean,
                            double *low, double *high) {
    if (!simulation)
        return TETROPT_INPUT;
    if (!mean)
        return HANDLE_FAIL(simulation, STATUS_INPUT, "mean: is NULL");
    int which = 0;
    while (measure && which < MEASURE_COUNT && strcmp(simulate_measure_names[which], measure) != 0)
        which++;
    if (!measure || which == MEASURE_COUNT)
        return HANDLE_FAIL(simulation, STATUS_INPUT, "measure: unknown measure '%.100s'",
                           measure ? measure : "");
    const SimulateResult *result = &simulation->result;
    if (result->count == 0 || !simulate_knows(result, (SimulateMeasure)which))
        return HANDLE_FAIL(simulation, STATUS_UNMET, "%s: is not known", measure);
    const Summary *summary = &result->summaries[which];
    *mean = summary->mean;
    if (low)
        *low = summary->low;
    if (high)
        *high = summary->high;
    return TETROPT_OK;
}
