/* kernel_avx2: the instance for AVX2; its lanes of 16 rows fill one register. */
#include "base/cpu.h"
#include "movegen/kernel.h"

#if defined(__x86_64__)
#define LEVEL avx2
#define TARGET CPU_TARGET_AVX2
#define LANES_AVX
#define KERNEL kernel_avx2
#include "movegen/kernel_body.h"
#endif
