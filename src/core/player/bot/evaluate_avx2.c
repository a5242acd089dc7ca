/* evaluate_avx2: the instance of evaluate_lanes.h for AVX2. */
#include "base/cpu.h"
#include "player/bot/evaluate.h"

#if defined(__x86_64__)
#define TARGET CPU_TARGET_AVX2
#define EVALUATE_BOARDS evaluate_boards_avx2
#define LANES_AVX2
#include "player/bot/evaluate_lanes.h"
#endif
