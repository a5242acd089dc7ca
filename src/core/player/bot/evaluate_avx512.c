/* evaluate_avx512: the instance of evaluate_lanes.h for AVX-512. */
#include "base/cpu.h"
#include "player/bot/evaluate.h"

#if defined(__x86_64__)
#define TARGET CPU_TARGET_AVX512
#define EVALUATE_BOARDS evaluate_boards_avx512
#define LANES_AVX512
#include "player/bot/evaluate_lanes.h"
#endif
