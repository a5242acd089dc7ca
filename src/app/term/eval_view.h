/* eval_view: an evaluated solution as text: its steps, its final board, the terms of its fitness.
 */
#ifndef TETROPT_TERM_EVAL_VIEW_H
#define TETROPT_TERM_EVAL_VIEW_H

#include "base/text.h"
#include "problem/evaluate.h"

/* The board after every placement, before its lines are cleared, side by side. */
void eval_view_steps(const EvalRequest *request, const EvalResult *result, bool color, Text *text);

/* The final board and a line about it. */
void eval_view_board(const EvalRequest *request, const EvalResult *result, bool color, Text *text);

/* Every term of the fitness with its weight and contribution. */
void eval_view_terms(const EvalRequest *request, const EvalResult *result,
                     const FitnessProfile *profile, Text *text);

/* The placements, one per line. */
void eval_view_moves(const EvalResult *result, Text *text);

#endif
