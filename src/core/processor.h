/* processor.h - which versions of a piece of code this processor can run
 *
 * Code that has several lists the plain one first, and one for AVX2 behind it where the compiler
 * can make it; POPCNT and BMI come with AVX2. All versions give the same results. */
#ifndef DODONA_CORE_PROCESSOR_H
#define DODONA_CORE_PROCESSOR_H

#if defined(__x86_64__) && defined(__GNUC__)
#define DD_HAS_WIDE_CODE 1
#else
#define DD_HAS_WIDE_CODE 0
#endif

static inline int dd_code_versions(void)
{
#if DD_HAS_WIDE_CODE
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                   __builtin_cpu_supports("bmi")
               ? 2
               : 1;
#else
    return 1;
#endif
}

#endif
