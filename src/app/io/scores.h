/*
 * scores: the high scores, one table per kind of game, in one JSON file in the user's data
 * directory. Whatever is wrong with that file, a game continues: reading fails with a line that
 * says why, and a damaged file is put aside rather than lost.
 */
#ifndef TETROPT_IO_SCORES_H
#define TETROPT_IO_SCORES_H

#include "base/status.h"

#include <stdint.h>

enum { SCORES_MAX = 10, SCORES_DATE_BYTES = 16 };

typedef struct ScoreEntry {
    int64_t score, lines, pieces;
    int64_t time_ms;
    char date[SCORES_DATE_BYTES]; /* 2025-12-31 */
} ScoreEntry;

typedef struct Scores {
    ScoreEntry entries[SCORES_MAX]; /* the best first */
    int count;
} Scores;

/* Where they are kept: $XDG_DATA_HOME/tetropt/scores.json, or under ~/.local/share; to be freed.
 * NULL when neither XDG_DATA_HOME nor HOME says where. */
char *scores_path(void);

/* The table of `mode` in the file; a missing file or table is an empty one. */
bool scores_read(const char *path, const char *mode, Scores *scores, Status *status);

/* Enters a game by its score, or by its time where that counts, and writes the file, all tables of
 * others kept; creates the directories. `scores` receives the new table, *rank the place of the
 * game (0 is the best) or -1. A file that cannot be read as scores is renamed to scores.json.bad
 * first. */
bool scores_enter(const char *path, const char *mode, const ScoreEntry *entry, bool by_time,
                  Scores *scores, int *rank, Status *status);

#endif
