/*
 * trainer: a generation (trainer_step) is ask, play, evaluate, tell, prune.
 *
 * Trials are numbered so that the games of one candidate are spread over the list, and are shared
 * among threads and ranks by number.
 */
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRUNE_GENERATIONS = 10 }; /* that a weight must stay near 0 to be dropped */

/* Separate random streams of the seed. */
enum { STREAM_CHANCE = 1, STREAM_GAMES, STREAM_AGAIN, STREAM_HELD_OUT };

/* Exchange add results up as a row of numbers. */
enum { TRIAL_NUMBERS = sizeof(TrialResult) / sizeof(int64_t) };

static const int64_t LIMIT_MOST = INT64_C(1000000000000000); /* the piece limit grows no further */

struct Trainer {
    const TrainTask *task;
    void *state; /* of the method */
    TrainBatch batch;
    int64_t generation, games, pieces;
    double weights[TRAIN_MAX_CANDIDATES][TRAIN_MAX_WEIGHTS]; /* of the batch, as they are written */
    int64_t near_zero[TRAIN_MAX_WEIGHTS]; /* generations in a row, a number of the vector */
    bool dropped[TRAIN_MAX_WEIGHTS];
};

/* ---- making and asking */

Trainer *trainer_new(const TrainTask *task, Status *status) {
    if (task->method->check && !task->method->check(&task->space, task->parameters, status))
        return NULL;
    Trainer *trainer = calloc(1, sizeof *trainer);
    void *state = calloc(1, task->method->state_bytes);
    if (!trainer || !state) {
        free(trainer);
        free(state);
        status_no_memory(status);
        return NULL;
    }
    trainer->task = task;
    trainer->state = state;
    task->method->start(state, &task->space, task->parameters);
    return trainer;
}

void trainer_free(Trainer *trainer) {
    if (!trainer)
        return;
    free(trainer->state);
    free(trainer);
}

int64_t trainer_generation(const Trainer *trainer) {
    return trainer->generation;
}

int64_t trainer_games(const Trainer *trainer) {
    return trainer->games;
}

int64_t trainer_pieces(const Trainer *trainer) {
    return trainer->pieces;
}

int64_t trainer_limit(const TrainTask *task, int64_t generation) {
    int64_t limit = task->max_pieces;
    if (limit == INT64_MAX || task->grow_every == 0)
        return limit;
    int64_t most = task->grow_to > 0 ? task->grow_to : LIMIT_MOST;
    for (int64_t g = task->grow_every; g < generation && limit < most; g += task->grow_every)
        limit += limit / 2;
    return limit > most && limit > task->max_pieces ? most : limit;
}

/* A vector of the method as weights. */
static void expand(const Trainer *trainer, const double *vector, double *weights) {
    const TrainTask *task = trainer->task;
    memcpy(weights, task->pinned, (size_t)task->weights * sizeof *weights);
    for (int i = 0; i < task->space.count; i++)
        weights[task->trained[i]] = trainer->dropped[i] ? 0 : vector[i];
}

void trainer_best(const Trainer *trainer, double *weights) {
    double vector[TRAIN_MAX_WEIGHTS] = {0};
    trainer->task->method->best(trainer->state, &trainer->task->space, vector);
    expand(trainer, vector, weights);
}

uint64_t trainer_dropped(const Trainer *trainer) {
    uint64_t bits = 0;
    for (int i = 0; i < trainer->task->space.count; i++)
        bits |= (uint64_t)trainer->dropped[i] << trainer->task->trained[i];
    return bits;
}

/* The first seed of the games of a generation, below TRAINER_HELD_OUT_SEEDS. */
static uint64_t game_seed(const TrainTask *task, int stream, int64_t generation) {
    return rng_derive(rng_derive(task->seed, (uint64_t)stream), (uint64_t)generation) >> 13;
}

/* ---- playing */

/* A list of trials that the threads share. Trial i is game i / count of candidate i % count: the
 * long ones of a good candidate are not all at the end of the list. */
typedef struct Round {
    const TrainTask *task;
    const double (*weights)[TRAIN_MAX_WEIGHTS];
    const bool *again; /* NULL: none */
    uint64_t seed, again_seed;
    size_t count;
    int64_t games, limit;
    TrialResult *results; /* [candidate][game] */
    const Exchange *ranks;
    size_t own; /* trials of this rank */
    atomic_int_least64_t pieces;
    atomic_size_t done;
    atomic_bool cut, failed;
    Status status[POOL_MAX_THREADS];
} Round;

