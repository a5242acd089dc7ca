/*
 * judge_lanes: evaluates eight placements at a time, one per vector lane, for the kinds that
 * players look ahead with. Written once (judge_body.h), compiled for two CPU levels.
 */
#ifndef TETROPT_EVAL_JUDGE_LANES_H
#define TETROPT_EVAL_JUDGE_LANES_H

#include "eval/evaluator.h"

EvaluatorJudgeAll judge_stack_portable, judge_placement_portable, judge_local_portable;

#if defined(__x86_64__)
EvaluatorJudgeAll judge_stack_avx2, judge_placement_avx2, judge_local_avx2;

/* A row of EvaluatorKind.judge_all. */
#define JUDGE_BY_LEVEL(kind_)                                                                      \
    {                                                                                              \
        [CPU_BASELINE] = judge_##kind_##_portable, [CPU_AVX2] = judge_##kind_##_avx2,              \
        [CPU_AVX512] = judge_##kind_##_avx2                                                        \
    }
#else
#define JUDGE_BY_LEVEL(kind_)                                                                      \
    { [CPU_BASELINE] = judge_##kind_##_portable }
#endif

#endif
