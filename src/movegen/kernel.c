#include "movegen/kernel.h"

#include <stddef.h>

bool kernel_available(KernelLevel level) {
    switch (level) {
    case KERNEL_PORTABLE:
        return true;
#if defined(__x86_64__)
    case KERNEL_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("popcnt");
    case KERNEL_AVX512:
        return kernel_available(KERNEL_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    default:
        return false;
    }
}

const Kernel *kernel_at(KernelLevel level) {
    switch (level) {
    case KERNEL_PORTABLE:
        return &kernel_portable;
#if defined(__x86_64__)
    case KERNEL_AVX2:
        return &kernel_avx2;
    case KERNEL_AVX512:
        return &kernel_avx512;
#endif
    default:
        return NULL;
    }
}

const Kernel *kernel_best(void) {
    int level = KERNEL_LEVELS - 1;
    while (!kernel_available((KernelLevel)level))
        level--;
    return kernel_at((KernelLevel)level);
}