static void play_one(Round *round, size_t index, unsigned worker) {
    const TrainTask *task = round->task;
    size_t candidate = index % round->count;
    int64_t game = (int64_t)(index / round->count);
    TrialResult *result = &round->results[candidate * (size_t)round->games + (size_t)game];
    uint64_t seed = round->again && round->again[candidate] ? round->again_seed : round->seed;
    if (!task->objective->play(task->objective->context, candidate, round->weights[candidate], seed,
                               game, round->limit, result, &round->status[worker]))
        atomic_store(&round->failed, true);
    if (!result->complete)
        atomic_store(&round->cut, true);
    int64_t pieces = atomic_fetch_add(&round->pieces, result->pieces) + result->pieces;
    size_t done = atomic_fetch_add(&round->done, 1) + 1;
    if (worker != 0 || !task->report)
        return;
    double all = (double)(pieces * exchange_count(round->ranks));
    Progress progress = {.done = (uint64_t)all,
                         .total = (uint64_t)(all * (double)round->own / (double)done)};
    task->report(task->report_context, &progress);
}

/* Rank r of R has the trials r, r + R, r + 2R, ... */
static void work(void *context, size_t first, size_t last, unsigned worker) {
    Round *round = context;
    const atomic_bool *stop = round->task->stop;
    for (size_t i = first; i < last; i++) {
        if ((stop && atomic_load(stop)) || atomic_load(&round->failed)) {
            atomic_store(&round->cut, true);
            continue;
        }
        play_one(round,
                 i * (size_t)exchange_count(round->ranks) + (size_t)exchange_index(round->ranks),
                 worker);
    }
}

/* Adds up what all ranks found; until then a rank has zeros for the trials of the others. */
static TrainerEnd gather(Round *round, size_t trials, Status *status) {
    const Exchange *ranks = round->ranks;
    for (unsigned i = 0; i < POOL_MAX_THREADS; i++)
        if (round->status[i].code != STATUS_OK)
            *status = round->status[i];
    if (!exchange_agree(ranks, !atomic_load(&round->failed), status))
        return TRAINER_FAILED;
    if (exchange_lowest(ranks, atomic_load(&round->cut)) >= 0)
        return TRAINER_CUT;
    exchange_sum(ranks, (int64_t *)round->results, trials * TRIAL_NUMBERS);
    int64_t pieces = 0;
    for (size_t i = 0; i < trials; i++)
        pieces += round->results[i].pieces;
    atomic_store(&round->pieces, pieces);
    return TRAINER_DONE;
}

/* Plays all trials of a round. On TRAINER_DONE the caller frees round->results. */
static TrainerEnd play_round(Round *round, Status *status) {
    size_t trials = round->count * (size_t)round->games;
    round->ranks = round->task->ranks;
    round->results = calloc(trials, sizeof *round->results);
    if (round->results) {
        size_t ranks = (size_t)exchange_count(round->ranks),
               index = (size_t)exchange_index(round->ranks);
        round->own = (trials + ranks - 1 - index) / ranks;
        pool_run(round->task->pool, round->own, 1, work, round);
    } else {
        status_no_memory(status);
        atomic_store(&round->failed, true);
    }
    TrainerEnd end = gather(round, trials, status);
    if (end != TRAINER_DONE)
        free(round->results);
    return end;
}

/* ---- a generation */

/* Counts how long the weights of the present best have been near 0, and drops them. */
static void prune(Trainer *trainer) {
    const TrainTask *task = trainer->task;
    double vector[TRAIN_MAX_WEIGHTS] = {0}, largest = 0;
    if (task->prune == 0)
        return;
    task->method->best(trainer->state, &task->space, vector);
    for (int i = 0; i < task->space.count; i++)
        largest = fmax(largest, fabs(vector[i]));
    for (int i = 0; i < task->space.count; i++) {
        bool near = fabs(vector[i]) < task->prune * largest;
        trainer->near_zero[i] = near ? trainer->near_zero[i] + 1 : 0;
        if (trainer->near_zero[i] >= PRUNE_GENERATIONS)
            trainer->dropped[i] = true;
    }
}

static void fill_row(const Trainer *trainer, const Round *round, TrainRow *row) {
    const TrainTask *task = trainer->task;
    const TrainBatch *batch = &trainer->batch;
    int best = train_best(batch->scores, batch->count);
    double sum = 0;
    for (int i = 0; i < batch->count; i++)
        sum += batch->scores[i];
    TrialResult total = {0};
    for (int64_t g = 0; g < round->games; g++) {
        const TrialResult *result = &round->results[best * round->games + g];
        total.score += result->score;
        total.lines += result->lines;
        total.pieces += result->pieces;
    }
    double pieces = (double)total.pieces;
    *row = (TrainRow){
        .generation = trainer->generation,
        .best = batch->scores[best],
        .mean = sum / batch->count,
        .points_per_piece =
            task->objective->knows_score && pieces > 0 ? (double)total.score / pieces : NAN,
        .lines_per_piece = pieces > 0 ? (double)total.lines / pieces : NAN,
        .pieces_allowed = round->limit,
        .candidates = batch->count,
        .games = batch->count * round->games,
        .pieces = atomic_load(&round->pieces),
    };
    if (task->method->spread)
        row->spread = task->method->spread(trainer->state, &task->space, &row->spread_name);
    trainer_best(trainer, row->weights);
}

