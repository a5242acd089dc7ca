/* judge_portable: the instance of judge_lanes for every CPU. */
#define TARGET
#define JUDGE(kind_) judge_##kind_##_portable
#include "eval/judge_body.h"
