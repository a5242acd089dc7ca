/*
 * match: the job in which players play against each other, and are rated.
 */
#ifndef TETROPT_JOB_MATCH_H
#define TETROPT_JOB_MATCH_H

#include "job/job.h"
#include "match/match.h"

enum { MATCH_NAME_BYTES = 1024 };

/* A run of the job, for front ends that show more than the document. */
typedef struct MatchRun {
    Match *match;
    MatchTask task;
    Setup setups[MATCH_PLAYERS_MAX];
    char names[MATCH_PLAYERS_MAX][MATCH_NAME_BYTES]; /* as they were given */
    int count;
    char rules_name[64]; /* a name, or "file" */
    bool per_game;
    int64_t move_time; /* milliseconds; 0: not given */
    double seconds;
} MatchRun;

/* The verdict of a test as a word. */
const char *match_verdict_name(EloVerdict verdict);

/* Adds one board of a game that was recorded as a replay (formats/replay). */
bool match_replay(const MatchRun *run, int64_t game, const DuelResult *result, int side, Text *text,
                  Status *status);

#endif
