/*
 * games: the objective of agents with weights: games by any rules.
 *
 * Agents with a `stream` (the drop controllers) play by it, ten times as fast, whenever the measure
 * can be known from its counts.
 */
#ifndef TETROPT_TRAIN_GAMES_H
#define TETROPT_TRAIN_GAMES_H

#include "simulate/simulate.h"
#include "train/objective.h"

typedef enum GamesMeasure {
    GAMES_SCORE,
    GAMES_LINES,
    GAMES_POINTS_PER_PIECE, /* a top-out costs nothing here */
    GAMES_LINES_PER_DEATH,  /* streams of games: all lines by all deaths */
    GAMES_SPLITTING,        /* an estimate of the same (splitting.h); a trial is one estimate */
    GAMES_MATCH,            /* points in games against the start (duels.h), as the next */
    GAMES_APP,              /* lines sent per piece */
    GAMES_MEASURES
} GamesMeasure;

#define GAMES_MEASURE_CHOICES "score|lines|points-per-piece|lines-per-death|splitting|match|app"

/* Sees boards of the games as they are played, on the threads that play them. */
typedef struct TrainObserver {
    void (*look)(void *context, size_t candidate, const Columns *board, int64_t pieces,
                 int64_t lines);
    void *context;
} TrainObserver;

typedef struct TrainGames {
    SimulateTask task; /* agent, parameters, rules, kind of features, randomizer, preview, stop */
    GamesMeasure measure;
    const TrainObserver *observer; /* may be NULL */
} TrainGames;

/* What GAMES_SPLITTING asks of the games; false with `status` that says so. */
bool games_can_split(const TrainGames *games, Status *status);

/* `games` must stay where it is. */
TrainObjective games_objective(const TrainGames *games);

#endif
