/*
 * search: a beam over the pieces that are known, one placement per level.
 *
 * A node is a board with the hand that plays next and the first decision that led to it. Its value
 * is the sum of the values of its placements and of its board. A level keeps the
 * `width` best nodes, no two with the same board and hand; of equals the first that was found.
 * Where the game ends with a level, because its last piece is placed, only points count.
 *
 * All memory is made once; a search allocates nothing.
 */
#ifndef TETROPT_PLAYER_SEARCH_H
#define TETROPT_PLAYER_SEARCH_H

#include "player/turn.h"

typedef struct SearchNode {
    Columns board;
    TurnHand hand;
    int32_t root; /* the number of the first decision; -1: none yet */
    int64_t lines, points;
    double sum;   /* of the placements so far */
    double value; /* sum and board */
} SearchNode;

/* A child before its board is kept. */
typedef struct SearchChild {
    double value, sum;
    uint32_t parent, order; /* order: when it was found */
    Placement placement;
    TurnHand hand;
    int32_t root;
} SearchChild;

typedef struct Search {
    const Evaluator *evaluator;
    int width;
    SearchNode *nodes, *next; /* the level, best first, and the one that is made from it */
    int count;
    int depth;         /* placements made before this level */
    int limit;         /* the depth that the known pieces reach */
    int64_t last;      /* the depth at which the game ends */
    SearchChild *heap; /* the best children so far, the worst on top */
    int heap_count;
    uint64_t *seen; /* the hashes of the level that is made */
    uint32_t seen_mask;
    Move *roots; /* the decisions of the first level */
    int root_count;
    Placement placements[REACH_MAX];
    EvaluatorValue values[REACH_MAX]; /* of them */
} Search;

enum { SEARCH_ROOTS = TURN_OPTIONS * REACH_MAX };

/* For levels of `width` nodes, evaluated by `evaluator`, which must outlive the search. False with
 * `status`, and nothing to release, when memory is out. */
bool search_init(Search *search, const Evaluator *evaluator, int width, Status *status);
void search_release(Search *search);

/* A level of one node, the present turn; its children become roots. */
void search_begin(Search *search, const AgentView *view);

/* A level of one given node, `depth` placements after the present turn. */
void search_begin_at(Search *search, const AgentView *view, const SearchNode *node, int depth);

/* Replaces the level by its children. False, and the level stays, when there are none that live. */
bool search_advance(Search *search, const AgentView *view);

/* Advances while pieces are known and the game goes on; returns the depth reached. */
int search_advance_all(Search *search, const AgentView *view);

#endif
