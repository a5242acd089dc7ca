/* judge_avx2: the instance of judge_lanes for AVX2; eight lanes fill one register. */
#include "base/cpu.h"

#if defined(__x86_64__)
#define TARGET CPU_TARGET_AVX2
#define JUDGE(kind_) judge_##kind_##_avx2
#define LANES_AVX2
#include "eval/judge_body.h"
#endif
