/* compare_view: a comparison of groups of runs as text, with a line that explains every test. */
#ifndef TETROPT_TERM_COMPARE_VIEW_H
#define TETROPT_TERM_COMPARE_VIEW_H

#include "base/text.h"
#include "stats/compare.h"

/* Adds tables of the groups and of the pairs, and the ranks over instances. The arena is for its
 * own use. */
void compare_view(const Comparison *comparison, Arena *arena, int width, Text *text);

#endif
