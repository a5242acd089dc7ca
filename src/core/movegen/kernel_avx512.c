/* kernel_avx512: the instance for AVX-512; there lanes of 32 rows fit a register too. */
#include "movegen/kernel.h"

#if defined(__x86_64__)
#define LEVEL avx512
#define TARGET __attribute__((target("avx2,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES_AVX
#define LANES_AVX512
#define KERNEL kernel_avx512
#include "movegen/kernel_body.h"
#endif
