/*
 * match_state: a match between two of its games, as text: who plays by which rules, and the results
 * so far. A match continues from it with the same result as without the interruption.
 */
#ifndef TETROPT_JOB_MATCH_STATE_H
#define TETROPT_JOB_MATCH_STATE_H

#include "base/json.h"
#include "job/match.h"

/* Adds the state. False: no memory. */
bool match_state_write(const MatchRun *run, Text *text);

/* Parses a state and checks that it is one of this match; its seed becomes that of the run unless
 * `seed_given`. NULL with `status`. */
Json *match_state_parse(MatchRun *run, bool seed_given, const char *text, Status *status);

/* Takes the games of the state over. */
bool match_state_load(MatchRun *run, const Json *state, Status *status);

#endif
