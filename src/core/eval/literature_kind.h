/*
 * literature_kind: the features of features.h as a kind of the evaluator. Its sets stand in
 * weights.h, because the drop player takes them from there without an evaluator.
 */
#ifndef TETROPT_EVAL_LITERATURE_KIND_H
#define TETROPT_EVAL_LITERATURE_KIND_H

#include "eval/evaluator.h"
#include "eval/weights.h"

extern const EvaluatorKind literature_kind;

/* The weights of an evaluator of this kind or of surface_kind, for the drop player. */
Weights literature_weights(const Evaluator *evaluator);

#endif
