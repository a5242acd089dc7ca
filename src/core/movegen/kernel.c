/* kernel: finds the instance of the CPU level (base/cpu.h). */
#include "movegen/kernel.h"

#include "base/cpu.h"

#include <stddef.h>

bool kernel_available(KernelLevel level) {
    static const CpuLevel needs[KERNEL_LEVELS] = {
        [KERNEL_PORTABLE] = CPU_BASELINE, [KERNEL_AVX2] = CPU_AVX2, [KERNEL_AVX512] = CPU_AVX512};
    return needs[level] <= cpu_level();
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
