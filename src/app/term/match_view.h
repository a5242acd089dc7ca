/* match_view: the tables that `match` prints: result, rating list, cross table, per-side numbers.
 */
#ifndef TETROPT_TERM_MATCH_VIEW_H
#define TETROPT_TERM_MATCH_VIEW_H

#include "job/match.h"

/* Adds everything about the games so far, for a terminal of `width` columns. */
void match_view_add(const MatchRun *run, int width, Text *text);

/* One line about the games so far, for progress; for two players with the Elo difference. */
enum { MATCH_VIEW_LINE = 120 };
void match_view_line(const MatchRun *run, char line[MATCH_VIEW_LINE]);

#endif
