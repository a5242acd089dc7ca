/* eval_view: an evaluated solution as text: its steps, its final board, the terms of its fitness.
 */
#ifndef TETROPT_TERM_EVAL_VIEW_H
#define TETROPT_TERM_EVAL_VIEW_H

#include "base/text.h"
#include "problem/evaluate.h"

/* The board after every placement, before its lines are cleared, as many side by side as fit into
 * `columns`. */
void eval_view_steps(const EvalRequest *request, const EvalResult *result, int columns, bool color,
                     Text *text);

/* The final board. */
void eval_view_board(const EvalResult *result, bool color, Text *text);

/* One line: pieces, lines, score, no-ops. */
void eval_view_counts(const EvalRequest *request, const EvalResult *result, Text *text);

/* Every term of the fitness with its weight and contribution. */
void eval_view_terms(const EvalRequest *request, const EvalResult *result,
                     const FitnessProfile *profile, Text *text);

/* The key presses of every placement, one line each. */
void eval_view_keys(const EvalRequest *request, const EvalResult *result, Text *text);

#endif
