/* cpu: detects the CPU level once; TETROPT_CPU can lower it. */
#include "base/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *const cpu_level_names[CPU_LEVEL_COUNT] = {"baseline", "avx2", "avx512"};

static CpuLevel detect(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt") ||
        !__builtin_cpu_supports("fma"))
        return CPU_BASELINE; /* LZCNT and MOVBE came with these */
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vpopcntdq") ||
        !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2") ||
        !__builtin_cpu_supports("avx512bitalg") || !__builtin_cpu_supports("avx512vnni"))
        return CPU_AVX2;
    return CPU_AVX512;
#else
    return CPU_BASELINE;
#endif
}

/* NULL: nothing was asked for; an empty word says nothing either. */
static const char *asked_level(void) {
    const char *asked = getenv("TETROPT_CPU");
    return asked && *asked ? asked : NULL;
}

static CpuLevel choose(void) {
    CpuLevel best = detect();
    const char *asked = asked_level();
    for (int i = 0; asked && i < (int)best; i++)
        if (strcmp(asked, cpu_level_names[i]) == 0)
            return (CpuLevel)i;
    return best;
}

CpuLevel cpu_level(void) {
    /* Found once, because hot loops ask; all threads that get here at the same time find the same.
     */
    static atomic_int found = -1;
    int level = atomic_load_explicit(&found, memory_order_relaxed);
    if (level < 0) {
        level = (int)choose();
        atomic_store_explicit(&found, level, memory_order_relaxed);
    }
    return (CpuLevel)level;
}

bool cpu_check(Status *status) {
    const char *asked = asked_level();
    for (int i = 0; asked && i < CPU_LEVEL_COUNT; i++)
        if (strcmp(asked, cpu_level_names[i]) == 0)
            return true;
    return !asked || status_fail(status, STATUS_INPUT,
                                 "TETROPT_CPU: '%.40s' is none of baseline, avx2, avx512", asked);
}
