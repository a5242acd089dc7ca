/*
 * plain_features: the literature's features and the drop player, cell by cell, for tests only.
 * Every definition is written out as a sentence about cells; nothing is shared with src/eval.
 */
#ifndef TESTS_PLAIN_FEATURES_H
#define TESTS_PLAIN_FEATURES_H

#include "plain.h"

enum { PLAIN_FEATURES = 10 };

/* The order of features.h, then rows removed. */
void plain_board_features(const PlainBoard *board, double values[PLAIN_FEATURES]);

/* Drops a piece whose leftmost cell is in column `left`, removes the full rows and measures.
 * Returns false, leaving the board with the piece, when a cell landed at or above the height. */
bool plain_drop(PlainBoard *board, char piece, int state, int left, double values[PLAIN_FEATURES]);

/* The columns that the leftmost cell can be in. */
int plain_drop_columns(const PlainBoard *board, char piece, int state);

#endif
