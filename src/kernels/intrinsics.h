/* intrinsics.h - vector instructions that not all processors have: the attributes of functions that
 * use them, and whether the processor has them */
#ifndef DODONA_KERNELS_INTRINSICS_H
#define DODONA_KERNELS_INTRINSICS_H

#include "kernels/processor.h"

#if DD_HAS_AVX2_CODE

/* ---- VNNI --------------------------------------------------------------------------------- */

/* Products of bytes that are added to sums in one instruction: in AVX-512 with VNNI, and in
 * AVX-VNNI, which processors without AVX-512 have.
 *
 * A test without such a processor builds its kernels with DD_EMULATE_VNNI: SIMDe then has functions
 * of the intrinsics' names in plain C and AVX2. */

#include <immintrin.h>
#include <stdbool.h>

#ifdef DD_EMULATE_VNNI

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512/add.h>
#include <simde/x86/avx512/dpbusd.h>
#include <simde/x86/avx512/fmadd.h>
#include <simde/x86/avx512/loadu.h>
#include <simde/x86/avx512/set1.h>
#include <simde/x86/avx512/setzero.h>
#include <simde/x86/avx512/storeu.h>
#define _mm256_dpbusd_avx_epi32 simde_mm256_dpbusd_epi32

#define DD_AVX512
#define DD_AVX_VNNI __attribute__((target("avx2")))

static inline bool dd_runs_avx512(void)
{
    return true;
}

static inline bool dd_runs_avx_vnni(void)
{
    return true;
}

#else

#include <cpuid.h>

#define DD_AVX512   __attribute__((target("avx512f,avx512vnni")))
#define DD_AVX_VNNI __attribute__((target("avx2,avxvnni")))

/* This also asks whether the operating system saves the wide registers. */
static inline bool dd_runs_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
}

/* Older compilers do not know this name; the bit is bit_AVXVNNI. */
static inline bool dd_runs_avx_vnni(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && a >> 4 & 1;
}

#endif

#elif DD_HAS_NEON_CODE

/* ---- NEON --------------------------------------------------------------------------------- */

/* All 64-bit ARM processors have NEON; not all have its products of bytes ("dotprod", ARMv8.2). */

#include <arm_neon.h>
#include <stdbool.h>

#ifdef __ARM_FEATURE_DOTPROD

#define DD_DOTPROD
#define DD_RUNS_DOTPROD true

#else

#ifdef __linux__
#include <sys/auxv.h>
#endif

#define DD_DOTPROD      __attribute__((target("arch=armv8.2-a+dotprod")))
#define DD_RUNS_DOTPROD ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0)

#endif

#endif

#endif
