/*
 * solution: a set of places that fill an area, the queues that can build it, and one game that
 * does, key by key.
 */
#ifndef TETROPT_CLEARS_SOLUTION_H
#define TETROPT_CLEARS_SOLUTION_H

#include "clears/decided.h"
#include "clears/walk.h"
#include "movegen/path.h"

typedef struct Solution {
    Place places[AREA_MAX_PIECES];
    int count;
    uint8_t spin;     /* Spin: the last place comes last, as a T-spin; SPIN_NONE: any order */
    uint64_t *queues; /* one bit per queue that can build it */
    size_t served;    /* how many there are */
    struct SolutionMove *moves; /* a game that builds it; NULL: none yet */
    size_t queue;               /* of that game */
} Solution;

typedef struct Solutions {
    Solution *items;
    size_t count, capacity;
    size_t words; /* of every set of queues */
    size_t bytes; /* that the solutions take, with their games */
    Decided decided;
} Solutions;

enum { SOLUTIONS_MAX_MIB = 2048 };

void solutions_release(Solutions *list);

/* Decides the next candidate of a search: it becomes a solution when it serves a queue (solved[i]
 * per queue; NULL: none). False with `status`: no memory, or more than SOLUTIONS_MAX_MIB. */
bool solutions_decide(Solutions *list, const Place *places, int count, const uint8_t *solved,
                      size_t queues, Status *status);

/* The same for a candidate that is known (decided_next). */
bool solutions_recall(Solutions *list, const Place *places, int count, size_t queues,
                      Status *status);

/* Sorts: most queues first, then by their places. */
void solutions_sort(Solutions *list);

/* The number of queues that any (`all`: every) solution serves. */
size_t solutions_served(const Solutions *list, bool all, size_t queues);

/* The first queue that the solution serves; its set must not be empty. */
size_t solution_first_queue(const Solution *solution);

enum { SOLUTION_MAX_KEYS = 120 };

typedef struct SolutionMove {
    Move move;
    int keys_count; /* without the hold */
    uint8_t keys[SOLUTION_MAX_KEYS];
} SolutionMove;

/* A game that builds the solution from the queue: moves and their keys, found and then played key
 * by key; the board at the end must be the expected one. False with `status`: the queue does not
 * serve the solution (STATUS_UNMET). `moves` has a place for each piece. */
bool solution_play(const Solution *solution, const Area *area, QueueCode queue, int length,
                   bool hold, PathScratch *scratch, SolutionMove *moves, Status *status);

#endif
