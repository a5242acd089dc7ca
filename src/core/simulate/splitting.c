#include "simulate/splitting.h"

#include <limits.h>
#include <stdlib.h>

enum {
    PILOT_PIECES = 2000, /* that show where the stack usually is */
    PILOT_DEATHS = 5,    /* so many among them: there is nothing rare to estimate */
    LEVEL_ROWS = 2       /* from one level to the next */
};

typedef struct Climb {
    const DropController *controller;
    const SplittingPlan *plan;
    DropStream stream;
    uint64_t next_stream;      /* every run has its own */
    int usual;                 /* a stack this high has fallen back */
    Columns *starts, *arrived; /* at this level, and at the next */
    int start_count, arrived_count;
    SplittingEstimate estimate;
} Climb;

static bool stopped(const SplittingPlan *plan) {
    return plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed);
}

/* New pieces for the board that the stream shall go on with. */
static void begin(Climb *climb, const Columns *board) {
    Randomizer randomizer;
    randomizer_init(&randomizer, climb->plan->randomizer,
                    rng_derive(climb->plan->seed, climb->plan->stream), climb->next_stream++);
    drop_stream_init(&climb->stream, climb->controller, &randomizer);
    if (board)
        climb->stream.board = *board;
}

static int step(Climb *climb) {
    drop_play(climb->controller, &climb->stream, 1, false);
    return columns_highest(&climb->stream.board);
}

static void end(Climb *climb) {
    climb->estimate.pieces += climb->stream.pieces;
    climb->estimate.lines += climb->stream.lines;
}

/* Finds the median height of the stack, or one from which there is still a level to climb. */
static void find_usual_height(Climb *climb) {
    int count[BOARD_MAX_ROWS + 1] = {0};
    begin(climb, NULL);
    for (int i = 0; i < PILOT_PIECES; i++)
        count[step(climb)]++;
    end(climb);
    int highest = climb->controller->height - LEVEL_ROWS, below = count[0];
    while (below < PILOT_PIECES / 2 && climb->usual < highest)
        below += count[++climb->usual];
}

/* Plays until as many climbs to `level` have begun as there are tries; how many a line that is. */
static double climbs_per_line(Climb *climb, int level) {
    bool low = true;
    int64_t most = climb->plan->longest * climb->plan->tries;
    begin(climb, NULL);
    while (climb->arrived_count < climb->plan->tries && climb->stream.pieces < most &&
           !stopped(climb->plan)) {
        int64_t deaths = climb->stream.deaths;
        int height = step(climb);
        bool died = climb->stream.deaths > deaths;
        if (low && height >= level) {
            climb->arrived[climb->arrived_count++] = climb->stream.board;
            low = false;
        } else if (height <= climb->usual || died) {
            low = true;
        }
    }
    end(climb);
    return climb->arrived_count / (double)(climb->stream.lines + 1);
}

/* A board of no width stands for a game that ended: it is above every level. */
static int height_of(const Columns *board) {
    return board->width ? columns_highest(board) : INT_MAX;
}

static void try_to_climb(Climb *climb, const Columns *start, int level) {
    Columns board = *start;
    bool fell = false;
    begin(climb, start);
    for (int64_t i = 0; !fell && height_of(&board) < level && i < climb->plan->longest; i++) {
        int height = step(climb);
        board = climb->stream.board;
        if (climb->stream.deaths > 0)
            board.width = 0;
        else
            fell = height <= climb->usual;
    }
    end(climb);
    if (!fell)
        climb->arrived[climb->arrived_count++] = board;
}

/* The share of tries from the boards that arrived last that come to `level`. */
static double share_that_climbs(Climb *climb, int level) {
    Columns *starts = climb->arrived;
    climb->arrived = climb->starts;
    climb->starts = starts;
    int count = climb->arrived_count, tries = climb->plan->tries;
    climb->arrived_count = 0;
    for (int i = 0; i < tries && !stopped(climb->plan); i++)
        try_to_climb(climb, &starts[i % count], level);
    return (climb->arrived_count > 0 ? climb->arrived_count : 1) / (double)tries;
}

static double deaths_per_line(Climb *climb) {
    find_usual_height(climb);
    if (climb->stream.deaths >= PILOT_DEATHS)
        return (double)climb->stream.deaths / (double)(climb->stream.lines + 1);
    int level = climb->usual + LEVEL_ROWS, top = climb->controller->height;
    double rate = climbs_per_line(climb, level);
    while (level <= top && climb->arrived_count > 0) {
        level = level + LEVEL_ROWS <= top ? level + LEVEL_ROWS : top + 1;
        rate *= share_that_climbs(climb, level);
    }
    return rate;
}

bool splitting_estimate(const DropController *controller, const SplittingPlan *plan,
                        SplittingEstimate *estimate, Status *status) {
    Climb climb = {.controller = controller, .plan = plan};
    climb.starts = malloc((size_t)plan->tries * sizeof *climb.starts);
    climb.arrived = malloc((size_t)plan->tries * sizeof *climb.arrived);
    bool ok = climb.starts && climb.arrived;
    if (ok)
        climb.estimate.deaths_per_line = deaths_per_line(&climb);
    else
        status_no_memory(status);
    climb.estimate.complete = !stopped(plan);
    *estimate = climb.estimate;
    free(climb.starts);
    free(climb.arrived);
    return ok;
}