static bool score_all(Trainer *trainer, const Round *round, Status *status) {
    const TrainObjective *objective = trainer->task->objective;
    double *scores = trainer->batch.scores;
    for (size_t i = 0; i < round->count; i++) {
        scores[i] = objective->score(objective->context, &round->results[i * (size_t)round->games],
                                     (size_t)round->games);
        if (isnan(scores[i]))
            return status_no_memory(status);
    }
    return true;
}

/* Lets the method write the candidates of generation `next`, and starts its random stream. */
static void ask(Trainer *trainer, int64_t next, Rng *rng) {
    const TrainTask *task = trainer->task;
    TrainBatch *batch = &trainer->batch;
    rng_init(rng, rng_derive(task->seed, STREAM_CHANCE), (uint64_t)next);
    batch->count = 0;
    batch->effort = 1;
    memset(batch->again, 0, sizeof batch->again);
    task->method->ask(trainer->state, &task->space, task->parameters, rng, batch);
    for (int i = 0; i < batch->count; i++)
        expand(trainer, batch->vectors[i], trainer->weights[i]);
}

TrainerEnd trainer_step(Trainer *trainer, TrainRow *row, Status *status) {
    const TrainTask *task = trainer->task;
    const TrainBatch *batch = &trainer->batch;
    int64_t next = trainer->generation + 1;
    Rng rng;
    ask(trainer, next, &rng);
    Round round = {
        .task = task,
        .weights = (const double(*)[TRAIN_MAX_WEIGHTS])trainer->weights,
        .again = batch->again,
        .seed = game_seed(task, STREAM_GAMES, next),
        .again_seed = game_seed(task, STREAM_AGAIN, next),
        .count = (size_t)batch->count,
        .games = (int64_t)((double)task->games * batch->effort + 0.5),
        .limit = trainer_limit(task, next),
    };
    TrainerEnd end = play_round(&round, status);
    if (end != TRAINER_DONE)
        return end;
    if (!exchange_agree(round.ranks, score_all(trainer, &round, status), status)) {
        free(round.results);
        return TRAINER_FAILED;
    }
    task->method->tell(trainer->state, &task->space, task->parameters, &rng, batch);
    trainer->generation = next;
    trainer->games += (int64_t)round.count * round.games;
    trainer->pieces += atomic_load(&round.pieces);
    prune(trainer);
    fill_row(trainer, &round, row);
    free(round.results);
    return TRAINER_DONE;
}

TrainerEnd trainer_held_out(Trainer *trainer, const double *weights, int64_t games,
                            TrainHeldOut *held_out, Status *status) {
    const TrainTask *task = trainer->task;
    double scored[1][TRAIN_MAX_WEIGHTS];
    if (weights)
        memcpy(scored[0], weights, (size_t)task->weights * sizeof *weights);
    else
        trainer_best(trainer, scored[0]);
    int64_t last = trainer->generation > 0 ? trainer->generation : 1;
    Round round = {
        .task = task,
        .weights = (const double(*)[TRAIN_MAX_WEIGHTS])scored,
        .seed = TRAINER_HELD_OUT_SEEDS + game_seed(task, STREAM_HELD_OUT, trainer->generation),
        .count = 1,
        .games = games,
        .limit = trainer_limit(task, last),
    };
    TrainerEnd end = play_round(&round, status);
    if (end != TRAINER_DONE)
        return end;
    *held_out = (TrainHeldOut){.games = games, .seed = round.seed};
    for (int64_t i = 0; i < games; i++) {
        held_out->pieces += round.results[i].pieces;
        held_out->lines += round.results[i].lines;
        held_out->deaths += round.results[i].deaths;
    }
    bool ok = task->objective->summarise(task->objective->context, round.results, (size_t)games,
                                         &held_out->summary, status);
    free(round.results);
    return exchange_agree(round.ranks, ok, status) ? TRAINER_DONE : TRAINER_FAILED;
}

void trainer_visit(Trainer *trainer, TrainArchive *archive) {
    const TrainTask *task = trainer->task;
    const int64_t most = INT64_MAX / 4;
    archive->integer(archive, "generations", &trainer->generation, 0, most);
    archive->integer(archive, "games", &trainer->games, 0, most);
    archive->integer(archive, "pieces", &trainer->pieces, 0, most);
    for (int i = 0; task->prune > 0 && i < task->space.count; i++) {
        char name[32];
        int64_t dropped = trainer->dropped[i];
        snprintf(name, sizeof name, "near_zero_%d", i);
        archive->integer(archive, name, &trainer->near_zero[i], 0, most);
        snprintf(name, sizeof name, "dropped_%d", i);
        archive->integer(archive, name, &dropped, 0, 1);
        trainer->dropped[i] = dropped != 0;
    }
    task->method->visit(trainer->state, &task->space, task->parameters, archive);
}
