/*
 * simulate: shares the games of a task among the threads of a pool and sums them up.
 *
 * Each thread has a player of its own; game i writes only to games[i], so the result does not
 * depend on the threads.
 */
#include "simulate/simulate.h"

#include "base/clock.h"
#include "base/memory.h"
#include "simulate/item.h"

#include <stdlib.h>

static const uint64_t REPORT_NS = 50000000u; /* between two reports */

const char *const simulate_measure_names[MEASURE_COUNT] = {
    [MEASURE_SCORE] = "score",           [MEASURE_LINES] = "lines",
    [MEASURE_PIECES] = "pieces",         [MEASURE_LEVEL] = "level",
    [MEASURE_SINGLES] = "singles",       [MEASURE_DOUBLES] = "doubles",
    [MEASURE_TRIPLES] = "triples",       [MEASURE_TETRISES] = "tetrises",
    [MEASURE_MAX_HEIGHT] = "max_height", [MEASURE_HOLES] = "holes",
};

/* What belongs to one thread. */
typedef struct Worker {
    struct Run *run;
    bool reports; /* the thread that called simulate_run */
    void *player;
    Times times;
    Status status;
    uint64_t last_report_ns;
} Worker;

typedef struct Run {
    const SimulateTask *task;
    SimulateGame *games;
    Worker *workers;
    uint64_t deadline_ns;
    atomic_int_least64_t pieces_done, games_done;
    atomic_size_t begun; /* no game from here on has been touched */
    atomic_bool ended;   /* no further game begins */
    atomic_bool cut, failed;
} Run;

static void on_pieces(void *context, int64_t pieces) {
    Worker *worker = context;
    Run *run = worker->run;
    atomic_fetch_add_explicit(&run->pieces_done, pieces, memory_order_relaxed);
    if (!worker->reports || !run->task->report)
        return;
    uint64_t now = clock_now_ns();
    if (now - worker->last_report_ns < REPORT_NS)
        return;
    worker->last_report_ns = now;
    const SimulateTask *task = run->task;
    bool limited = task->max_pieces < INT64_MAX / 1000000000;
    Progress progress = {.done = (uint64_t)atomic_load(&run->pieces_done),
                         .total = (uint64_t)(task->total_pieces > 0 ? task->total_pieces
                                             : limited              ? task->games * task->max_pieces
                                                                    : 0),
                         .generation = (uint64_t)atomic_load(&run->games_done)};
    task->report(task->report_context, &progress);
}

/* Streams without a limit of a game are played by the agent's `stream` where it has one. */
static bool counts_only(const SimulateTask *task) {
    return task->total_pieces > 0 && task->max_pieces == INT64_MAX && item_can_stream(task);
}

/* Stream number `index` places its share; the first ones take what does not divide. */
static int64_t share_of(const SimulateTask *task, int64_t count, int64_t index) {
    return task->total_pieces / count + (index < task->total_pieces % count);
}

static int64_t item_count(const SimulateTask *task) {
    if (task->total_pieces == 0)
        return task->games;
    return task->total_pieces < SIMULATE_STREAMS ? task->total_pieces : SIMULATE_STREAMS;
}

static bool play_item(Run *run, Worker *worker, int64_t index, SimulateGame *out) {
    const SimulateTask *task = run->task;
    ItemPlayer item = {
        .task = task,
        .player = worker->player,
        .stream = counts_only(task),
        .deadline_ns = run->deadline_ns,
        .observer = {.times = &worker->times, .tick = on_pieces, .context = worker},
    };
    if (task->total_pieces == 0)
        return item_game(&item, index, out, &worker->status);
    return item_stream(&item, index, share_of(task, item_count(task), index), out, &worker->status);
}

/* False when the run is over. What was never begun is not written to: after an interrupt the memory
 * of a hundred million games that did not take place must not be touched. */
