/*
 * score: the scoring tables, levels, and the points of a lock.
 *
 * All numbers are data in score.c. A table with the level makes points depend on the order of the
 * clears (score_uses_level); the bonuses are those of the Tetris guideline and need its table.
 */
#ifndef TETROPT_ENGINE_SCORE_H
#define TETROPT_ENGINE_SCORE_H

#include "engine/placement.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum Scoring {
    SCORING_UNIT,
    SCORING_GUIDELINE,
    SCORING_LOCAL_SEARCH,
    SCORING_CLASSIC,
    SCORING_LOCAL_SEARCH_PUBLISHED,
    SCORING_COUNT
} Scoring;

#define SCORING_CHOICES "unit|guideline|local-search|classic|local-search-published"

/* What carries from lock to lock where bonuses count. */
typedef struct ScoreChain {
    int combo;         /* clears in a row before this lock */
    bool back_to_back; /* the last clear was a tetris or a T-spin */
} ScoreChain;

/* What a lock did. */
typedef struct ScoreLock {
    int lines;
    Spin spin;
    bool board_empty;
} ScoreLock;

/* 1 + lines/10. */
static inline int64_t score_level(int64_t lines) {
    return 1 + lines / 10;
}

/* The points for clearing `lines` lines at once at `level` (which only some tables use). More than
 * 4 count as blocks of four and a rest. */
int64_t score_lines(Scoring scoring, int lines, int64_t level);

/* The points for clearing `lines` lines at once after `before` others. */
int64_t score_clear(Scoring scoring, int lines, int64_t before);

/* True when a table counts the level, so that points depend on the order of the clears. */
bool score_uses_level(Scoring scoring);

/* The points of a lock by the guideline with T-spins, combos, back-to-back and perfect clears;
 * updates `chain`. */
int64_t score_with_bonus(ScoreLock lock, int64_t level, ScoreChain *chain);

/* Seconds that a piece takes to fall one row at `level` in the interactive game. */
double score_gravity_seconds(int64_t level);

#endif
