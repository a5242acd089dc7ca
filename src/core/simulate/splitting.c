/*
 * splitting: the method of the header in four numbered steps, all in deaths_per_line.
 *
 * Every run (the pilot, the count of first climbs, each try) draws its pieces from a stream of its
 * own, so the estimate depends on the seed only. A board of width 0 stands for a game that topped
 * out: it is above every level. The next piece, which some agents see, belongs to the state of a
 * game.
 */
#include "simulate/splitting.h"

#include <limits.h>
#include <stdlib.h>

enum {
    PILOT_PIECES = 2000, /* that show where the stack usually is */
    PILOT_DEATHS = 5     /* with this many top-outs among them there is nothing rare to estimate */
};

/* Where a game is continued. */
typedef struct State {
    Columns board;
    uint8_t next; /* Piece; PIECE_NONE: not drawn yet */
} State;

typedef struct Climb {
    const SplittingPlan *plan;
    GameStream games;
    uint64_t next_stream;    /* every run has its own */
    int usual;               /* a stack this high has fallen back */
    State *starts, *arrived; /* at the last level, and those that reached the next */
    int arrived_count;
    SplittingEstimate estimate;
} Climb;

static bool stopped(const SplittingPlan *plan) {
    return plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed);
}

/* Begins a run with pieces of its own, at `start` (NULL: on an empty board). */
static void begin_run(Climb *climb, const State *start) {
    const SplittingPlan *plan = climb->plan;
    Randomizer randomizer;
    randomizer_init(&randomizer, plan->randomizer, rng_derive(plan->seed, plan->stream),
                    climb->next_stream++);
    stream_init(&climb->games, plan->width, plan->height, &randomizer);
    if (!start)
        return;
    climb->games.board = start->board;
    if (start->next != PIECE_NONE)
        climb->games.ahead[climb->games.ahead_count++] = start->next;
}

/* The state of the run; `board` is its board, or one of width 0. */
static State state_of(const Climb *climb, const Columns *board) {
    const GameStream *games = &climb->games;
    return (State){*board, games->ahead_next < games->ahead_count ? games->ahead[games->ahead_next]
                                                                  : (uint8_t)PIECE_NONE};
}

/* Places one piece and returns the height of the stack. */
static int place_one(Climb *climb) {
    climb->plan->agent->stream(climb->plan->player, &climb->games, 1, false);
    return columns_highest(&climb->games.board);
}

static void end_run(Climb *climb) {
    climb->estimate.pieces += climb->games.pieces;
    climb->estimate.lines += climb->games.lines;
}

/* Plays on from `start` until the stack reaches `level` or tops out, and keeps that board, or falls
 * back to the usual height. A try that takes too long counts as one that climbed. */
static void try_to_climb(Climb *climb, const State *start, int level) {
    Columns board = start->board;
    int height = board.width ? columns_highest(&board) : INT_MAX;
    bool fell = false;
    begin_run(climb, start);
    for (int64_t i = 0; !fell && height < level && i < climb->plan->longest; i++) {
        height = place_one(climb);
        board = climb->games.board;
        if (climb->games.deaths > 0) {
            board.width = 0;
            height = INT_MAX;
        } else
            fell = height <= climb->usual;
    }
    end_run(climb);
    if (!fell)
        climb->arrived[climb->arrived_count++] = state_of(climb, &board);
}

static double deaths_per_line(Climb *climb) {
    const SplittingPlan *plan = climb->plan;
    const int top = plan->height, tries = plan->tries, rows = plan->level_rows;

    /* 1. A pilot run finds the usual height: the median, or the highest from which there is still a
     * level to climb. */
    int count[BOARD_MAX_ROWS + 1] = {0};
    begin_run(climb, NULL);
    for (int i = 0; i < PILOT_PIECES; i++)
        count[place_one(climb)]++;
    end_run(climb);
    for (int below = count[0]; below < PILOT_PIECES / 2 && climb->usual < top - rows;)
        below += count[++climb->usual];

    /* 2. Where top-outs are frequent the pilot has counted enough of them. */
    if (climb->games.deaths >= PILOT_DEATHS)
        return (double)climb->games.deaths / (double)(climb->games.lines + 1);

    /* 3. One long run counts how often the stack climbs from the usual height to the first level,
     * and keeps the boards with which it arrives. */
    int level = climb->usual + rows;
    bool low = true;
    begin_run(climb, NULL);
    while (climb->arrived_count < tries && climb->games.pieces < plan->longest * tries &&
           !stopped(plan)) {
        int64_t deaths = climb->games.deaths;
        int height = place_one(climb);
        if (low && height >= level) {
            climb->arrived[climb->arrived_count++] = state_of(climb, &climb->games.board);
            low = false;
        } else if (height <= climb->usual || climb->games.deaths > deaths)
            low = true;
    }
    end_run(climb);
    double rate = climb->arrived_count / (double)(climb->games.lines + 1);

    /* 4. From level to level, up to the top: the rate is multiplied by the share of tries, begun
     * with the boards that arrived last, that reach the next level. */
    while (level <= top && climb->arrived_count > 0) {
        level = level + rows <= top ? level + rows : top + 1;
        State *starts = climb->arrived;
        int start_count = climb->arrived_count;
        climb->arrived = climb->starts;
        climb->starts = starts;
        climb->arrived_count = 0;
        for (int i = 0; i < tries && !stopped(plan); i++)
            try_to_climb(climb, &starts[i % start_count], level);
        rate *= (climb->arrived_count > 0 ? climb->arrived_count : 1) / (double)tries;
    }
    return rate;
}

bool splitting_estimate(const SplittingPlan *plan, SplittingEstimate *estimate, Status *status) {
    Climb climb = {.plan = plan};
    climb.starts = malloc((size_t)plan->tries * sizeof *climb.starts);
    climb.arrived = malloc((size_t)plan->tries * sizeof *climb.arrived);
    bool ok = (climb.starts && climb.arrived) || status_no_memory(status);
    if (ok)
        climb.estimate.deaths_per_line = deaths_per_line(&climb);
    climb.estimate.complete = !stopped(plan);
    *estimate = climb.estimate;
    free(climb.starts);
    free(climb.arrived);
    return ok;
}
