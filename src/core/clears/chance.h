/*
 * chance: the probability of a perfect clear when only some pieces are known.
 *
 * The player sees the current piece and the preview, and knows the hold and what is left in the
 * bag. Every later piece is drawn from the bag with equal probability and is seen when it enters
 * the preview. The player chooses what maximises the probability; it is computed exactly, backwards
 * from the goal, over the graph of boards.
 */
#ifndef TETROPT_CLEARS_CHANCE_H
#define TETROPT_CLEARS_CHANCE_H

#include "clears/graph.h"

enum { CHANCE_MAX_VISIBLE = 7, CHANCE_MAX_MOVES = 256 };

typedef struct ChanceTask {
    const Area *area;
    Piece visible[CHANCE_MAX_VISIBLE]; /* the current piece, then the preview */
    int visible_count;
    Piece held; /* PIECE_NONE: nothing */
    unsigned
        bag; /* pieces that are left in the bag after the visible ones, as bits; 0: a new one */
    bool hold;
} ChanceTask;

/* A first move, and how probable a clear is then. */
typedef struct ChanceMove {
    bool hold;
    bool placed;         /* false: hold, and the placement depends on the piece that is then seen */
    Placement placement; /* of the current or the held piece */
    double probability;
    double next[PIECE_COUNT]; /* by the piece that is seen next; negative: it cannot come */
} ChanceMove;

typedef struct Chance {
    double probability; /* with the best move; at least that, when the search ended early */
    ChanceMove moves[CHANCE_MAX_MOVES];
    int count;     /* moves, the best first; those without any probability are left out */
    size_t states; /* situations that were evaluated */
    size_t boards; /* of the graph */
} Chance;

/* Called now and then with the situations that were evaluated. */
typedef void ChanceReport(void *context, size_t done, size_t total);

/* Ends early when asked to, with the first moves that are known by then: *complete is false. False
 * with `status`: no memory, or too many situations. */
bool chance_run(Chance *chance, const ChanceTask *task, ClearsCut cut, ChanceReport *report,
                void *context, bool *complete, Status *status);

#endif