static bool begin(Run *run, size_t index) {
    if (atomic_load_explicit(&run->ended, memory_order_relaxed))
        return false;
    AgentLimits limits = {.deadline_ns = run->deadline_ns, .stop = run->task->stop};
    if (agent_cut(&limits, clock_now_ns()) || atomic_load(&run->failed)) {
        atomic_store(&run->cut, true);
        atomic_store(&run->ended, true);
        return false;
    }
    size_t begun = atomic_load(&run->begun);
    while (begun <= index && !atomic_compare_exchange_weak(&run->begun, &begun, index + 1)) {
    }
    return true;
}

static void work(void *context, size_t first, size_t last, unsigned number) {
    Run *run = context;
    const SimulateTask *task = run->task;
    Worker *worker = &run->workers[number];
    for (size_t i = first; i < last && begin(run, i); i++) {
        SimulateGame *out = &run->games[i];
        out->seed = task->seed + (uint64_t)i;
        if (!play_item(run, worker, (int64_t)i, out))
            atomic_store(&run->failed, true);
        if (!out->complete)
            atomic_store(&run->cut, true);
        atomic_fetch_add(&run->games_done, 1);
    }
}

static double value_of(const SimulateGame *game, SimulateMeasure measure) {
    switch (measure) {
    case MEASURE_SCORE:
        return (double)game->score;
    case MEASURE_LINES:
        return (double)game->lines;
    case MEASURE_PIECES:
        return (double)game->pieces;
    case MEASURE_LEVEL:
        return (double)game->level;
    case MEASURE_SINGLES:
    case MEASURE_DOUBLES:
    case MEASURE_TRIPLES:
    case MEASURE_TETRISES:
        return (double)game->clears[measure - MEASURE_SINGLES];
    case MEASURE_MAX_HEIGHT:
        return game->max_height;
    case MEASURE_HOLES:
        return game->holes;
    case MEASURE_COUNT:
        break;
    }
    return 0;
}

bool simulate_knows(const SimulateResult *result, SimulateMeasure measure) {
    return !result->counts_only || !(measure == MEASURE_SCORE || measure == MEASURE_LEVEL ||
                                     measure == MEASURE_MAX_HEIGHT || measure == MEASURE_HOLES);
}

/* Games that were cut say little about the agent: they are dropped, unless there are no others.
 * Streams count as far as they came: lines by deaths is right at any moment. */
static void keep_games(const SimulateTask *task, SimulateResult *result, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (result->games[i].complete || (task->total_pieces > 0 && result->games[i].pieces > 0))
            result->games[kept++] = result->games[i];
    for (int64_t i = 0; i < count && kept == 0; i++)
        if (result->games[i].pieces > 0)
            result->games[kept++] = result->games[i];
    result->count = kept;
}

static bool summarise(SimulateResult *result, Status *status) {
    if (result->count == 0)
        return true;
    double *values = malloc((size_t)result->count * sizeof *values);
    if (!values)
        return status_no_memory(status);
    for (int m = 0; m < MEASURE_COUNT; m++) {
        for (int64_t i = 0; i < result->count; i++)
            values[i] = value_of(&result->games[i], (SimulateMeasure)m);
        result->summaries[m] = summary_of(values, (size_t)result->count);
    }
    free(values);
    for (int64_t i = 0; i < result->count; i++) {
        const SimulateGame *game = &result->games[i];
        result->total_score += game->score;
        result->total_lines += game->lines;
        result->total_pieces += game->pieces;
        result->deaths += game->deaths;
        result->faults += game->fault != NULL;
    }
    return true;
}

static void release_workers(const SimulateTask *task, Worker *workers, unsigned count) {
    for (unsigned i = 0; workers && i < count; i++)
        if (workers[i].player)
            task->agent->free_player(workers[i].player);
    free(workers);
}

