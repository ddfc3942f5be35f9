/* avx512.h - AVX-512 with VNNI: intrinsics, the attribute of functions that use them, and whether
 * the processor has it
 *
 * A test without such a processor builds its kernels with DD_EMULATE_AVX512: SIMDe then has
 * functions of the intrinsics' names in plain C. */
#ifndef DODONA_KERNELS_AVX512_H
#define DODONA_KERNELS_AVX512_H

#include <stdbool.h>

#ifdef DD_EMULATE_AVX512

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512/add.h>
#include <simde/x86/avx512/dpbusd.h>
#include <simde/x86/avx512/fmadd.h>
#include <simde/x86/avx512/loadu.h>
#include <simde/x86/avx512/set1.h>
#include <simde/x86/avx512/setzero.h>
#include <simde/x86/avx512/storeu.h>

#define DD_AVX512
#define DD_RUNS_AVX512 true

#else

#include <immintrin.h>

#define DD_AVX512      __attribute__((target("avx512f,avx512vnni")))
/* Whether the system keeps the wide registers is asked too. */
#define DD_RUNS_AVX512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))

#endif

#endif
