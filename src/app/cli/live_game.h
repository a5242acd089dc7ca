/*
 * live_game: what `play` and `watch` do around a session: the replay of the game, its result as a
 * line or as JSON.
 */
#ifndef TETROPT_CLI_LIVE_GAME_H
#define TETROPT_CLI_LIVE_GAME_H

#include "cli/cli.h"
#include "formats/replay.h"
#include "live/live.h"
#include "match/race.h"

/* The record of a live game; begin it right after live_init. */
typedef struct LiveRecord {
    bool on;
    Replay replay;
    RaceSide *side; /* of a race; NULL: none */
} LiveRecord;

/* Begins to record if `on`. `title` and `side` may be NULL. */
void live_record_begin(LiveRecord *record, bool on, Live *live, const char *title, uint64_t seed,
                       RaceSide *side);

/* Writes it to `path`, if it is on. */
bool live_record_save(LiveRecord *record, const Live *live, const char *path, Status *status);
void live_record_release(LiveRecord *record);

/* Prints what the game came to. `rank` from 0, or -1. */
bool live_game_print(const CliCommon *common, const char *mode, const Live *live, uint64_t seed,
                     int rank, Status *status);

#endif