static Worker *make_workers(Run *run, unsigned count, Status *status) {
    const SimulateTask *task = run->task;
    Worker *workers = memory_new(count, sizeof *workers, status);
    if (!workers)
        return NULL;
    /* Threads that have no game of their own help the players of the others. */
    AgentSetup setup = task->setup;
    if (item_count(task) < count)
        setup.threads = count / (unsigned)item_count(task);
    for (unsigned i = 0; i < count; i++) {
        workers[i].run = run;
        workers[i].reports = i == 0;
        workers[i].player = task->agent->new_player(&setup, task->parameters, status);
        if (!workers[i].player) {
            release_workers(task, workers, i);
            return NULL;
        }
    }
    return workers;
}

static bool gather(Run *run, unsigned threads, SimulateResult *result, Status *status) {
    for (unsigned i = 0; i < threads; i++) {
        times_add(&result->times, &run->workers[i].times);
        if (run->workers[i].status.code != STATUS_OK) {
            *status = run->workers[i].status;
            return false;
        }
    }
    result->cut = atomic_load(&run->cut);
    result->counts_only = counts_only(run->task);
    keep_games(run->task, result, (int64_t)atomic_load(&run->begun));
    return summarise(result, status);
}

void simulate_use(SimulateTask *task, const Setup *setup) {
    task->agent = setup->agent;
    task->parameters = setup->parameters.values;
    task->setup = setup->made_for;
    task->preview = setup->preview;
    task->randomizer = setup->randomizer;
}

bool simulate_run(const SimulateTask *task, SimulateResult *result, Status *status) {
    *result = (SimulateResult){.by_nectar = task->by_nectar};
    unsigned threads = pool_threads(task->pool);
    size_t count = (size_t)item_count(task);
    uint64_t start = clock_now_ns();
    Run run = {.task = task, .deadline_ns = UINT64_MAX};
    if (task->seconds > 0)
        run.deadline_ns = start + (uint64_t)(task->seconds * 1e9);
    result->games = run.games = calloc(count, sizeof *run.games);
    bool ok =
        run.games || status_fail(status, STATUS_SYSTEM, "out of memory: %zu games take %.3g GB",
                                 count, (double)count * sizeof *run.games / 1e9);
    run.workers = ok ? make_workers(&run, threads, status) : NULL;
    ok = run.workers != NULL;
    if (ok) {
        pool_run(task->pool, count, 1, work, &run);
        result->seconds = clock_seconds_since(start);
        ok = gather(&run, threads, result, status);
    }
    release_workers(task, run.workers, threads);
    if (!ok)
        simulate_result_release(result);
    return ok;
}

void simulate_result_release(SimulateResult *result) {
    for (int64_t i = 0; result->games && i < result->count; i++)
        free(result->games[i].fault);
    free(result->games);
    result->games = NULL;
}

bool simulate_one(const SimulateTask *task, int64_t index, Game *game, AgentRecord *record,
                  Status *status) {
    AgentSetup setup = task->setup;
    setup.threads = pool_processors();
    void *player = task->agent->new_player(&setup, task->parameters, status);
    if (!player)
        return false;
    AgentLimits limits = {task->max_pieces, task->max_lines, UINT64_MAX, NULL};
    Randomizer randomizer;
    simulate_pieces(task, index, &randomizer);
    Rng rng;
    simulate_decisions(task, index, &rng);
    game_init(game, &task->setup.rules, &randomizer);
    PlayObserver observer = {.record = record};
    PlayEnd end =
        play_game(task->agent, player, task->preview, game, &limits, &rng, &observer, status);
    task->agent->free_player(player);
    return end != PLAY_FAILED;
}

int64_t simulate_best(const SimulateResult *result) {
    int64_t best = 0;
    for (int64_t i = 1; i < result->count; i++) {
        const SimulateGame *a = &result->games[i], *b = &result->games[best];
        bool better =
            result->by_nectar
                ? a->nectar > b->nectar || (a->nectar == b->nectar && a->pieces > b->pieces)
                : a->score > b->score || (a->score == b->score && a->lines > b->lines);
        if (better)
            best = i;
    }
    return best;
}
