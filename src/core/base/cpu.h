/*
 * cpu: selects the CPU level (baseline, avx2, avx512) for vector code.
 *
 * A hot loop is written once as an inlined body and compiled for each level with TARGET attributes;
 * its owner picks by cpu_level(). All give the same results. Only x86-64 has more than the
 * baseline.
 */
#ifndef TETROPT_BASE_CPU_H
#define TETROPT_BASE_CPU_H

#include "base/status.h"

typedef enum CpuLevel {
    CPU_BASELINE, /* any x86-64, arm64, ... */
    CPU_AVX2,     /* with BMI1/2, LZCNT and POPCNT (x86-64-v3) */
    CPU_AVX512,   /* F, BW, CD, DQ, VL, VPOPCNTDQ, VBMI, VBMI2, BITALG, VNNI */
    CPU_LEVEL_COUNT
} CpuLevel;

extern const char *const cpu_level_names[CPU_LEVEL_COUNT];

/* The best level here, found at the first call. The environment variable TETROPT_CPU (baseline,
 * avx2 or avx512) can lower it, to test and to measure the others. */
CpuLevel cpu_level(void);

#if defined(__x86_64__)
#define CPU_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,fma,movbe")))
#define CPU_TARGET_AVX512                                                                          \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,fma,movbe,avx512f,avx512bw,avx512cd,"        \
                          "avx512dq,avx512vl,avx512vpopcntdq,avx512vbmi,avx512vbmi2,"              \
                          "avx512bitalg,avx512vnni")))
#endif

/* Fails when TETROPT_CPU has a value that is not a level. */
bool cpu_check(Status *status);

#endif
