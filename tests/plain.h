/*
 * plain: the rules again, cell by cell, for tests only. Slow and obvious on purpose: it shares no
 * table and no trick with the engine, so that the two check each other.
 */
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H

#include <stdbool.h>

enum { PLAIN_ROWS = 60, PLAIN_WIDTH = 16, PLAIN_HEURISTICS = 9 };

typedef struct PlainBoard {
    int width, height;
    bool closed;                         /* the ceiling is right above the visible rows */
    bool cells[PLAIN_ROWS][PLAIN_WIDTH]; /* [y][x] */
} PlainBoard;

typedef struct PlainGame {
    PlainBoard board;
    int next, hold; /* -1: empty */
    int placed, lines, score, noops, peak;
    int clears[4];
    bool over;
} PlainGame;

/* Pieces are letters of "IOTSZJL", states 0..3. */
bool plain_fits(const PlainBoard *board, char piece, int state, int x, int y);

/* One quarter turn; direction 1 clockwise, -1 counter-clockwise. */
bool plain_turn(const PlainBoard *board, char piece, int direction, int *state, int *x, int *y);

enum { PLAIN_MOVE_FIRST, PLAIN_TURN_FIRST, PLAIN_PUBLISHED };

typedef struct PlainRules {
    bool has_swap, is_double; /* the encoding */
    int order;                /* PLAIN_MOVE_FIRST, ... */
    bool no_game_over;
    int perfect_points;
} PlainRules;

/* Plays genes, laid out as docs/RULES.md says. */
void plain_decode(PlainGame *game, const char *pieces, int count, int placements,
                  const signed char *genes, PlainRules rules);

/* The nine heuristics in the order of docs/RULES.md. */
void plain_heuristics(const PlainBoard *board, double values[PLAIN_HEURISTICS]);

int plain_height(const PlainBoard *board, int x);

#endif
