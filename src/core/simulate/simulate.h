/*
 * simulate: an agent plays games, by the thousand, on all threads.
 *
 * Game number i has the seed `seed + i`: its pieces are drawn from stream 0 of that seed (of
 * `piece_seed + i`, where that is given separately), the agent's decisions from stream 1. So every
 * agent gets the same pieces, a single game can be repeated by its own seed, and the result does
 * not depend on the threads. Only with a time limit or a stop it depends on the moment.
 */
#ifndef TETROPT_SIMULATE_SIMULATE_H
#define TETROPT_SIMULATE_SIMULATE_H

#include "base/pool.h"
#include "base/progress.h"
#include "player/setup.h"
#include "simulate/statistics.h"

/* With total_pieces the work is divided into this many streams, whatever the threads. */
enum { SIMULATE_STREAMS = 64 };

typedef struct SimulateTask {
    const Agent *agent;
    const void *parameters; /* of the agent */
    AgentSetup setup;       /* rules and weights */
    int preview;
    RandomizerKind randomizer;
    const uint8_t *list; /* for RANDOMIZER_LIST */
    size_t list_count;
    uint64_t seed, piece_seed;
    bool by_nectar;          /* the best game has the most nectar, then pieces; else score, lines */
    bool same_pieces;        /* every game gets the pieces of the first; only decisions differ */
    int64_t games;           /* to play; not with total_pieces */
    int64_t max_pieces;      /* of a game; INT64_MAX: no limit */
    int64_t max_lines;       /* likewise */
    int64_t total_pieces;    /* 0: play games; else streams that start again after every top-out,
                                until this many pieces are placed */
    double seconds;          /* time limit; 0: none */
    const atomic_bool *stop; /* may be NULL */
    Pool *pool;
    ProgressReport *report; /* counts pieces and, as generations, games; may be NULL */
    void *report_context;
} SimulateTask;

/* A game, or all games of a stream added up. */
typedef struct SimulateGame {
    uint64_t seed;
    int64_t score, lines, pieces, level;
    int64_t clears[4];
    int max_height; /* the peak */
    int holes;      /* at the end */
    bool over;      /* it topped out */
    bool complete;  /* it was not ended early by time or a stop */
    int64_t deaths; /* top-outs: 0 or 1; in a stream any number */
    double nectar;  /* Agent.nectar; 0 where there is none */
    char *fault;    /* why an outside player lost it; NULL: it did not */
} SimulateGame;

typedef enum SimulateMeasure {
    MEASURE_SCORE,
    MEASURE_LINES,
    MEASURE_PIECES,
    MEASURE_LEVEL,
    MEASURE_SINGLES,
    MEASURE_DOUBLES,
    MEASURE_TRIPLES,
    MEASURE_TETRISES,
    MEASURE_MAX_HEIGHT,
    MEASURE_HOLES,
    MEASURE_COUNT
} SimulateMeasure;

extern const char *const simulate_measure_names[MEASURE_COUNT];

typedef struct SimulateResult {
    SimulateGame *games; /* those that were completed, or all that began when none was; in order */
    int64_t count;       /* 0 when time or a stop came before the first piece */
    int64_t total_score, total_lines, total_pieces, deaths; /* over those games */
    int64_t faults; /* games that an outside player lost by a fault */
    Summary summaries[MEASURE_COUNT];
    bool counts_only; /* by the agent's `stream`: score, level, height and holes are unknown */
    Times times;      /* of decisions; empty with counts_only */
    double seconds;   /* from the start to the end */
    bool cut;         /* by time or a stop */
    bool by_nectar;   /* as in the task */
} SimulateResult;

/* Lets the task be played by the setup, which must outlive it. */
void simulate_use(SimulateTask *task, const Setup *setup);

/* Plays. On success the caller releases the result; false with `status` when memory runs out. */
bool simulate_run(const SimulateTask *task, SimulateResult *result, Status *status);
void simulate_result_release(SimulateResult *result);

/* Repeats game number `index` to its end, also after a stop; `record` (may be NULL) receives its
 * moves and `game` its end. False with `status` when memory runs out. */
bool simulate_one(const SimulateTask *task, int64_t index, Game *game, AgentRecord *record,
                  Status *status);

/* The pieces of game number `index`, from the first. */
void simulate_pieces(const SimulateTask *task, int64_t index, Randomizer *randomizer);

/* The generator of its decisions. */
void simulate_decisions(const SimulateTask *task, int64_t index, Rng *rng);

/* False for what a result with counts_only does not know. */
bool simulate_knows(const SimulateResult *result, SimulateMeasure measure);

/* The number of the best game by score, then by lines, then the first. */
int64_t simulate_best(const SimulateResult *result);

#endif
